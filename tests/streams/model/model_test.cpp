// tests/streams/model/model_test.cpp: random programs of two libraries on one device, against a model that knows every
// value.
//
// A program is a list of steps, each of four random numbers that are reduced modulo the number of choices, so that any
// part of the list is a program, too: a failing program is shrunk by leaving out steps, and printed. The steps are
// executed one after another, each by one of three threads. What must hold: no two operations touch the same bytes
// without an order (the fake driver checks this), no call is one that CUDA forbids, every array has its value, a lent
// tensor comes back once and with no work pending, and nothing is left at the end.
//
//     TENON_MODEL_PROGRAMS=100000 TENON_MODEL_SEED=7 streams_model    many programs, from this seed on
//     TENON_MODEL_WITHOUT=captures,failures,fork,per_thread,kinds     leaves kinds of steps, streams and memory out
#include <sys/wait.h>
#include <unistd.h>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include "../support.hpp"

namespace streams {
namespace {

struct Step {
  uint32_t what, a, b, c;
};
using Program = std::vector<Step>;

uint64_t number_from(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}
bool without(const char* kind) {
  const char* text = std::getenv("TENON_MODEL_WITHOUT");
  return text && std::string(text).find(kind) != std::string::npos;
}

// A thread that executes work while the giver waits.
class Worker {
 public:
  Worker() : thread_([this] { loop(); }) {}
  ~Worker() {
    run({});
    thread_.join();
  }
  void run(const std::function<void()>& work) {
    std::unique_lock lock(mutex_);
    work_ = &work;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !work_; });
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (bool more = true; more;) {
      changed_.wait(lock, [&] { return work_; });
      if (*work_) (*work_)();
      else more = false;
      work_ = nullptr;
      changed_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  std::thread thread_;
};

constexpr int kThreads = 3, kDevices = 2;
constexpr size_t kSizes[] = {16, 300, 20000};

struct Array {
  test::ArrayPtr array;
  float value = 0;
  bool known = true;    // its value is known; a failed call may have written it or not
  bool inside = false;  // made in a capture whose graph has not run yet
  bool writable = true;
  int device = 0;
  size_t count = 0;
  float* data = nullptr;
  int lent_out = 0;  // to the other library
  bool being_written = false;
};
using ArrayRef = std::shared_ptr<Array>;

enum class Kind { standard, own, plain, blocking, legacy, per_thread };
struct Place {  // a stream on which work can be enqueued
  Kind kind;
  int device;
  test::StreamPtr own, kept;  // `kept`: a wrapper that is not released
  std::unique_ptr<OtherStream> other;
  int borrowed = 0;    // by exports to it
  int stands_for = 0;  // imports that are ready there
  void* native() const {
    return kind == Kind::legacy ? kLegacy : kind == Kind::per_thread ? kPerThread : other ? other->native() : nullptr;
  }
  bool foreign() const { return kind >= Kind::plain; }
};

struct Loan {  // an array that the other library holds
  ArrayRef array;
  DLManagedTensorVersioned* tensor;
  Place* place;
  int thread;
};
struct Effect {  // the effect of a graph's node
  ArrayRef to, from;
  float number;
  enum { add, scale, copy } kind;
  void apply() const {
    const Array& source = kind == scale ? *to : *from;
    to->known = source.known && !source.inside;  // inside: the graph that writes it has not run
    to->value = kind == add ? from->value + number : kind == scale ? to->value * number : from->value;
    to->inside = false;
  }
};
struct OtherGraph {
  std::unique_ptr<OtherCapture> capture;
  Place* place = nullptr;
  std::vector<Place*> joined;  // by events
  bool has(const Place* one) const {
    return one == place || std::find(joined.begin(), joined.end(), one) != joined.end();
  }
  std::vector<Effect> effects;
  std::set<Array*> made;        // within the capture: memory of the graph
  std::vector<ArrayRef> alive;  // so that addresses in `made` are not reused
};
struct OwnGraph {
  tenon_graph* graph;
  int device;
  std::vector<Effect> effects;
};
struct Seen {  // a copy by the other library, compared at the end
  float* data;
  float value;
  size_t count;
};

class Model {
 public:
  Model(const Program& program, uint64_t seed, std::ostream* trace) : program_(program), seed_(seed), trace_(trace) {}

  // The error; empty: none.
  std::string run() {
    FakeCuda& f = *fake_cuda();
    f.fail_at = f.sticky = 0, f.lazy = true, f.seed = 0;
    fake_cuda_forget();
    f.misuses = f.races = 0;
    const std::string before = left();
    for (int i = 0; i < kThreads; ++i) workers_.push_back(std::make_unique<Worker>());
    open();
    f.seed = seed_ % 2 ? seed_ : 0;
    for (size_t i = 0; i < program_.size() && error_.empty(); ++i) {
      if (trace_)
        *trace_ << "  " << i << ": {" << program_[i].what << ", " << program_[i].a << ", " << program_[i].b << ", "
                << program_[i].c << "} ";
      step(program_[i]);
      if (trace_) *trace_ << "\n";
      judge("step " + std::to_string(i));
    }
    f.fail_at = 0;
    finish();
    workers_.clear();
    Streams::collect_the_rest();
    judge("the end");
    for (const Lent& one : lent_) {
      if (one.returned != 1) wrong("a tensor came back " + std::to_string(one.returned) + " times");
    }
    if (left() != before) wrong("left: " + left() + ", before: " + before);
    places_.clear();
    f.seed = 0;
    fake_cuda_forget();
    return error_;
  }

