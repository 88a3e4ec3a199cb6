// kernel/generate/generate.hpp: the common parts of the three kinds of generated kernels: declarations, checked
// arguments, loops in normal form, text, compiled variants.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstring>
#include <shared_mutex>
#include "core/array/findings.hpp"
#include "core/device/recording.hpp"
#include "kernel/generate/generated.hpp"

namespace tenon::generate {

constexpr int32_t kMaxParameters = 32;
constexpr uint64_t kMaxParameterBytes = 4000;  // of a kernel, on every CUDA device

// --- declarations: "float32 x, T y" ---

struct DeclaredParameter {
  std::string type;          // as written in the declaration; for a placeholder, its name
  Dtype dtype = 0;           // 0: a placeholder
  int32_t placeholder = -1;  // its index
  std::string name;
  bool output = false, raw = false, update = false;
  bool table = false;  // its first axis is indexed by the expression; the others are those of an element
};

struct Declarations {
  std::vector<DeclaredParameter> parameters;  // inputs first
  int32_t inputs = 0;
  std::vector<std::string> placeholders;
  int32_t count() const { return int32_t(parameters.size()); }
};

// `who` is the kernel's name, for messages.
// Throws INVALID_ARGUMENT if the text would close the function around it; what: "the operation".
void require_whole(const std::string& text, const char* what, const std::string& who);

Declarations parse_declarations(const std::string& inputs, const std::string& outputs, const std::string& who);
bool type_of(const std::string& text, Dtype& dtype);  // a dtype's name or its C type
const char* cuda_type(Dtype dtype);
inline std::string type_text(Dtype dtype) { return cuda_type(dtype); }
bool mentions(const std::string& text, const char* word);  // as an identifier of its own

// Whether the text calls functions with many instructions, such as sin.
bool is_heavy(const std::string& text);

// --- one call's arguments ---

struct Operand {
  Array* array = nullptr;  // NULL: a scalar
  const void* scalar = nullptr;
  Dtype dtype = 0;
};

struct Arguments {
  const Declarations* declared = nullptr;
  const std::string* who = nullptr;
  int32_t count = 0;  // of all parameters, or of the inputs only
  Operand operands[kMaxParameters];
  Dtype placeholders[kMaxParameters];  // 0: no argument determines it
  Device* device = nullptr;            // NULL: no array
  // Of tables, in order: where kernels put the least index out of range (see index_number); NULL: nowhere.
  tenon_finding* bad_indices = nullptr;

  std::string place(int32_t index) const;  // "x of norm"
};

// Determines the placeholders and the device, and checks dtypes and devices.
void check_arguments(const Declarations& declared, const std::string& who, const CallArgument* args, int32_t count,
                     bool inputs_only, Arguments& out);
// The shape to which all arrays that are not raw broadcast. False if there is none.
bool broadcast_shape(const Arguments& arguments, int32_t first, int32_t last, Dims& shape);
Dtype output_dtype(const Arguments& arguments,
                   int32_t index);  // of parameter `index`; throws DTYPE if no argument determines it
// Checks that the output is writable, does not overlap itself, and is disjoint from every other argument or
// (exact_allowed) is exactly an input.
void check_output(const Arguments& arguments, int32_t index, bool exact_allowed);
void check_alignment(const Arguments& arguments);
// Whether every array is aligned to its element size: a complex number is then one access.
bool whole_aligned(const Arguments& arguments);
// Before the launch: where kernels report indices out of range, one number per table, if the call can wait for them.
// After the launch, findings.defer() reports them.
void expect_indices(Arguments& arguments, Findings& findings, const Stream& stream);
// Orders the stream behind the other users of all arrays.
void use_arguments(const Arguments& arguments, Stream& stream);

// --- loops ---

constexpr int32_t kMaxAxes = 64;

// The axes of a loop over several operands. stride[k][d]: of operand k along axis d, in elements.
struct Loop {
  int32_t rank = 0, operands = 0;
  int64_t extent[kMaxAxes];
  int64_t stride[kMaxParameters][kMaxAxes];
  int64_t start[kMaxParameters];  // element offset of the first element, after flipped axes

