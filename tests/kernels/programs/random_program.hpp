// tests/kernels/programs/random_program.hpp: random kernels of what users write, each with a slow and obvious
// interpreter of itself: every piece of text is made together with a function that does the same to the state of all
// threads of a grid, which are always at the same statement.
#pragma once
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace test::programs {

enum class Flow : uint8_t { goes_on, broke, continued, returned };

// All threads of a grid. A variable is a range of a thread's words; a pointer is the address of a word.
struct State {
  static constexpr uint32_t kShared = 1u << 20, kWords = 640;

  uint32_t blocks, threads, width, parameter;        // threads of a block, and those along x
  const std::vector<uint32_t>& input;                // what all threads may read
  std::vector<uint32_t>& global;                     // what all threads may change by atomics
  std::vector<uint32_t> out;                         // two words per thread
  std::vector<std::vector<uint32_t>> local, shared;  // by thread of the grid, by block
  std::vector<Flow> flow;

  State(uint32_t blocks, uint32_t threads, uint32_t width, uint32_t parameter, const std::vector<uint32_t>& input,
        std::vector<uint32_t>& global)
      : blocks(blocks),
        threads(threads),
        width(width),
        parameter(parameter),
        input(input),
        global(global),
        out(size_t(blocks) * threads * 2, 7),
        local(size_t(blocks) * threads, std::vector<uint32_t>(kWords)),
        shared(blocks, std::vector<uint32_t>(threads * 3)),
        flow(size_t(blocks) * threads, Flow::goes_on) {}
  uint32_t all() const { return blocks * threads; }
  uint32_t block_of(uint32_t t) const { return t / threads; }
  uint32_t within(uint32_t t) const { return t % threads; }
  uint32_t& word(uint32_t t, uint32_t address) {
    return address < kShared ? local[t][address] : shared[block_of(t)][address - kShared];
  }
};

using Mask = std::vector<bool>;  // the threads that take part
using Value = std::function<uint32_t(State&, uint32_t thread)>;
using Effect = std::function<void(State&, const Mask&)>;

struct Expression {
  std::string text;
  Value value;
};
struct Place {  // what can be assigned to
  std::string text;
  Value address;
  Expression read() const {
    return {text, [address = address](State& s, uint32_t t) { return s.word(t, address(s, t)); }};
  }
};
struct Statement {
  std::string text;
  Effect effect;
};

// alone: no thread waits for another; sums: the same, with loops in which each thread adds in an order of its own;
// numbers: warps, and all variables are numbers that nothing refers to.
enum class Kind { alone, sums, barriers, warps, numbers, grids };

// One kernel with a name of its own. Its parameters: (unsigned* out, unsigned* g, const unsigned* in, unsigned p).
class Kernel {
 public:
  Kernel(uint32_t seed, Kind kind, std::string name, uint32_t number);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  Kind kind() const { return kind_; }
  // What `out` holds afterwards; global and seen are changed as the kernel changes them.
  std::vector<uint32_t> run(uint32_t blocks, uint32_t threads, uint32_t width, uint32_t parameter,
                            const std::vector<uint32_t>& input, std::vector<uint32_t>& global) const;
  // What the kernels of a program need before them.
  static std::string declarations();
  static constexpr uint32_t kInput = 777, kGlobal = 24, kSeen = 8;  // global: 24 words, then the variables `seen`

 private:
  struct Variable {
    std::function<Place()> place;
    uint32_t depth;     // of the block in which it lives
    std::string plain;  // its name, if it is one word with a name
    bool writable;
  };
  struct Reader {
    std::function<Expression()> read;
    uint32_t depth;
  };

  uint32_t draw(uint32_t below) { return uint32_t(random_() % below); }
  std::string fresh(const char* stem) { return stem + std::to_string(++names_); }
  uint32_t words(uint32_t count) { return std::exchange(words_, words_ + count); }

  // Expressions.
  Expression constant(uint32_t value) const;
  Expression uniform();
  Expression leaf();
  Expression expression(int depth = 2);
  Expression condition();
  Expression index(uint32_t below);
  Expression binary(int depth);
  Expression call(int depth);
  Place place(uint32_t outside = ~0u);  // one that lives in a block of at most this depth
  Place any_word(const std::string& text, uint32_t first, std::vector<uint32_t> extents);
  void add(std::function<Place()> place, std::string plain = "", bool writable = true) {
    variables_.push_back({std::move(place), depth_, std::move(plain), writable});
  }

  // Statements of a thread alone.
  Statement own(int depth);
  Statement assignment();
  Statement scalar();
  Statement typed();
  Statement array();
  Statement cells();
  Statement number();
  Statement pointer();
  Statement row();
  Statement reference();
  Statement moved_pointer();
  Statement exchanged();
  Statement copying_lambda();
  Statement writing_lambda();
  Statement guarded(int depth);
  Statement branch(int depth);
  Statement loop(int depth);
  Statement choice(int depth);
  Statement stride();
  Statement strided();
  Statement sum();
  Statement few();
  Statement atomic();
  Statement leave();
  Statement returned();

  // Statements at which all threads of a block meet.
  Statement meeting(int depth);
  std::string barrier();
  Statement between(const std::string& barrier, Effect effect);
  Statement exchange(int depth);
  Statement shared_atomics();
  Statement votes();
  Statement common_branch(int depth);
  Statement common_loop(int depth);
  Statement voted_branch(int depth);
  Statement buffers();
  Statement registers();
  Statement given();
  Statement warp();
  Statement special();
  Statement grid();

  static Statement sequence(const std::vector<Statement>& all);
  Statement in_braces(const std::function<std::vector<Statement>()>& make);
  std::vector<Statement> some(int least, int most, int depth, bool meets);
  static Effect each(std::function<void(State&, uint32_t)> one);
  Statement assign(const Place& to, const std::string& op, const Expression& from);
  Statement declare(const std::string& text, std::vector<std::pair<uint32_t, Expression>> values);

  std::mt19937 random_;
  const Kind kind_;
  const std::string name_;
  std::string text_;
  Effect effect_;
  std::vector<Variable> variables_;
  std::vector<std::pair<std::string, uint32_t>> pointers_;  // name and word
  std::vector<uint32_t> pointer_depths_;
  std::vector<Reader> readers_;
  std::vector<Expression> uniforms_;
  uint32_t names_ = 0, words_ = 0, depth_ = 0;
  bool reads_ = false;   // shared memory may be read
  bool leaves_ = false;  // break and continue end a loop of this thread alone
  bool ends_ = false;    // threads may return
  bool same_in_grid_ = false;
};

}  // namespace test::programs