 private:
  static std::string left() {
    const FakeCuda& f = *fake_cuda();
    std::ostringstream out;
    out << "streams " << f.streams << " events " << f.events << " modules " << f.modules << " pools " << f.pools
        << " host " << f.host_blocks << " graphs " << f.graphs << " objects " << f.user_objects;
    return out.str();
  }
  void wrong(const std::string& text) {
    if (error_.empty()) error_ = text;
  }
  void judge(const std::string& where) {
    const FakeCuda& f = *fake_cuda();
    if (f.races) wrong(where + ": " + f.race);
    if (f.misuses) wrong(where + ": " + f.misuse);
    for (const Lent& one : lent_)
      if (!one.pending.empty()) wrong(where + ": a tensor was given back while this was not done: " + one.pending);
  }
  void say(const std::string& text) {
    if (trace_) *trace_ << text << " ";
  }
  // Checks that the call succeeded; a call that was made to fail, or that a capture refuses, may report that.
  bool fine(int32_t status, bool may_refuse = false) {
    if (status == TENON_OK) return true;
    say(std::string("-> ") + tenon_error_last_message());
    if (failing_ && status != TENON_ERROR_DEVICE_LOST && status != TENON_ERROR_INTERNAL) return false;
    if (may_refuse && status == TENON_ERROR_UNSUPPORTED) return false;
    wrong(std::string("a call failed: ") + tenon_error_last_message());
    return false;
  }

  void open() {
    tenon_context_options options{};
    options.struct_size = sizeof options;
    options.cache_mode = TENON_CACHE_OFF;
    tenon_context* made = nullptr;
    fine(tenon_context_create(&options, &made));
    context_.reset(made);
    for (int d = 0; d < kDevices; ++d) {
      {
        Outside outside(d);
      }
      devices_[d] = test::device(d ? "cuda:1" : "cuda:0", made);
      tenon_program_options wanted{};
      wanted.struct_size = sizeof wanted;
      const char* names[] = {"scale", "add_to"};
      wanted.kernels = names, wanted.kernel_count = 2;
      wanted.flags = TENON_PROGRAM_FLAG_NO_CACHE;
      tenon_program* program = nullptr;
      const std::string source = "// kernels of the fake driver\n";
      fine(tenon_program_create(devices_[d].get(), source.data(), source.size(), &wanted, &program));
      programs_[d].reset(program);
      tenon_kernel* kernel = nullptr;
      fine(tenon_program_kernel(program, "scale", &kernel));
      scale_[d].reset(kernel);
      fine(tenon_program_kernel(program, "add_to", &kernel));
      add_[d].reset(kernel);
      place(Kind::standard, d);
      place(Kind::own, d);
      place(Kind::own, d);
      place(Kind::plain, d);
      place(Kind::plain, d);
      place(Kind::blocking, d);
      place(Kind::legacy, d);
      if (!without("per_thread")) place(Kind::per_thread, d);
      ArrayRef first = create(d, kSizes[0], 1, nullptr),
               second = create(d, kSizes[0], 1, nullptr);  // objects that are created on first use exist
      if (!first || !second) continue;
      add(*second, *first, 1, nullptr);
      scale(*second, 1, nullptr);
      check(*second, nullptr);
    }
  }

  void finish() {
    failing_ = false;
    if (open_) end_with_made();
    for (Loan& loan : loans_) return_loan(loan, loan.thread);
    loans_.clear();
    graphs_.clear();
    for (OwnGraph& graph : own_graphs_) tenon_graph_release(graph.graph);
    own_graphs_.clear();
    fake_cuda_settle();
    for (const auto& device : devices_)
      if (error_.empty()) fine(tenon_device_synchronize(device.get()));  // what destructors of user objects left to do
    if (error_.empty())
      for (const ArrayRef& array : arrays_) check(*array, nullptr);
    const bool from_behind = seed_ % 3 == 0;
    while (!arrays_.empty()) {
      const ArrayRef array = from_behind ? arrays_.back() : arrays_.front();
      arrays_.erase(from_behind ? arrays_.end() - 1 : arrays_.begin());
      on_thread(int(arrays_.size() % kThreads), [&] { array->array = nullptr; });
    }
    for (const auto& place : places_) place->kept = nullptr, place->own = nullptr;
    for (int d = 0; d < kDevices; ++d) {
      if (error_.empty()) fine(tenon_device_synchronize(devices_[d].get()));
      scale_[d] = nullptr, add_[d] = nullptr, programs_[d] = nullptr, devices_[d] = nullptr;
    }
    context_ = nullptr;
    for (int d = 0; d < kDevices; ++d) {
      Outside outside(d);
      cuCtxSynchronize();
    }
    for (const Seen& one : seen_)
      if (one.data[0] != one.value || one.data[one.count - 1] != one.value)
        wrong("the other library read " + std::to_string(one.data[0]) + ", right: " + std::to_string(one.value));
  }

