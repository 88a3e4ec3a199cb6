// tests/kernels/programs/waits_test.cpp: random kernels of warp operations and barriers, some of them divergent,
// against lanes that are computed here one statement after the other. Those of barriers alone run with stacks for their
// threads and without.
#include <array>
#include <functional>
#include <random>
#include "../runner.hpp"

namespace {

using namespace test;

constexpr uint32_t kFull = 0xffffffff;

// The threads of a block, all at the same statement. A statement changes v and w of the threads that participate.
struct Threads {
  std::vector<uint32_t> v, w;
  std::vector<bool> alive;

  explicit Threads(uint32_t count) : v(count), w(count), alive(count, true) {}
  uint32_t count() const { return uint32_t(v.size()); }
};

// The statement as CUDA C, and its effect.
class Program {
 public:
  enum Kind { of_all, of_barriers, of_whole_warps };  // the last one: all lanes meet, at one place in the text
  explicit Program(uint32_t seed, Kind kind = of_all) : random_(seed), whole_(kind == of_whole_warps) {
    const int statements = 6 + int(draw(12));
    for (int i = 0; i < statements; ++i) kind == of_barriers ? add_barrier(i) : add(i);
  }

  std::string text(const std::string& name = "k") const {
    return "extern \"C\" __global__ void " + name +
           "(unsigned* out) {\n  extern __shared__ unsigned s[];\n"
           "  const unsigned t = threadIdx.x + blockDim.x * threadIdx.y, n = blockDim.x * blockDim.y, lane = t % 32;\n"
           "  unsigned v = t * 2654435761u + blockIdx.x, w = t ^ 0x9e3779b9u;\n" +
           text_ + "  out[(blockIdx.x * n + t) * 2] = v;\n  out[(blockIdx.x * n + t) * 2 + 1] = w;\n}\n";
  }
  // The declarations that the statements use.
  static std::string declarations() {
    return R"(struct Tile {
  unsigned cell[2][3];
  __device__ unsigned* row(unsigned r) { return cell[r]; }
};
struct Number {
  unsigned v;
  __device__ Number(unsigned v) : v(v) {}
  __device__ Number operator*(const Number& other) const { return Number(v * other.v + 1); }
  __device__ Number& operator+=(const Number& other) { v += other.v; return *this; }
};
struct View {
  const Number* of;
  __device__ unsigned value() const { return of->v; }
};
__device__ View operator+(const Number& number, int) { return View{&number}; }
struct Guard {
  unsigned* p;
  __device__ ~Guard() { *p += 1; }
};
template <class T> __device__ void exchange(T& a, T& b) { T c = a; a = b; b = c; }
)";
  }
  // Whether its threads need their own stacks, because a destructor has an effect.
  bool some_guard() const { return text_.find("Guard") != text_.npos; }
  // Some threads end before the others: CUDA does not define shuffles from these, and the checked mode stops there.
  bool some_end() const { return ended_; }
  std::vector<uint32_t> expected(uint32_t blocks, uint32_t threads) const {
    std::vector<uint32_t> out(size_t(blocks) * threads * 2, 7);
    for (uint32_t b = 0; b < blocks; ++b) {
      Threads all(threads);
      const auto store = [&](uint32_t t) {
        out[(b * threads + t) * 2] = all.v[t], out[(b * threads + t) * 2 + 1] = all.w[t];
      };
      for (uint32_t t = 0; t < threads; ++t) all.v[t] = t * 2654435761u + b, all.w[t] = t ^ 0x9e3779b9u;
      for (const auto& step : steps_) step(all, [&](uint32_t t) { all.alive[t] = false; });
      for (uint32_t t = 0; t < threads; ++t)
        if (all.alive[t]) store(t);
    }
    return out;
  }

 private:
  using End = std::function<void(uint32_t)>;
  using Step = std::function<void(Threads&, const End&)>;

  uint32_t draw(uint32_t below) { return uint32_t(random_() % below); }
  template <class... A> void line(const char* form, A... a) {
    char buffer[1024];
    snprintf(buffer, sizeof buffer, form, a...);
    text_ += "  " + std::string(buffer) + "\n";
  }
  // For each warp: what each lane of `set` reads from the lanes' previous values.
  static void each_warp(Threads& all, uint32_t set, const std::function<void(uint32_t first, uint32_t alive)>& work) {
    for (uint32_t first = 0; first < all.count(); first += 32) {
      uint32_t alive = 0;
      for (uint32_t i = 0; i < 32 && first + i < all.count(); ++i) alive |= uint32_t(all.alive[first + i]) << i;
      if (alive & set) work(first, alive & set);
    }
  }
  static Step shuffle(uint32_t set, uint32_t k, int kind, uint32_t width) {
    return [=](Threads& all, const End&) {
      each_warp(all, set, [&](uint32_t first, uint32_t here) {
        const std::vector<uint32_t> w = all.w;
        for (uint32_t i = 0; i < 32; ++i) {
          if (!(here >> i & 1)) continue;
          const uint32_t segment = i & ~(width - 1);
          uint32_t from = i;
          if (kind == 0) from = segment + (k & (width - 1));
          if (kind == 1 && i >= segment + k) from = i - k;
          if (kind == 2 && i + k < segment + width) from = i + k;
          if (kind == 3 && (i ^ k) < segment + width) from = i ^ k;
          all.v[first + i] += w[first + (here >> from & 1 ? from : i)];
        }
      });
    };
  }

  void add(int index) {
    static const char* const names[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};
    const uint32_t kind = draw(4), k = draw(32), width = 1u << (draw(3) ? 5 : draw(6));
    static constexpr uint32_t whole[] = {0, 1, 3, 4, 5, 6, 8};
    switch (whole_ ? whole[draw(7)] : draw(9)) {
      case 0:
      case 1:
        line("v += %s(0xffffffffu, w, %u, %u);", names[kind], k, width);
        steps_.push_back(shuffle(kFull, k, int(kind), width));
        break;
      case 2:  // both halves shuffle separately, at different places in the text
        line(
            "if (lane & 1) v += __shfl_xor_sync(0xaaaaaaaau, w, %u);\n  else v += __shfl_xor_sync(0x55555555u, w, %u);",
            k & ~1u, (k + 2) & 30u);
        steps_.push_back(shuffle(0xaaaaaaaa, k & ~1u, 3, 32));
        steps_.push_back(shuffle(0x55555555, (k + 2) & 30u, 3, 32));
        break;
      case 3:
        line("v ^= __ballot_sync(0xffffffffu, w & %u);", 1u << k);
        steps_.push_back([=](Threads& all, const End&) {
          each_warp(all, kFull, [&](uint32_t first, uint32_t here) {
            uint32_t votes = 0;
            for (uint32_t i = 0; i < 32; ++i) votes |= uint32_t(here >> i & 1 && all.w[first + i] >> k & 1) << i;
            for (uint32_t i = 0; i < 32; ++i)
              if (here >> i & 1) all.v[first + i] ^= votes;
          });
        });
        break;
      case 4:
        line("w += __reduce_add_sync(0xffffffffu, v);");
        steps_.push_back([](Threads& all, const End&) {
          each_warp(all, kFull, [&](uint32_t first, uint32_t here) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < 32; ++i) sum += here >> i & 1 ? all.v[first + i] : 0;
            for (uint32_t i = 0; i < 32; ++i)
              if (here >> i & 1) all.w[first + i] += sum;
          });
        });
        break;
      case 5:  // each thread takes a different time
        line("for (unsigned j = 0; j < (lane * %u & 7); ++j) { w = w * 5 + j; if (w & 8) v += 3; }\n  __syncwarp();",
             k | 1);
        steps_.push_back([=](Threads& all, const End&) {
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t])
              for (uint32_t j = 0; j < (t % 32 * (k | 1) & 7); ++j) {
                all.w[t] = all.w[t] * 5 + j;
                if (all.w[t] & 8) all.v[t] += 3;
              }
        });
        break;
      case 6: {
        line("s[t] = v;\n  __syncthreads();\n  w += s[(t + %u) %% n];\n  __syncthreads();", k);
        steps_.push_back([=, this](Threads& all, const End&) {
          const std::vector<uint32_t> s = stored(all);
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t]) all.w[t] += s[(t + k) % all.count()];
        });
        break;
      }
      case 7:
        line("v += __syncthreads_count(w & %u);", 1u << k);
        steps_.push_back([=](Threads& all, const End&) {
          uint32_t votes = 0;
          for (uint32_t t = 0; t < all.count(); ++t) votes += all.alive[t] && all.w[t] >> k & 1;
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t]) all.v[t] += votes;
        });
        break;
      default:  // some end; shared memory keeps what they wrote
        if (ended_ || index < 4) break;
        ended_ = true;
        line("s[t] = v;\n  __syncthreads();\n  if (t %% %u == 1) return;", k + 3);
        steps_.push_back([=, this](Threads& all, const End& end) {
          all_stored_ = all.v;
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t] && t % (k + 3) == 1) end(t);
        });
        break;
    }
  }
  // All threads write v, and then each live thread uses the stored values.
  template <class Work> static Step exchange(const Program* program, Work work) {
    return [=](Threads& all, const End&) {
      const std::vector<uint32_t> s = program->stored(all);
      for (uint32_t t = 0; t < all.count(); ++t)
        if (all.alive[t]) work(all, s, t);
    };
  }
  // Barriers of the form that needs no stacks: variables of the thread and of the block that live across them, loops,
  // branches that all threads take, returns.
  void add_barrier(int i) {
    const uint32_t k = draw(32);
    switch (draw(16)) {
      case 9:  // rows of a struct's array
        line(
            "Tile a_%d;\n  unsigned (*rows_%d)[3] = a_%d.cell, *mine_%d = a_%d.row(1);\n  for (unsigned j = 0; j < 6; ++j) a_%d.cell[j / 3][j %% 3] = v + j * %u;\n"
            "  s[t] = w;\n  __syncthreads();\n  mine_%d[t %% 3] += s[(t + %u) %% n];\n  rows_%d[0][2] ^= s[t];\n  __syncthreads();\n"
            "  v += a_%d.cell[1][0] + a_%d.cell[1][1] * 3 + mine_%d[2] * 5 + a_%d.cell[0][2];",
            i, i, i, i, i, i, k, i, k, i, i, i, i, i);
        steps_.push_back([=, this](Threads& all, const End&) {
          const std::vector<uint32_t> s = stored(all, all.w);
          for (uint32_t t = 0; t < all.count(); ++t) {
            if (!all.alive[t]) continue;
            uint32_t cell[6];
            for (uint32_t j = 0; j < 6; ++j) cell[j] = all.v[t] + j * k;
            cell[3 + t % 3] += s[(t + k) % all.count()];
            cell[2] ^= s[t];
            all.v[t] += cell[3] + cell[4] * 3 + cell[5] * 5 + cell[2];
          }
        });
        break;
      case 10:  // two buffers in registers, exchanged
        line(
            "unsigned regs_%d[2][2], *a_%d = regs_%d[0], *b_%d = regs_%d[1];\n  a_%d[0] = v;\n  a_%d[1] = w;\n  for (int r_%d = 0; r_%d < 3; ++r_%d) {\n"
            "    s[t] = a_%d[0];\n    __syncthreads();\n    b_%d[0] = a_%d[1] + s[(t + 1) %% n];\n    b_%d[1] = a_%d[0] * %u;\n    __syncthreads();\n"
            "    unsigned* c = a_%d;\n    a_%d = b_%d;\n    b_%d = c;\n  }\n  v = a_%d[0];\n  w = a_%d[1];",
            i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, k, i, i, i, i, i, i);
        steps_.push_back([=, this](Threads& all, const End&) {
          for (int round = 0; round < 3; ++round) {
            const std::vector<uint32_t> s = stored(all);
            for (uint32_t t = 0; t < all.count(); ++t) {
              if (!all.alive[t]) continue;
              const uint32_t first = all.v[t];
              all.v[t] = all.w[t] + s[(t + 1) % all.count()];
              all.w[t] = first * k;
            }
          }
        });
        break;
      case 11:  // objects with operators, and one to which an operator's result points
        line(
            "Number m_%d(v), q_%d = w;\n  const View seen_%d = q_%d + 1;\n  Number& same_%d = m_%d;\n  same_%d += 1;\n  s[t] = v;\n  __syncthreads();\n"
            "  m_%d += Number(s[(t + %u) %% n]) * q_%d;\n  q_%d = q_%d * *seen_%d.of;\n  __syncthreads();\n  v = m_%d.v;\n  w += seen_%d.value();",
            i, i, i, i, i, i, i, i, k, i, i, i, i, i, i);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          all.v[t] += 1 + s[(t + k) % all.count()] * all.w[t] + 1;
          all.w[t] += all.w[t] * all.w[t] + 1;
        }));
        break;
      case 12:  // a lambda, references to variables
        line(
            "s[t] = v;\n  __syncthreads();\n  auto near_%d = [&](unsigned d) { return s[(t + d) %% n] + w; };\n  w = near_%d(1) - near_%d(%u);\n  exchange(v, w);\n  __syncthreads();",
            i, i, i, k);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          const uint32_t w = s[(t + 1) % all.count()] - s[(t + k) % all.count()];
          all.w[t] = all.v[t];
          all.v[t] = w;
        }));
        break;
      case 13:  // atomics on shared memory
        line(
            "s[t] = 0;\n  __syncthreads();\n  atomicAdd(&s[t * 3 %% n], v & 255);\n  __syncthreads();\n  w += s[t];\n  __syncthreads();");
        steps_.push_back([=, this](Threads& all, const End&) {
          std::vector<uint32_t> s = stored(all, std::vector<uint32_t>(all.count()));
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t]) s[t * 3 % all.count()] += all.v[t] & 255;
          all_stored_ = s;
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t]) all.w[t] += s[t];
        });
        break;
      case 14:  // an object whose destructor has an effect
        line(
            "{\n    Guard guard{&v};\n    s[t] = v;\n    __syncthreads();\n    w += s[(t + %u) %% n];\n    __syncthreads();\n  }",
            k);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          all.w[t] += s[(t + k) % all.count()];
          all.v[t] += 1;
        }));
        break;
      case 15:  // the address of one of two
        line(
            "unsigned* one_%d = &(t %% %u ? v : w);\n  s[t] = v;\n  __syncthreads();\n  *one_%d += s[(t + 5) %% n];\n  __syncthreads();",
            i, k | 1, i);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          (t % (k | 1) ? all.v : all.w)[t] += s[(t + 5) % all.count()];
        }));
        break;
      case 0:
        line(
            "unsigned own_%d = w * %u;\n  s[t] = v;\n  __syncthreads();\n  w ^= own_%d + s[n - 1 - t];\n  __syncthreads();\n  v += own_%d;",
            i, k, i, i);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          const uint32_t own = all.w[t] * k;
          all.w[t] ^= own + s[all.count() - 1 - t], all.v[t] += own;
        }));
        break;
      case 1:
        line(
            "for (unsigned d_%d = 1; d_%d < n; d_%d *= 2) {\n    s[t] = v;\n    __syncthreads();\n    if (t >= d_%d) v += s[t - d_%d];\n    __syncthreads();\n  }",
            i, i, i, i, i);
        steps_.push_back([=, this](Threads& all, const End&) {
          for (uint32_t d = 1; d < all.count(); d *= 2) {
            const std::vector<uint32_t> s = stored(all);
            for (uint32_t t = d; t < all.count(); ++t)
              if (all.alive[t]) all.v[t] += s[t - d];
          }
        });
        break;
      case 2:
        line(
            "unsigned turn_%d = n + %u;\n  s[t] = v;\n  while (turn_%d > 3) {\n    __syncthreads();\n    w += s[(t + turn_%d) %% n] * turn_%d;\n    turn_%d /= 3;\n  }\n  __syncthreads();\n  w += turn_%d;",
            i, k, i, i, i, i, i);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          uint32_t turn = all.count() + k;
          for (; turn > 3; turn /= 3) all.w[t] += s[(t + turn) % all.count()] * turn;
          all.w[t] += turn;
        }));
        break;
      case 3:
        line(
            "unsigned a_%d[3] = {v, w, t}, *p_%d = a_%d + t %% 3;\n  s[t] = v;\n  __syncthreads();\n  *p_%d += s[(t * 3) %% n];\n  __syncthreads();\n  w += a_%d[0] + a_%d[1] * 5 + a_%d[%u];",
            i, i, i, i, i, i, i, k % 3);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          uint32_t a[3] = {all.v[t], all.w[t], t};
          a[t % 3] += s[t * 3 % all.count()];
          all.w[t] += a[0] + a[1] * 5 + a[k % 3];
        }));
        break;
      case 4:
        line(
            "if (n > %u) {\n    s[t] = v;\n    __syncthreads();\n    w -= s[(t + 1) %% n];\n  } else {\n    w += %u;\n  }\n  __syncthreads();",
            1 + k * 4, k);
        steps_.push_back([=, this](Threads& all, const End&) {
          const bool taken = all.count() > 1 + k * 4;
          const std::vector<uint32_t> s = taken ? stored(all) : std::vector<uint32_t>(all.count());
          for (uint32_t t = 0; t < all.count(); ++t)
            if (all.alive[t]) all.w[t] += taken ? -s[(t + 1) % all.count()] : k;
        });
        break;
      case 5:
        line("for (unsigned j = 0; j < (t * %u & 7); ++j) { w = w * 5 + j; if (w & 8) continue; v += 3; }", k | 1);
        steps_.push_back([=](Threads& all, const End&) {
          for (uint32_t t = 0; t < all.count(); ++t)
            for (uint32_t j = 0; all.alive[t] && j < (t * (k | 1) & 7); ++j) {
              all.w[t] = all.w[t] * 5 + j;
              if (!(all.w[t] & 8)) all.v[t] += 3;
            }
        });
        break;
      case 6:
      case 7:
        if (i < 3 || draw(2)) break;
        ended_ = true;
        line(draw(2) ? "s[t] = v;\n  __syncthreads();\n  if (t %% %u == 1) return;"
                     : "s[t] = v;\n  __syncthreads();\n  if (s[t] %% %u == 1) return;",
             k + 3);
        steps_.push_back(
            [=, this, by_value = text_.find("s[t] %", text_.size() - 25) != text_.npos](Threads& all, const End& end) {
              (void)stored(all);
              for (uint32_t t = 0; t < all.count(); ++t)
                if (all.alive[t] && (by_value ? all.v[t] : t) % (k + 3) == 1) end(t);
            });
        break;
      default:
        line("s[t] = v;\n  __syncthreads();\n  w += s[(t + %u) %% n];\n  __syncthreads();", k);
        steps_.push_back(exchange(this, [=](Threads& all, const std::vector<uint32_t>& s, uint32_t t) {
          all.w[t] += s[(t + k) % all.count()];
        }));
    }
  }
  // The contents of shared memory after the live threads have written v.
  const std::vector<uint32_t>& stored(const Threads& all) const { return stored(all, all.v); }
  const std::vector<uint32_t>& stored(const Threads& all, const std::vector<uint32_t>& values) const {
    all_stored_.resize(all.count());
    for (uint32_t t = 0; t < all.count(); ++t)
      if (all.alive[t]) all_stored_[t] = values[t];
    return all_stored_;
  }

  std::mt19937 random_;
  const bool whole_;
  std::string text_;
  std::vector<Step> steps_;
  bool ended_ = false;
  mutable std::vector<uint32_t> all_stored_;
};

