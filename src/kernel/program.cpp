// kernel/program.cpp: programs: a request checked, compiled or found, its kernels by name, its module loaded at first
// use.
#include "kernel/program.hpp"
#include <algorithm>
#include <cstring>
#include <set>
#include "core/device/context.hpp"
#include "kernel/source/input.hpp"
#include "kernel/source/signature.hpp"

namespace tenon {
namespace {

void check_text(const std::string& text, const char* what, const char* forbidden) {
  TENON_REQUIRE(!text.empty(), TENON_ERROR_INVALID_ARGUMENT, "%s is empty", what);
  for (unsigned char c : text) {
    TENON_REQUIRE(c >= ' ' && c != 0x7f && !(c && std::strchr(forbidden, c)), TENON_ERROR_INVALID_ARGUMENT,
                  "%s \"%s\" contains a character (code %d) that is not allowed", what, text.c_str(), c);
  }
}

void check_headers(const CompileRequest& request) {
  std::set<std::string> seen;
  for (const SourceHeader& header : request.headers) {
    check_text(header.name, "a header name", "\"<>");
    TENON_REQUIRE(seen.insert(header.name).second, TENON_ERROR_INVALID_ARGUMENT, "the header \"%s\" is given twice",
                  header.name.c_str());
    TENON_REQUIRE(header.text.find('\0') == std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                  "the header \"%s\" has a NUL byte", header.name.c_str());
  }
}

void check_request(const CompileRequest& request) {
  TENON_REQUIRE(request.mode >= TENON_PROGRAM_MODE_FAST && request.mode <= TENON_PROGRAM_MODE_CHECK,
                TENON_ERROR_INVALID_ARGUMENT, "mode %d is not one of TENON_PROGRAM_MODE_FAST, DEBUG and CHECK",
                request.mode);
  constexpr uint32_t known = TENON_PROGRAM_FLAG_FAST_MATH | TENON_PROGRAM_FLAG_REVERSE_ORDER |
                             TENON_PROGRAM_FLAG_NO_CACHE | TENON_PROGRAM_FLAG_TRUSTED;
  TENON_REQUIRE(!(request.flags & ~known), TENON_ERROR_INVALID_ARGUMENT, "program flags 0x%x have unknown bits 0x%x",
                request.flags, request.flags & ~known);
  const size_t nul = request.source.find('\0');
  TENON_REQUIRE(nul == std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                "byte %zu of the source is NUL: is the size its length?", nul);
  check_text(request.name, "the name of the source", "\"");
  if (!request.architecture.empty()) check_text(request.architecture, "the architecture", "\" ");
  for (const std::string& option : request.options) check_text(option, "an option", "");
  check_headers(request);
  for (size_t i = 0; i < request.kernels.size(); ++i) {
    check_kernel_name(request.kernels[i]);
    const auto first = std::find(request.kernels.begin(), request.kernels.end(), request.kernels[i]);
    TENON_REQUIRE(size_t(first - request.kernels.begin()) == i, TENON_ERROR_INVALID_ARGUMENT,
                  "the kernel \"%s\" is listed twice", request.kernels[i].c_str());
  }
}

void check_globals(const CompileRequest& request) {
  for (size_t i = 0; i < request.globals.size(); ++i) {
    check_kernel_name(request.globals[i], "variable");
    const auto first = std::find(request.globals.begin(), request.globals.end(), request.globals[i]);
    TENON_REQUIRE(size_t(first - request.globals.begin()) == i, TENON_ERROR_INVALID_ARGUMENT,
                  "the variable \"%s\" is listed twice", request.globals[i].c_str());
  }
}

}  // namespace

void prepare(CompileRequest& request) {
  if (request.name.empty()) {
    request.name = request.inputs.empty()       ? "kernel.cu"
                   : request.inputs.size() == 1 ? request.inputs[0].name
                                                : "the linked program";
  }
  check_request(request);
  check_globals(request);
  TENON_REQUIRE(request.time_limit >= 0 && request.time_limit <= 1e9, TENON_ERROR_INVALID_ARGUMENT,
                "the time limit is %g seconds: it must be from 0 (meaning five minutes) to 1e9", request.time_limit);
  if (request.inputs.empty()) request.trailer = signature_trailer(request.kernels, request.globals);
  else prepare_inputs(request);
}

void prepare(Device& device, CompileRequest& request) {
  prepare(request);
  for (const ProgramInput& input : request.inputs)
    if (input.kind != TENON_INPUT_SOURCE) device.check_image(input);
}

namespace {

// "ns::table" as compilers mangle it; other names are used as given.
std::string mangled(const std::string& name) {
  if (name.find("::") == std::string::npos) return name;
  std::string out = "_ZN";
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find("::", begin), name.size());
    out += std::to_string(end - begin) + name.substr(begin, end - begin);
    begin = end + 2;
  }
  return out + "E";
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "none" : out;
}

}  // namespace