  // ---- parts

  void on_thread(int thread, const std::function<void()>& work) { workers_[size_t(thread)]->run(work); }
  Place& place(Kind kind, int device) {
    auto made = std::make_unique<Place>();
    made->kind = kind, made->device = device;
    if (kind == Kind::own) {
      tenon_stream* stream = nullptr;
      if (fine(tenon_stream_create(devices_[device].get(), nullptr, &stream))) made->own.reset(stream);
    }
    if (kind == Kind::plain || kind == Kind::blocking)
      made->other = std::make_unique<OtherStream>(kind == Kind::blocking, device);
    places_.push_back(std::move(made));
    return *places_.back();
  }
  bool usable(const Place& place) const { return place.kind != Kind::own || place.own; }
  Place* pick_place(uint32_t number, int device) {
    std::vector<Place*> some;
    for (const auto& place : places_)
      if (place->device == device && usable(*place)) {
        // While a blocking stream is captured, the legacy stream cannot be used; and it is never captured.
        some.push_back(place.get());
        if (captured(place.get())) some.insert(some.end(), 3, place.get());
      }
    return some[number % some.size()];
  }
  // A stream of the other library's.
  Place* pick_foreign(uint32_t number, int device, bool with_handle = false) {
    std::vector<Place*> some;
    for (const auto& place : places_)
      if (place->device == device && (with_handle ? place->other != nullptr : place->foreign()) &&
          !captured(place.get()))
        some.push_back(place.get());
    return some.empty() ? nullptr : some[number % some.size()];
  }
  ArrayRef pick(uint32_t number, bool to_write, int device = -1, size_t count = 0) {
    std::vector<ArrayRef> some;
    const bool within = captured(here_);
    for (const ArrayRef& array : arrays_) {
      if (device >= 0 && array->device != device) continue;
      if (count && array->count != count) continue;
      if (array->being_written || (to_write && (!array->writable || array->lent_out))) continue;
      if (array->inside && !within) continue;
      some.push_back(array);
    }
    return some.empty() ? nullptr : some[number % some.size()];
  }

  // The stream of a call, wrapped again or by the wrapper that is kept.
  struct Given {
    tenon_stream* stream = nullptr;
    test::StreamPtr wrapper;
    bool ok = true;
  };
  Given given(Place& place, uint32_t number) {
    Given out;
    if (place.kind == Kind::standard) return out;
    if (place.kind == Kind::own) return out.stream = place.own.get(), std::move(out);
    if (place.kept && number % 3) return out.stream = place.kept.get(), std::move(out);
    tenon_stream* made = nullptr;
    out.ok = fine(tenon_stream_wrap(devices_[place.device].get(), reinterpret_cast<uint64_t>(place.native()), nullptr,
                                    nullptr, &made));
    out.wrapper.reset(made);
    out.stream = made;
    if (out.ok && place.kind != Kind::per_thread && !place.kept && number % 5 == 0) {
      place.kept = std::move(out.wrapper);
    }
    return out;
  }