// TENON_RANDOM_PROGRAMS: another number of programs, for a single run.
uint32_t programs(uint32_t usual) {
  const char* many = getenv("TENON_RANDOM_PROGRAMS");
  return many ? uint32_t(atoi(many)) : usual;
}

class Waits : public testing::TestWithParam<Machine> {
 protected:
  // Other programs with each machine.
  static uint32_t first_seed(uint32_t first) { return first + 1000 * number_of(GetParam()); }
};

TEST_P(Waits, RandomProgramsDoWhatTheirStatementsSay) {
  Runner runner(GetParam());
  if (const std::string missing = runner.missing(); !missing.empty()) GTEST_SKIP() << missing;
  uint32_t in_regions = 0;
  const uint32_t first = first_seed(1), count = programs(6);
  for (uint32_t seed = first; seed < first + count; ++seed) {
    const Program program(seed, seed % 2 ? Program::of_whole_warps : Program::of_all);
    if (program.some_end() && (runner.checked() || !runner.on_cpu())) continue;
    ASSERT_EQ(TENON_OK, runner.compile(program.text(), {"k"})) << tenon_error_last_message() << "\n"
                                                               << Runner::last_log() << program.text();
    in_regions += runner.execution("k") == kRegions;
    for (const std::array<uint32_t, 2>& shape :
         {std::array<uint32_t, 2>{32, 1}, {1, 1}, {20, 1}, {64, 1}, {48, 3}, {256, 4}}) {
      const uint32_t blocks = 5, threads = shape[0] * shape[1];
      if ((runner.checked() || !runner.on_cpu()) && threads % 32) continue;  // nor from lanes that do not exist
      const ArrayPtr out = runner.put(std::vector<uint32_t>(size_t(blocks) * threads * 2, 7));
      runner.run("k", Grid{{blocks, 1, 1}, {shape[0], shape[1], 1}, threads * 4}, out);
      ASSERT_EQ(runner.get<uint32_t>(out), program.expected(blocks, threads))
          << "seed " << seed << ", block " << shape[0] << "x" << shape[1] << "\n"
          << program.text();
    }
  }
  if (runner.on_cpu() && GetParam().mode == TENON_PROGRAM_MODE_FAST) {
    EXPECT_GE(in_regions, count / 3);
  }
}