Program::Program(Device& device, CompileRequest request)
    : context_(&device.context()),
      device_(device),
      request_(std::move(request)),
      has_globals_(!request_.globals.empty()) {}
Program::~Program() = default;

Ref<Program> Program::create(Device& device, CompileRequest request) {
  prepare(device, request);
  const CompileControl own(request.time_limit);
  if (!request.control) request.control = &own;
  auto program = Ref<Program>::adopt(new Program(device, std::move(request)));
  if (is_one_image(program->request_)) program->adopt();
  else program->compile();
  program->request_.control = nullptr;  // it only lives during this compile
  return program;
}

void Program::compile() {
  image_ = device_.context().images().get(device_, request_);
  std::vector<int> kernels(request_.kernels.size(), -1), variables(request_.globals.size());
  for (size_t i = 0; i < kernels.size(); ++i) kernels[i] = request_.inputs.empty() ? int(i) : -1;
  for (const ProgramInput& input : request_.inputs)
    for (const size_t kernel : input.kernels) kernels[kernel] = int(kernel);
  for (size_t i = 0; i < variables.size(); ++i) variables[i] = int(i);
  describe(kernels, variables);
}

void Program::adopt() {
  Adopted adopted = adopt_image(device_, request_);
  image_ = std::make_shared<const Image>(std::move(adopted.image));
  try {
    module();
  } catch (Error& error) {
    if (error.status == TENON_ERROR_NOT_FOUND)
      error.message += "; " + request_.name + " describes: " + joined(names_in_image(*image_, "kernel"));
    throw;
  }
  describe(adopted.kernel_tables, adopted.variable_tables);
}

void Program::describe(const std::vector<int>& kernels, const std::vector<int>& variables) {
  for (size_t i = 0; i < kernels.size(); ++i) {
    signatures_.push_back(kernels[i] >= 0 ? read_signature(*image_, size_t(kernels[i]), request_.kernels[i])
                                          : sized_parameters(module().parameter_sizes(int32_t(i))));
  }
  for (size_t i = 0; i < variables.size(); ++i)
    variables_.push_back(read_variable(*image_, size_t(variables[i]), request_.globals[i]));
}

Ref<Kernel> Program::kernel(const std::string& name) {
  check_kernel_name(name);
  const auto found = std::find(request_.kernels.begin(), request_.kernels.end(), name);
  if (found != request_.kernels.end()) {
    const size_t index = size_t(found - request_.kernels.begin());
    return make<Kernel>(Ref<Program>(this), int32_t(index), signatures_[index]);
  }
  // Compiling again for it would make a second module, with __device__ and __constant__ variables of its own.
  fail(TENON_ERROR_NOT_FOUND,
       "there is no kernel \"%s\" in %s, which was compiled for: %s. List it among the kernels when the program is "
       "created, because the kernels of one program share its variables",
       name.c_str(), request_.name.c_str(), joined(request_.kernels).c_str());
}

void Program::prefer_shared(int32_t kernel, int32_t percent) {
  Module& loaded = module();
  std::lock_guard lock(mutex_);  // so that the stored value is the one that the device was given last
  if (carveouts_.empty()) carveouts_.assign(request_.kernels.size(), -1);
  loaded.prefer_shared(kernel, percent);
  carveouts_[size_t(kernel)] = percent;
}

int32_t Program::shared_carveout(int32_t kernel) {
  std::lock_guard lock(mutex_);
  return carveouts_.empty() ? -1 : carveouts_[size_t(kernel)];
}