  ArrayRef create(int device, size_t count, float value, tenon_stream* stream, bool refused = false,
                  int32_t kind = TENON_MEMORY_DEVICE) {
    const int64_t shape = int64_t(count);
    tenon_array* made = nullptr;
    if (kind == TENON_MEMORY_DEVICE) {
      if (!fine(tenon_array_create(devices_[device].get(), TENON_FLOAT32, 1, &shape, stream, &made), refused))
        return nullptr;
    } else {
      tenon_buffer* buffer = nullptr;
      if (!fine(tenon_buffer_create(devices_[device].get(), count * 4, kind, stream, &buffer), refused)) return nullptr;
      test::BufferPtr owned(buffer);
      if (!fine(tenon_array_from_buffer(buffer, TENON_FLOAT32, 1, &shape, nullptr, 0, &made))) return nullptr;
    }
    ArrayRef out = adopt(made, device);
    out->value = value;
    out->known = fine(tenon_array_fill(made, test::number(value), stream), refused);
    return out;
  }
  ArrayRef adopt(tenon_array* made, int device) {
    auto out = std::make_shared<Array>();
    const tenon_array_info info = test::info(made);
    out->array.reset(made);
    out->device = device, out->count = size_t(info.size), out->data = static_cast<float*>(info.data);
    for (const ArrayRef& other : arrays_)
      if (other->array && out->data < other->data + other->count && other->data < out->data + out->count)
        wrong("two live arrays have the same memory");
    const auto apart = [&](const OtherGraph& graph) {
      for (const ArrayRef& other : graph.alive)
        if (out->data < other->data + other->count && other->data < out->data + out->count)
          wrong("memory of a captured graph was handed out");
    };
    for (const auto& graph : graphs_) apart(*graph);
    arrays_.push_back(out);
    return out;
  }
  int32_t try_add(Array& to, Array& from, float number, tenon_stream* stream) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    const tenon_arg args[] = {TENON_ARRAY_ARG(to.array.get()), TENON_ARRAY_ARG(from.array.get()), TENON_F32_ARG(number),
                              TENON_I32_ARG(int32_t(to.count))};
    return tenon_kernel_launch(add_[to.device].get(), &launch, args, 4, stream);
  }
  int32_t try_scale(Array& array, float number, tenon_stream* stream) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    const tenon_arg args[] = {TENON_ARRAY_ARG(array.array.get()), TENON_F32_ARG(number),
                              TENON_I32_ARG(int32_t(array.count))};
    return tenon_kernel_launch(scale_[array.device].get(), &launch, args, 3, stream);
  }
  void add(Array& to, Array& from, float number, tenon_stream* stream) {
    if (fine(try_add(to, from, number, stream))) to.value = from.value + number, to.known = from.known;
    else to.known = false;
  }
  void scale(Array& array, float number, tenon_stream* stream) {
    if (fine(try_scale(array, number, stream))) array.value *= number;
    else array.known = false;
  }
  void check(Array& array, tenon_stream* stream) {
    std::vector<float> host(array.count);
    if (!fine(tenon_array_to_host(array.array.get(), host.data(), host.size() * 4, stream))) return;
    if (!array.known || array.inside) return;
    for (const float one : host)
      if (one != array.value)
        return wrong("an array has " + std::to_string(one) + ", right: " + std::to_string(array.value));
  }
  // When floats overflow, arrays could no longer be distinguished.
  void keep_small(Array& array) {
    if (std::abs(array.value) > 1e6f) array.known = false;
  }

  // ---- captures by the other library

  bool captured(const Place* one) const { return open_ && one && open_->has(one); }
  bool begin_capture(const Step& s, int thread) {
    Place* const on = pick_foreign(s.a, int(s.b % kDevices), true);
    if (!on || on->kind == Kind::blocking) return false;
    static constexpr int modes[] = {kGlobal, kThreadLocal, kRelaxed};
    const int mode = modes[s.c % 3];
    say("capture begins on stream " + text(*on) + " mode " + std::to_string(mode));
    synchronize_all();
    open_ = std::make_unique<OtherGraph>();
    open_->place = on;
    open_thread_ = thread;
    on_thread(thread, [&] { open_->capture = std::make_unique<OtherCapture>(on->native(), mode, on->device); });
    return true;
  }
  void end_capture() {
    say("capture ends");
    for (Place* one : open_->joined) order(one->native(), open_->place->native(), one->device);
    int result = 0;
    on_thread(open_thread_, [&] { result = open_->capture->end(); });
    if (result) wrong("a capture was broken: " + std::to_string(result));
    else graphs_.push_back(std::move(open_));
    open_ = nullptr;
  }
  void synchronize_all() {
    for (int d = 0; d < kDevices; ++d) {
      Outside outside(d);
      cuCtxSynchronize();
    }
  }

  void return_loan(Loan& loan, int thread) {
    on_thread(thread, [&] { loan.tensor->deleter(loan.tensor); });
    --loan.array->lent_out;
    loan.array->being_written = false;
    --loan.place->borrowed;
  }

  static std::string text(const Place& place) {
    static const char* const names[] = {"default", "own", "plain", "blocking", "legacy", "per-thread"};
    char native[64] = "";
    if (place.other) std::snprintf(native, sizeof native, "(%p)", place.native());
    return std::string(names[int(place.kind)]) + native + "@" + std::to_string(place.device);
  }
  std::string text(const ArrayRef& array) {
    return "x" + std::to_string(std::find(arrays_.begin(), arrays_.end(), array) - arrays_.begin());
  }

  // ---- steps