  int64_t size() const;
  void remove(int32_t axis);
  // Broadcast to `shape`, the loop's. skip: leading axes that are left out.
  void add_operand(const Array& array, const Dims& shape, int32_t skip = 0);
};
void start_loop(const Dims& shape, Loop& loop);            // no operands yet; a Loop is large, so it is filled in place
void copy_axis(const Loop& from, int32_t axis, Loop& to);  // appends it; both loops have the same operands
// Drops axes of extent 1 and merges neighbours. ordered: the order and direction of the axes are significant; else
// they are sorted by the strides of operand `lead`, and run forward in memory.
void simplify(Loop& loop, bool ordered, int32_t lead);
// The largest element offset of any operand, in either direction.
int64_t reach(const Loop& loop);

// --- text ---

// Along the innermost axis. transposed: contiguous along the axis outside it, and read through a tile.
enum class Access : uint8_t { same = 0, contiguous = 1, strided = 2, scalar = 3, raw = 4, transposed = 5 };

// The files of generate/kernels, embedded by the build. For each kind: the common part, the loops and the blocks. Only
// one of the last two becomes part of a kernel's text: the CPU device would run fibers because of barriers in text that
// is not even compiled.
extern const char kFindingText[], kReportText[], kCommonText[], kHalfText[], kBlockText[], kDecodeText[];
extern const char kElementwiseText[], kElementwiseLoopsText[], kElementwiseBlocksText[];
extern const char kReductionText[], kReductionLoopsText[], kReductionBlocksText[];
extern const char kScanText[], kScanLoopsText[], kScanBlocksText[];

class Text {
 public:
  Text& add(const char* text, ...) __attribute__((format(printf, 2, 3)));
  Text& raw(const std::string& text) {
    out_ += text;
    return *this;
  }
  // Adds the user's text, with line numbers of its own.
  Text& user(const std::string& text, const std::string& what);
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// The properties for which a variant is compiled.
struct Shape {
  const Declarations* declared;
  const Dtype* placeholders;
  const Access* access;   // of each parameter
  const int8_t* same_as;  // per parameter: the output that has exactly the same memory, or itself
  int32_t first, last;  // parameters [first, last) are in tenon_g_in; the loop iterates over the arrays among them that
                        // are not raw
  int32_t rank;         // axes of tenon_g_layout
  bool wide;            // 64-bit offsets and counts
  bool blocks;          // by_blocks
  bool aligned;         // whole_aligned
};
Dtype dtype_in(const Shape& shape, int32_t parameter);
// The required includes, the placeholders' typedefs, the preamble.
void write_head(Text& text, const Shape& shape, const GeneratedOptions& options, const std::string& all_user_text);
// struct tenon_g_in, tenon_g_at, tenon_g_values<V>, tenon_g_layout; tenon_g_fetch, tenon_g_decode, tenon_g_along.
void write_operands(Text& text, const Shape& shape);
// "const float & x, float & z": the parameters of the function whose body is the user's text.
std::string function_parameters(const Shape& shape);
std::string function_arguments(const Shape& shape, const char* values, const char* lane);

// The type of accumulators as C++ text: from the options, else the output's; and its dtype if it has one.
std::string accumulator_type(const Arguments& arguments, const GeneratedOptions& options, Dtype& dtype);
// The function that maps the inputs to an accumulator: tenon_g_acc tenon_g_map(in, values, lane, i, n).
void write_map(Text& text, const Shape& shape, const std::string& map, const std::string& name);

// --- host side of tenon_g_in and tenon_g_layout ---

// A parameter block: members at multiples of 16 bytes.
class ArgumentBlock {
 public:
  void put(const void* bytes, size_t size) {
    TENON_REQUIRE(used_ + 16 <= sizeof data_, TENON_ERROR_INTERNAL, "too many parameters");
    std::memcpy(data_ + used_, bytes, size);
    used_ += 16;
  }
  void pointer(const void* address) { put(&address, sizeof address); }
  void* data() { return data_; }
  uint32_t bytes() const { return uint32_t(used_); }

 private:
  alignas(16) unsigned char data_[2 * 16 * kMaxParameters];  // a table has two members
  size_t used_ = 0;
};
void fill_in(const Arguments& arguments, int32_t first, int32_t last, const Loop& loop, ArgumentBlock& block);

class LayoutBlock {
 public:
  LayoutBlock(const Loop& loop);
  void* data() { return words_; }
  uint32_t bytes() const { return bytes_; }