Module& Program::module() {
  if (Module* loaded = loaded_.load(std::memory_order_acquire)) return *loaded;
  const tenon_device_info& info = device_.info();
  const std::string own = format("sm_%d%d", info.compute_major, info.compute_minor);
  const std::string& asked = request_.architecture;
  // (On the host there is one architecture.)
  TENON_REQUIRE(asked.empty() || device_.on_host() || asked == own || asked == own + "a", TENON_ERROR_UNSUPPORTED,
                "%s was compiled for %s and cannot run on %s: compile it without naming an architecture",
                request_.name.c_str(), asked.c_str(), device_.name().c_str());
  std::lock_guard lock(mutex_);
  if (!module_) {
    module_ = device_.load(*image_);
    loaded_.store(module_.get(), std::memory_order_release);
  }
  return *module_;
}

// Arrays of one variable share a buffer, so that their uses are ordered. The buffer keeps the module alive, not the
// program, to avoid a cycle. The caller holds the lock.
Ref<Buffer> Program::global_buffer(Module& loaded, const std::string& symbol, bool read_only) {
  for (const auto& [name, buffer] : globals_)
    if (name == symbol) return buffer;
  uint64_t bytes = 0;
  void* const data = loaded.global(symbol, bytes);
  Ref<Buffer> buffer = Buffer::wrap(device_, data, bytes, TENON_MEMORY_DEVICE, read_only);
  globals_.reserve(globals_.size() + 1);
  buffer->take_over([](void* user) { static_cast<Module*>(user)->release(); }, Ref<Module>(&loaded).detach());
  globals_.emplace_back(symbol, buffer);
  has_globals_.store(true, std::memory_order_release);
  return buffer;
}

// A launch uses the listed variables, even if the host has not requested arrays of them yet.
void Program::use_globals_slowly(Stream& stream) {
  Module& loaded = module();
  std::lock_guard lock(mutex_);
  for (; listed_globals_ < variables_.size(); ++listed_globals_) {
    try {
      global_buffer(loaded, image_->globals[listed_globals_], variables_[listed_globals_].read_only);
    } catch (Error& error) {
      if (error.status != TENON_ERROR_NOT_FOUND)
        throw;  // a variable that the host cannot access need not be ordered with the host's accesses
    }
  }
  for (const auto& [name, buffer] : globals_) buffer->use(stream, !buffer->read_only());
}

Ref<Array> Program::global(const std::string& name) {
  const auto found = std::find(request_.globals.begin(), request_.globals.end(), name);
  const bool listed = found != request_.globals.end();
  const size_t index = size_t(found - request_.globals.begin());
  if (!listed) check_kernel_name(name, "variable");
  Ref<Buffer> buffer;
  try {
    Module& loaded = module();
    std::unique_lock lock(mutex_);
    const size_t known = globals_.size();
    buffer =
        global_buffer(loaded, listed ? image_->globals[index] : mangled(name), !listed || variables_[index].read_only);
    const bool late = !listed && globals_.size() > known;
    lock.unlock();
    if (late) device_.synchronize();  // earlier launches were not recorded as its users
  } catch (Error& error) {
    if (error.status != TENON_ERROR_NOT_FOUND) throw;
    error.message = format(
        "there is no __device__ or __constant__ variable \"%s\" in %s that the host can access. The options list: %s; "
        "the compiler drops a variable that no kernel uses and that is not listed, and a static one is not accessible",
        name.c_str(), request_.name.c_str(), joined(request_.globals).c_str());
    throw;
  }
  if (!listed) return Array::view(buffer, TENON_UINT8, Dims{int64_t(buffer->bytes())}, Dims{1}, 0, true);
  const Variable& variable = variables_[index];
  TENON_REQUIRE(variable.bytes <= buffer->bytes(), TENON_ERROR_INTERNAL,
                "the variable %s has %llu bytes in the image but %llu in its description", name.c_str(),
                static_cast<unsigned long long>(buffer->bytes()), static_cast<unsigned long long>(variable.bytes));
  return Array::view(buffer, variable.dtype, variable.shape, c_strides(variable.shape), 0, variable.read_only);
}

Image compile_program(const Backend& backend, CompileRequest request) {
  prepare(request);
  const CompileControl control(request.time_limit);
  request.control = &control;
  Image image = backend.compile(request);
  for (size_t i = 0; i < request.kernels.size(); ++i) read_signature(image, i, request.kernels[i]);
  for (size_t i = 0; i < request.globals.size(); ++i) read_variable(image, i, request.globals[i]);
  return image;
}

}  // namespace tenon