  void step(const Step& s) {
    const int thread = int(s.what / 64 % kThreads);
    const bool captures = !without("captures"), failures = !without("failures");
    failing_ = failures && !open_ && s.what / 256 % 8 == 0;
    if (failing_) {
      static constexpr int codes[] = {999, 2, 900};  // not 1, by which cuPointerGetAttribute reports unknown pointers
      fake_cuda()->fail_code = codes[s.c % 3];
      fake_cuda()->fail_at = 1 + s.c / 3 % 12;
      say("[call " + std::to_string(fake_cuda()->fail_at) + " fails: " + std::to_string(fake_cuda()->fail_code) + "]");
    }
    say("thread " + std::to_string(thread));
    const uint32_t what = s.what % 64;
    if (what < 26) on_thread(thread, [&] { use(s, what); });
    else if (what < 32) drop(s, thread);
    else if (what < 38) on_thread(thread, [&] { import(s); });
    else if (what < 43) on_thread(thread, [&] { lend_out(s, thread); });
    else if (what < 48) return_one(s, thread);
    else if (what < 50) on_thread(thread, [&] { wait(s); });
    else if (what < 52) replace(s, thread);
    else if (what < 54) own_graph(s, thread);
    else if (what < 60 && captures) capture_step(s, thread);
    else if (what < 62) on_thread(thread, [&] { trim(s); });
    else if (what == 62 && !without("fork")) on_thread(thread, [&] { forked(s); });
    if (failing_ && fake_cuda()->fail_at == 0) say(std::string("[it was ") + fake_cuda()->failed_call + "]");
    fake_cuda()->fail_at = 0;
    failing_ = false;
    fake_cuda_settle();
  }

  void use(const Step& s, uint32_t what) {
    const int device = int(s.a / 1024 % kDevices);
    Place& on = *pick_place(s.a, device);
    here_ = &on;
    const bool captured = this->captured(&on);
    // Any wait on the host would break a capture.
    if (open_ && !captured && what >= 22) return here_ = nullptr, void();
    Given where = given(on, s.b);
    if (!where.ok) return;
    tenon_stream* const stream = where.stream;
    if (what < 5) {
      const size_t count = kSizes[s.b % 3];
      say("make on " + text(on));
      const float value = float(s.c % 100);
      const int32_t kind = s.c / 128 % 4 || without("kinds") ? TENON_MEMORY_DEVICE
                           : s.c / 512 % 2                   ? TENON_MEMORY_PINNED
                                                             : TENON_MEMORY_MANAGED;
      if (captured) make_inside(device, count, value, stream);
      else create(device, count, value, stream, open_ != nullptr, kind);
    } else if (what < 12) {
      const ArrayRef from = pick(s.b, false, device), to = from ? pick(s.c, true, device, from->count) : nullptr;
      if (to && to != from) {
        say(text(to) + " = " + text(from) + " + 1 on " + text(on));
        record_or_apply(captured, try_add(*to, *from, 1, stream), {to, from, 1, Effect::add});
      }
    } else if (what < 16) {
      const ArrayRef to = pick(s.c, true, device);
      if (to) {
        say(text(to) + " *= -1 on " + text(on));
        record_or_apply(captured, try_scale(*to, -1, stream), {to, to, -1, Effect::scale});
      }
    } else if (what < 19) {
      const ArrayRef from = pick(s.b, false, device);
      tenon_array* made = nullptr;
      if (from) say("copy of " + text(from) + " on " + text(on));
      if (from &&
          fine(tenon_array_convert(from->array.get(), TENON_FLOAT32, nullptr, stream, &made), open_ != nullptr)) {
        const ArrayRef to = adopt(made, device);
        if (captured) to->inside = true, to->known = false, open_->effects.push_back({to, from, 0, Effect::copy});
        else to->value = from->value, to->known = from->known;
      }
    } else if (what < 22) {
      const ArrayRef from = pick(s.b, false, captured ? device : -1),
                     to = from ? pick(s.c, true, device, from->count) : nullptr;
      if (to && to != from && (!open_ || captured || from->device == device)) {
        say(text(to) + " = " + text(from) + " on " + text(on));
        record_or_apply(captured, tenon_array_copy(to->array.get(), from->array.get(), stream),
                        {to, from, 0, Effect::copy});
      }
    } else if (captured) {
    } else if (what < 24) {
      upload(s, device, on, stream);
    } else {
      const ArrayRef from = pick(s.b, false, device);
      if (from) {
        say("look at " + text(from) + " on " + text(on));
        check(*from, stream);
      }
    }
    here_ = nullptr;
  }
  void make_inside(int device, size_t count, float value, tenon_stream* stream) {
    const ArrayRef made = create(device, count, value, stream, true);
    if (!made) return;
    if (!made->known) return made->inside = true, void();  // the fill was refused
    made->inside = true;                                   // and is filled whenever the graph runs
    const auto source = std::make_shared<Array>();
    source->value = value;
    open_->effects.push_back({made, source, 0, Effect::copy});
  }
  void record_or_apply(bool captured, int32_t status, const Effect& effect) {
    if (!fine(status, open_ != nullptr)) {
      if (!captured && status != TENON_ERROR_UNSUPPORTED) effect.to->known = false;
      return;
    }
    if (captured) {
      open_->effects.push_back(effect);
    } else {
      effect.apply();
      keep_small(*effect.to);
    }
  }
  void upload(const Step& s, int device, Place& on, tenon_stream* stream) {
    const ArrayRef to = pick(s.c, true, device);
    if (!to) return;
    const float value = float(s.c % 77);
    float* host = nullptr;
    const bool pinned = s.b % 2;
    {
      Outside outside(device);
      if (pinned) cuMemHostAlloc(reinterpret_cast<void**>(&host), to->count * 4, 0);
      else host = new float[to->count];
    }
    std::fill_n(host, to->count, value);
    say("upload to " + text(to) + " on " + text(on) + (pinned ? " from pinned memory" : ""));
    if (fine(tenon_array_set_from_host(to->array.get(), host, to->count * 4, stream)))
      to->value = value, to->known = true;
    else to->known = false;
    fake_cuda_host(host, to->count * 4, true, "the host's next write");
    std::fill_n(host, to->count, -1.0f);
    if (pinned) {
      Outside outside(device);
      cuCtxSynchronize();
      cuMemFreeHost(host);
    } else {
      delete[] host;
    }
  }