// So a block that waits for the one before it does not wait for all that its host thread has before that.
TEST_P(Waits, BlocksThatMayWaitBeginInTheirOrder) {
  Runner runner(GetParam());
  if (const std::string missing = runner.missing(); !missing.empty()) GTEST_SKIP() << missing;
  if (!runner.on_cpu()) GTEST_SKIP() << "a GPU has an order of its own";
  constexpr uint32_t kBlocks = 3000, kMostAtOnce = 8;
  struct Threads {
    explicit Threads(int32_t count) { EXPECT_EQ(TENON_OK, tenon_cpu_threads_set(count)); }
    ~Threads() { tenon_cpu_threads_set(0); }
  } threads(kMostAtOnce);
  ASSERT_EQ(TENON_OK, runner.compile(R"(
extern "C" __global__ void k(volatile unsigned* place, unsigned* begun, unsigned work) {
  if (threadIdx.x == 0) place[blockIdx.x] = atomicAdd(begun, 1u);
  __syncthreads();
  unsigned v = threadIdx.x;
  for (unsigned i = 0; i < work; ++i) v = v * 1664525u + 1013904223u;
  if (v == 12345u) place[0] = v;
})",
                                     {"k"}))
      << Runner::last_log();
  const ArrayPtr place = runner.put(std::vector<uint32_t>(kBlocks)), begun = runner.put(std::vector<uint32_t>(1));
  runner.run("k", Grid{{kBlocks, 1, 1}, {32, 1, 1}}, place, begun, 500u);
  const std::vector<uint32_t> at = runner.get<uint32_t>(place);
  for (uint32_t block = 0; block < kBlocks; ++block) ASSERT_GE(at[block] + kMostAtOnce, block + 1) << block;
}

