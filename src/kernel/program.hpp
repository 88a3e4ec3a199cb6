// kernel/program.hpp: source text -> program -> kernel -> launch, the same for every device.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
#include "core/array/array.hpp"
#include "core/device/backend.hpp"
#include "core/device/recording.hpp"
#include "kernel/source/parameter.hpp"

namespace tenon {

class Kernel;
class Call;
struct CallArgument;

class Program final : public Object {
 public:
  static Ref<Program> create(Device& device, CompileRequest request);
  ~Program() override;

  Device& device() const { return device_; }
  const CompileRequest& request() const { return request_; }
  const Image& image() const { return *image_; }
  Ref<Kernel> kernel(const std::string& name);
  Ref<Array> global(const std::string& name);
  // Kernels may read and write the listed variables, and those of which the host has arrays.
  void use_globals(Stream& stream) {
    if (has_globals_.load(std::memory_order_acquire)) [[unlikely]]
      use_globals_slowly(stream);
  }
  Module& module();  // loads it on first use; throws if it was compiled for another architecture
  void prefer_shared(int32_t kernel, int32_t percent);
  int32_t shared_carveout(int32_t kernel);

 private:
  Program(Device& device, CompileRequest request);
  Ref<Context> context_;
  Device& device_;
  CompileRequest request_;
  std::shared_ptr<const Image> image_;
  std::vector<std::vector<Parameter>> signatures_;  // per kernel of the request
  std::mutex mutex_;
  Ref<Module> module_;
  std::atomic<Module*> loaded_{nullptr};  // module_, once it is loaded
  void compile();
  void adopt();  // the one image of the request
  void describe(const std::vector<int>& kernels,
                const std::vector<int>& variables);  // the numbers of their tables in the image
  void use_globals_slowly(Stream& stream);
  Ref<Buffer> global_buffer(Module& loaded, const std::string& symbol, bool read_only);
  std::vector<Variable> variables_;  // of each variable of the request
  std::vector<std::pair<std::string, Ref<Buffer>>>
      globals_;                     // the arrays handed out, by symbol: one buffer per variable
  std::vector<int32_t> carveouts_;  // per kernel of the request, once one was set
  size_t listed_globals_ = 0;       // the number of variables_ that have buffers
  std::atomic<bool> has_globals_;
};

// The largest shared memory of a block, static and dynamic together; 0: unknown.
uint64_t shared_limit(const Device& device);

class Kernel final : public Object {
 public:
  Kernel(Ref<Program> program, int32_t index, std::vector<Parameter> parameters);
  Program& program() const { return *program_; }
  Device& device() const { return program_->device(); }
  const std::string& name() const { return program_->request().kernels[size_t(index_)]; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::string& parameter_name(size_t index) const;  // "" if it is not certain
  const tenon_kernel_info& info();                        // loads the program; without the attributes that can be set
  tenon_kernel_info described();                          // with those attributes
  void prefer_shared(int32_t percent) { program_->prefer_shared(index_, percent); }
  // Makes the checks that tenon_kernel_launch promises, orders the stream behind the arrays' other users, launches.
  // `start`, if there is one, is recorded after the ordering.
  void launch(const Geometry& launch, const CallArgument* args, int32_t count, Stream& stream, Event* start = nullptr);
  double time(const Geometry& launch, const CallArgument* args, int32_t count, Stream& stream);  // milliseconds
  int32_t occupancy(uint32_t threads, uint64_t shared_bytes);
  void suggest(uint64_t shared_bytes, uint32_t& block, uint32_t& min_grid);
  void geometry_for(uint64_t count, Geometry& launch);

 private:
  friend class Call;
  friend Geometry checked_geometry(Kernel& kernel, const Geometry& launch);
  Ref<Program> program_;
  int32_t index_;
  std::vector<Parameter> parameters_;
  std::vector<ValueShape> shapes_;  // of the parameters
  uint64_t block_bytes_ = 0;        // of all values, packed
  uint32_t block_alignment_ = 1;
  std::mutex mutex_;
  std::atomic<bool> has_info_{false};
  tenon_kernel_info info_{};
  mutable std::once_flag named_;
  mutable std::vector<std::string> names_;  // of the parameters; filled on first use
};

// A call whose arguments are checked once, and which can be launched many times: of a kernel (Call), or of an operation
// (plugin/call/operation.hpp).
class BoundCall : public Object {
 public:
  virtual Device& device() const = 0;
  virtual void open() const = 0;  // declares its buffers to the current call (core/device/call.hpp)
  virtual void launch(Stream& stream) = 0;
  virtual Ref<BoundCall> clone() const = 0;
  virtual int32_t parameter_count() const = 0;
  // Each checks its arguments first: it changes the call, or throws and leaves it unchanged.
  virtual void set(int32_t index, const CallArgument& arg) = 0;
  virtual void set_all(const CallArgument* args, int32_t count) = 0;
  virtual void set_launch(const Geometry& launch) = 0;
};

class Call final : public BoundCall {
 public:
  static Ref<Call> create(Ref<Kernel> kernel, const Geometry& launch, const CallArgument* args, int32_t count);
  Device& device() const override;
  void open() const override;
  void launch(Stream& stream) override;
  Ref<BoundCall> clone() const override { return copy(); }
  int32_t parameter_count() const override;
  void set(int32_t index, const CallArgument& arg) override;
  void set_all(const CallArgument* args, int32_t count) override;
  void set_launch(const Geometry& launch) override;
  Ref<Call> copy() const;
  Kernel& kernel() const;
  // For graphs: a piece that shares this call; the buffers of its arguments.
  RecordedWork piece();
  RecordedLaunch recorded_launch() const;
  void uses(std::vector<BufferUse>& out) const;

 private:
  struct State;
  explicit Call(std::unique_ptr<State> state);
  ~Call() override;
  std::unique_ptr<State> state_;
};

// Names, checks and completes a request, as far as that is possible without compiling.
void prepare(CompileRequest& request);
void prepare(Device& device, CompileRequest& request);  // also its images

// Compiles without a device.
Image compile_program(const Backend& backend, CompileRequest request);

// The disk cache and the in-process table of programs (kernel/cache/cache.cpp).
std::unique_ptr<ImageStore> make_image_store(const struct Settings& settings);

}  // namespace tenon