  void drop(const Step& s, int thread) {
    if (arrays_.size() < 3) return;
    const size_t which = s.a % arrays_.size();
    const ArrayRef array = arrays_[which];
    if (array->being_written || array->lent_out) return;
    for (const auto& graph : graphs_)
      for (const Effect& effect : graph->effects)
        if ((effect.to == array || effect.from == array) && !captured_by(*graph, array))
          return;  // the capturing program keeps what the graph uses alive
    if (open_)
      for (const Effect& effect : open_->effects)
        if ((effect.to == array || effect.from == array) && !array->inside) return;
    say("drop " + text(array));
    arrays_.erase(arrays_.begin() + long(which));
    on_thread(thread, [&] { array->array = nullptr; });
  }
  // An array made within it is memory of the graph.
  static bool captured_by(const OtherGraph& graph, const ArrayRef& array) {
    for (const Effect& effect : graph.effects)
      if (effect.to == array) return graph.made.count(array.get()) != 0;
    return false;
  }

  void import(const Step& s) {
    const int device = int(s.a / 1024 % kDevices);
    Place* const producer = pick_foreign(s.a, device);
    if (!producer || producer->kind == Kind::per_thread) return;  // another thread's stream would reuse its memory
    const size_t count = kSizes[s.b % 3];
    const float value = float(s.c % 50);
    float* const data = memory_[device].allocate(count, producer->native());
    fill(producer->native(), data, count, value, device);
    Lent& lent = lent_.emplace_back(memory_[device], data, count, device);
    say("import from " + text(*producer));
    Given where = given(*producer, s.c);
    tenon_array* made = nullptr;
    if (!where.ok || !fine(tenon_array_from_dlpack_versioned(context_.get(), &lent.tensor, where.stream, &made))) {
      lent.tensor.deleter(&lent.tensor);
      return;
    }
    adopt(made, device)->value = value;
  }

  void lend_out(const Step& s, int thread) {
    if (open_) return;
    const int device = int(s.a / 1024 % kDevices);
    Place* const consumer = pick_foreign(s.a, device);
    const ArrayRef array = pick(s.b, false, device);
    if (!consumer || !array) return;
    const bool writes = s.c % 4 == 0 && array->writable && !array->lent_out;
    say("lend " + text(array) + " to " + text(*consumer) + (writes ? ", which writes" : ", which reads"));
    Given where = given(*consumer, s.c);
    DLManagedTensorVersioned* tensor = nullptr;
    if (!where.ok || !fine(tenon_array_to_dlpack_versioned(array->array.get(), 0, where.stream, &tensor))) return;
    where.wrapper = nullptr;
    auto* const data = static_cast<float*>(tensor->tensor.data);
    if (writes) {
      // As if a reader were still waiting: the consumer was only ordered behind the writers.
      fill(consumer->native(), data, array->count, float(s.c % 40), device);
      array->value = float(s.c % 40), array->known = true;
      array->being_written = true;
    } else {
      float* const to = memory_[device].allocate(array->count, consumer->native());
      copy(consumer->native(), to, data, array->count, device);
      if (array->known && !array->inside) seen_.push_back({to, array->value, array->count});
    }
    ++array->lent_out;
    ++consumer->borrowed;
    loans_.push_back({array, tensor, consumer, thread});
  }
  void return_one(const Step& s, int thread) {
    if (loans_.empty()) return;
    const size_t which = s.a % loans_.size();
    // dlpack.h: a deleter may run within a capture of the consumer's stream if a tenon_stream for that is held.
    if (open_ && open_->place == loans_[which].place && !loans_[which].place->kept) return;
    say("the other library gives " + text(loans_[which].array) + " back");
    return_loan(loans_[which],
                loans_[which].place->kind == Kind::per_thread && s.b % 2 ? loans_[which].thread : thread);
    loans_.erase(loans_.begin() + long(which));
  }