TEST_P(Waits, RandomProgramsOfBarriersDoTheSameEitherWay) {
  Runner regions(GetParam()), stacks(GetParam());
  if (const std::string missing = regions.missing(); !missing.empty()) GTEST_SKIP() << missing;
  uint32_t some_ended = 0, in_regions = 0;
  const uint32_t first = first_seed(101), count = programs(9);
  for (uint32_t seed = first; seed < first + count; ++seed) {
    const Program program(seed, Program::of_barriers), other(seed);  // every second one is not alone
    const bool alone = seed % 2;
    some_ended += program.some_end();
    const bool defined_only =
        regions.checked() || !regions.on_cpu();  // no shuffle from a lane that has ended or does not exist
    if ((program.some_end() || (!alone && other.some_end())) && defined_only) continue;
    const std::string source = Program::declarations() + program.text() + (alone ? "" : other.text("other"));
    const std::vector<const char*> names =
        alone ? std::vector<const char*>{"k"} : std::vector<const char*>{"k", "other"};
    ASSERT_EQ(TENON_OK, regions.compile(source, names)) << tenon_error_last_message() << "\n"
                                                        << Runner::last_log() << source;
    ASSERT_EQ(TENON_OK, stacks.compile(source, names, {"-DTENON_PLAIN_BARRIERS"})) << tenon_error_last_message();
    if (regions.on_cpu() && GetParam().mode == TENON_PROGRAM_MODE_FAST &&
        program.text().find("__syncthreads") != std::string::npos) {
      if (program.some_guard()) {
        EXPECT_NE(regions.execution("k"), kRegions) << source;
      }
      EXPECT_NE(stacks.execution("k"), kRegions);
      in_regions += regions.execution("k") == kRegions;
    }
    for (const std::array<uint32_t, 2>& shape :
         {std::array<uint32_t, 2>{32, 1}, {1, 1}, {20, 1}, {64, 1}, {48, 3}, {256, 4}}) {
      const uint32_t blocks = 5, threads = shape[0] * shape[1];
      if (defined_only && threads % 32) continue;
      for (Runner* runner : {&regions, &stacks})
        for (const char* name : names) {
          const ArrayPtr out = runner->put(std::vector<uint32_t>(size_t(blocks) * threads * 2, 7));
          runner->run(name, Grid{{blocks, 1, 1}, {shape[0], shape[1], 1}, threads * 4}, out);
          ASSERT_EQ(runner->get<uint32_t>(out), (name == names[0] ? program : other).expected(blocks, threads))
              << (runner == &stacks ? "stacks, " : "regions, ") << name << ", seed " << seed << ", block " << shape[0]
              << "x" << shape[1] << "\n"
              << source;
        }
    }
  }
  if (count < 9) return;
  EXPECT_GT(some_ended, 0u);
  EXPECT_LT(some_ended, count);
  if (regions.on_cpu() && GetParam().mode == TENON_PROGRAM_MODE_FAST) {
    EXPECT_GT(in_regions, count / 16);
  }
}

// The debug mode runs every text as written, and so do g++'s reverse order and checks where clang's do.
bool differs(const Machine& machine) {
  const std::string name = machine.name;
  return name != "clang_debug" && name != "gcc_reverse" && name != "gcc_check";
}
std::vector<Machine> machines() {
  std::vector<Machine> out;
  std::copy_if(std::begin(all_machines), std::end(all_machines), std::back_inserter(out), differs);
  return out;
}
INSTANTIATE_TEST_SUITE_P(On, Waits, testing::ValuesIn(machines()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