 private:
  uint32_t bytes_;
  alignas(16) int64_t words_[kMaxParameterBytes / 8];
};

// The addresses of one launch's arguments: the two blocks above, numbers and pointers.
template <size_t N> class Launch {
 public:
  template <class... T> explicit Launch(T&... values)
      : values_{address(values)...}, shapes_{ValueShape{bytes(values)}...} {}
  operator Values() const { return {values_, shapes_, uint32_t(N)}; }

 private:
  static void* address(ArgumentBlock& block) { return block.data(); }
  static void* address(LayoutBlock& block) { return block.data(); }
  template <class T> static void* address(T& value) { return &value; }
  static uint32_t bytes(const ArgumentBlock& block) { return block.bytes(); }
  static uint32_t bytes(const LayoutBlock& block) { return block.bytes(); }
  template <class T> static uint32_t bytes(const T&) { return sizeof(T); }

  void* values_[N];
  ValueShape shapes_[N];
};
template <class... T> Launch(T&...) -> Launch<sizeof...(T)>;

// --- variants ---

struct Key {
  Device* device;
  uint32_t head[3];
  uint32_t operands;
  uint32_t operand[kMaxParameters];  // only the first `operands` are used
  bool operator==(const Key& other) const {
    return operands == other.operands &&
           std::memcmp(this, &other, offsetof(Key, operand) + operands * sizeof(uint32_t)) == 0;
  }
};

struct Variant {
  Key key;
  Ref<Context> context;  // declared before the module, which needs the context's device
  Ref<Module> module;
};

class Variants {
 public:
  // Finds the variant, or compiles the text of write(); `kernels` are the module's kernels, in order.
  template <class Write> Module& get(const Key& key, const GeneratedOptions& options,
                                     std::initializer_list<const char*> kernels, Stream& stream, Write&& write) {
    if (Variant* last = last_.load(std::memory_order_acquire); last && last->key == key) return *last->module;
    if (Module* found = find(key)) return *found;
    Module* made = nullptr;
    stream.beside_capture("a kernel must be compiled for arrays like these",
                          [&] { made = &make(key, options, kernels, write()); });
    return *made;
  }

 private:
  Module* find(const Key& key);
  Module& make(const Key& key, const GeneratedOptions& options, std::initializer_list<const char*> kernels,
               std::string source);
  std::atomic<Variant*> last_{nullptr};  // the one used last: most callers use one variant repeatedly
  std::shared_mutex mutex_;
  std::vector<std::unique_ptr<Variant>> all_;  // never removed
};

// The largest array among the first `count` arguments, by its number in the loop; the loops follow its order of axes.
int32_t largest_operand(const Arguments& arguments, int32_t count);

// Whether the kernel is written for blocks of threads, as for a GPU, or as plain loops for the CPU. The compile option
// -DTENON_GENERATED_BLOCKS makes the CPU run the blocks, so that they can be tested without a GPU.
bool by_blocks(const Device& device, const GeneratedOptions& options);

inline int64_t parts(int64_t n, int64_t of) { return (n + of - 1) / of; }
inline int64_t round_up(int64_t n, int64_t to) { return parts(n, to) * to; }
// A 1-D grid of blocks, split over two axes if one is too short.
Geometry line_of_blocks(int64_t blocks, uint32_t block_x, uint32_t block_y = 1);

// Device memory for one launch.
class Scratch {
 public:
  Scratch(Device& device, uint64_t bytes, Stream& stream);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  void* data() const { return data_; }

 private:
  Device& device_;
  Stream& stream_;
  uint64_t bytes_;
  void* data_;
  Ref<Buffer> recorded_;  // on a recording stream: the graph keeps it
};

// The number of elements of a vector access: 16 bytes of the smallest dtype, fewer if an address, a stride of an outer
// axis or the use of registers requires it.
int32_t vector_length(const Arguments& arguments, int32_t first, int32_t last, const Loop& loop, const Access* access,
                      int32_t inner);

}  // namespace tenon::generate