  void wait(const Step& s) {
    if (open_) return;
    const int device = int(s.a / 1024 % kDevices);
    Place& on = *pick_place(s.a, device);
    Given where = given(on, s.b);
    if (!where.ok) return;
    switch (s.c % 4) {
      case 0:
        say("wait for device");
        fine(tenon_device_synchronize(devices_[device].get()));
        break;
      case 1:
        say("wait for " + text(on));
        if (where.stream) fine(tenon_stream_synchronize(where.stream));
        break;
      case 2:
        say("the other library waits for " + text(on));
        if (on.foreign()) synchronize(on.native(), device);
        break;
      case 3: {
        say("event from " + text(on));
        tenon_event* event = nullptr;
        if (!fine(tenon_event_create(devices_[device].get(), 0, &event))) break;
        test::EventPtr owned(event);
        if (!fine(tenon_event_record(event, where.stream))) break;
        Place& later = *pick_place(s.b, int(s.b / 512 % kDevices));
        Given there = given(later, s.c);
        if (there.ok && there.stream) fine(tenon_stream_wait_event(there.stream, event));
      }
    }
  }

  // A stream ends, or a thread does, with work pending on it.
  void replace(const Step& s, int thread) {
    if (open_) return;
    if (s.c % 3 == 0) {
      say("the thread ends");
      for (const Loan& loan : loans_)
        if (loan.place->kind == Kind::per_thread && loan.thread == thread) return;
      workers_[size_t(thread)] = nullptr;
      workers_[size_t(thread)] = std::make_unique<Worker>();
      return;
    }
    std::vector<size_t> some;
    for (size_t i = 0; i < places_.size(); ++i)
      if ((places_[i]->own || places_[i]->other) && !places_[i]->borrowed) some.push_back(i);
    if (some.empty()) return;
    const size_t which = some[s.a % some.size()];
    Place& gone = *places_[which];
    for (const auto& graph : graphs_)
      if (graph->place == &gone) return;
    say("stream " + text(gone) + " ends");
    const Kind kind = gone.kind;
    const int device = gone.device;
    on_thread(thread, [&] { gone.kept = nullptr, gone.own = nullptr; });
    retired_.push_back(std::move(places_[which]->other));
    if (retired_.back()) {
      memory_[device].forget(retired_.back()->native());
      retired_.back()->destroy();
    }
    places_.erase(places_.begin() + long(which));
    place(kind, device);
  }

  void own_graph(const Step& s, int thread) {
    if (open_) return;
    if (own_graphs_.size() < 2 && s.a % 2) {
      const int device = int(s.b % kDevices);
      on_thread(thread, [&] { record(s, device); });
    } else if (!own_graphs_.empty()) {
      OwnGraph& graph = own_graphs_[s.b % own_graphs_.size()];
      Place& on = *pick_place(s.c, graph.device);
      if (s.a % 8 == 0) {
        say("an own graph goes");
        on_thread(thread, [&] { tenon_graph_release(graph.graph); });
        own_graphs_.erase(own_graphs_.begin() + long(s.b % own_graphs_.size()));
        return;
      }
      for (const Effect& effect : graph.effects)
        if (effect.to->lent_out || effect.to->being_written || effect.from->being_written || effect.to->inside ||
            effect.from->inside)
          return;
      say("an own graph runs on " + text(on));
      on_thread(thread, [&] {
        Given where = given(on, s.b);
        if (!where.ok) return;
        const bool launched = fine(tenon_graph_launch(graph.graph, where.stream));
        for (const Effect& effect : graph.effects) {
          if (launched) effect.apply(), keep_small(*effect.to);
          else effect.to->known = false;
        }
      });
    }
  }
  void record(const Step& s, int device) {
    say("record a graph");
    tenon_graph* graph = nullptr;
    tenon_stream* stream = nullptr;
    if (!fine(tenon_graph_create(devices_[device].get(), &graph))) return;
    OwnGraph made{graph, device, {}};
    bool good = fine(tenon_graph_begin(graph, &stream));
    test::StreamPtr recording(stream);
    for (uint32_t i = 0; good && i < 3; ++i) {
      const ArrayRef from = pick(s.b + i, false, device),
                     to = from ? pick(s.c + 3 * i, true, device, from->count) : nullptr;
      if (!to || to == from) continue;
      good = fine(try_add(*to, *from, 2, stream));
      made.effects.push_back({to, from, 2, Effect::add});
    }
    good = good && fine(tenon_graph_end(graph));
    if (good) own_graphs_.push_back(made);
    else tenon_graph_release(graph);
  }

  void capture_step(const Step& s, int thread) {
    if (open_) {
      if (s.a % 2) end_with_made();
      else if (s.a % 4) join(s);
    } else if (s.a % 2 || graphs_.empty()) {
      if (graphs_.size() < 3) begin_capture(s, thread);
    } else {
      const size_t which = s.b % graphs_.size();
      OtherGraph& graph = *graphs_[which];
      if (s.c % 4 == 0) {
        say("the other library's graph goes");
        for (const ArrayRef& array : arrays_)
          if (graph.made.count(array.get())) array->known = array->known && !array->inside;
        drop_unwritten(graph);
        graphs_.erase(graphs_.begin() + long(which));
        return;
      }
      for (const Effect& effect : graph.effects)
        if (effect.to->lent_out || effect.to->being_written || effect.from->being_written) return;
      say("the other library's graph runs");
      synchronize_all();  // orders the replay behind everything
      graph.capture->launch(graph.place->native());
      synchronize(graph.place->native(), graph.place->device);
      for (const Effect& effect : graph.effects) effect.apply(), keep_small(*effect.to);
    }
  }
  void join(const Step& s) {
    Place* const one = pick_foreign(s.b, open_->place->device, true);
    if (!one || one->kind == Kind::blocking || open_->joined.size() == 2) return;
    say("stream " + text(*one) + " joins the capture");
    order(open_->place->native(), one->native(), one->device);
    open_->joined.push_back(one);
  }
  void end_with_made() {
    for (const Effect& effect : open_->effects)
      if (effect.to->inside) open_->made.insert(effect.to.get()), open_->alive.push_back(effect.to);
    end_capture();
  }
  // Arrays of a graph that never ran have no value.
  void drop_unwritten(OtherGraph& graph) {
    for (const Effect& effect : graph.effects)
      if (effect.to->inside) effect.to->inside = false, effect.to->known = false;
  }

  void trim(const Step& s) {
    if (open_ && s.a % 2) return;
    say("trim");
    fine(tenon_device_trim_memory(devices_[s.a / 2 % kDevices].get(), s.b % 2 ? 0 : 1 << 20));
  }

  // A child releases everything, and the driver is not called.
  void forked(const Step&) {
    if (failing_ || ++forks_ > 2) return;
    say("fork");
    const long calls = fake_cuda()->calls;
    const pid_t child = fork();
    if (child == 0) {
      for (const ArrayRef& array : arrays_) array->array = nullptr;
      for (const auto& place : places_) place->kept = nullptr, place->own = nullptr;
      _exit(fake_cuda()->calls != calls);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
      wrong("a forked child that drops its arrays ends with " + std::to_string(status));
  }

  const Program& program_;
  const uint64_t seed_;
  std::ostream* const trace_;
  std::string error_;
  bool failing_ = false;
  Place* here_ = nullptr;
  int forks_ = 0;

  std::vector<std::unique_ptr<Worker>> workers_;
  OtherMemory memory_[kDevices] = {OtherMemory(0), OtherMemory(1)};
  std::list<Lent> lent_;
  test::ContextPtr context_;
  test::DevicePtr devices_[kDevices];
  test::ProgramPtr programs_[kDevices];
  test::KernelPtr scale_[kDevices], add_[kDevices];
  std::vector<std::unique_ptr<Place>> places_;
  std::vector<std::unique_ptr<OtherStream>> retired_;
  std::vector<ArrayRef> arrays_;
  std::vector<Loan> loans_;
  std::vector<Seen> seen_;
  std::vector<std::unique_ptr<OtherGraph>> graphs_;
  std::vector<OwnGraph> own_graphs_;
  std::unique_ptr<OtherGraph> open_;  // being captured
  int open_thread_ = 0;
};

Program random_program(uint64_t seed, size_t steps) {
  std::mt19937 random{std::mt19937::result_type(seed)};
  Program out(steps);
  for (Step& step : out)
    step = {uint32_t(random() % (1 << 14)), uint32_t(random() % (1 << 14)), uint32_t(random() % (1 << 14)),
            uint32_t(random() % (1 << 14))};
  return out;
}

std::string kind_of(const std::string& error) {
  for (const char* kind : {"nothing orders", "given back while", "an array has", "came back", "left:", "library read",
                           "during a capture", "broken"})
    if (error.find(kind) != std::string::npos) return kind;
  return error.empty() ? "" : "other";
}

// Leaves out steps that the failure does not need, larger parts first.
Program shrunk(Program program, uint64_t seed, const std::string& kind) {
  for (size_t part = std::max<size_t>(program.size() / 2, 1); part; part /= 2)
    for (size_t at = 0; at < program.size();) {
      Program less = program;
      less.erase(less.begin() + long(at), less.begin() + long(std::min(at + part, less.size())));
      if (kind_of(Model(less, seed, nullptr).run()) == kind) program = std::move(less);
      else at += part;
    }
  return program;
}

}  // namespace

TEST(Model, RandomProgramsOfTwoLibrariesAgree) {
  const uint64_t first = number_from("TENON_MODEL_SEED", 1), count = number_from("TENON_MODEL_PROGRAMS", 150),
                 steps = number_from("TENON_MODEL_STEPS", 120);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = random_program(seed, steps);
    const std::string error = Model(program, seed, nullptr).run();
    if (error.empty()) continue;
    const Program small = shrunk(program, seed, kind_of(error));
    std::ostringstream trace;
    const std::string shrunk_error = Model(small, seed, &trace).run();
    FAIL() << "seed " << seed << ": " << error << "\n"
           << small.size() << " steps are enough (TENON_MODEL_SEED=" << seed << "): " << shrunk_error << "\n"
           << trace.str();
  }
}

}  // namespace streams
