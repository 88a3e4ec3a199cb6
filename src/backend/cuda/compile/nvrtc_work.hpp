// backend/cuda/compile/nvrtc_work.hpp: one compile by NVRTC as data, and its execution: in this process, or in a
// separate one (nvrtc_process.cpp), which includes this file and nothing else of Tenon.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tenon::cuda {

struct NvrtcWork {
  std::vector<std::string> libraries;  // for a separate process: the libraries to open, NVRTC last
  std::string unit, name;              // the source, and its name in messages
  std::vector<std::string> header_names, header_texts;
  std::vector<std::string> expressions;  // their lowered names are needed
  std::vector<std::string> options;
  std::string quick_option;   // tried first with this, and again without it after any failure; "": none
  bool intermediate = false;  // produce code for link-time optimisation instead of PTX and cubin
  bool cubin = false;         // a cubin in addition to the PTX
};

struct NvrtcDone {
  std::string failed;  // the call that failed; "": none
  int32_t code = 0;    // the value that it returned
  std::string log;
  std::vector<std::string> lowered;
  std::string ptx, binary;
};

using NvrtcFlow = int (*)(void* user, void* reserved);

// All steps between creating and destroying an NVRTC program. Functions: a table of its functions.
template <class Functions> class NvrtcRun {
 public:
  NvrtcRun(const Functions& functions, const NvrtcWork& work, NvrtcFlow flow, void* user)
      : functions_(functions), work_(work), flow_(flow), user_(user) {}

  NvrtcDone operator()() {
    if (!work_.quick_option.empty()) {
      NvrtcDone quick = once({work_.quick_option});
      if (quick.failed.empty() || stopped()) return quick;
    }
    NvrtcDone done = once({});
    // By default NVRTC takes functions without annotations as host functions. In device code nvcc accepts those that it
    // can evaluate at compile time, and headers of libraries rely on that.
    constexpr char kHostFunction[] = "execution space annotations";
    if (done.failed.empty() || done.log.find(kHostFunction) == std::string::npos || stopped()) return done;
    return once({"-default-device"});
  }

 private:
  bool stopped() const { return flow_ && flow_(user_, nullptr); }

  NvrtcDone once(const std::vector<std::string>& more) {
    done_ = {};
    program_ = nullptr;
    steps(more);
    if (program_ && functions_.nvrtcDestroyProgram) functions_.nvrtcDestroyProgram(&program_);
    return std::move(done_);
  }

  void steps(const std::vector<std::string>& more) {
    const std::vector<const char*> names = pointers(work_.header_names), texts = pointers(work_.header_texts);
    if (!check(functions_.nvrtcCreateProgram(&program_, work_.unit.c_str(), work_.name.c_str(), int(names.size()),
                                             texts.data(), names.data()),
               "nvrtcCreateProgram"))
      return;
    // From NVRTC 12.8 on it asks from time to time whether to continue, but not while it parses and instantiates
    // templates.
    if (flow_ && functions_.nvrtcSetFlowCallback) functions_.nvrtcSetFlowCallback(program_, flow_, user_);
    for (const std::string& expression : work_.expressions)
      if (!check(functions_.nvrtcAddNameExpression(program_, expression.c_str()), "nvrtcAddNameExpression")) return;
    std::vector<const char*> options = pointers(work_.options);
    for (const std::string& option : more) options.push_back(option.c_str());
    const int result = functions_.nvrtcCompileProgram(program_, int(options.size()), options.data());
    if (!bytes(functions_.nvrtcGetProgramLogSize, functions_.nvrtcGetProgramLog, "nvrtcGetProgramLog", done_.log))
      return;
    if (!check(result, "nvrtcCompileProgram")) return;
    for (const std::string& expression : work_.expressions) {
      const char* name = nullptr;
      if (!check(functions_.nvrtcGetLoweredName(program_, expression.c_str(), &name), "nvrtcGetLoweredName")) return;
      done_.lowered.push_back(name);
    }
    if (work_.intermediate) {
      bytes(functions_.nvrtcGetLTOIRSize, functions_.nvrtcGetLTOIR, "nvrtcGetLTOIR", done_.binary);
      return;
    }
    if (!bytes(functions_.nvrtcGetPTXSize, functions_.nvrtcGetPTX, "nvrtcGetPTX", done_.ptx)) return;
    if (work_.cubin) bytes(functions_.nvrtcGetCUBINSize, functions_.nvrtcGetCUBIN, "nvrtcGetCUBIN", done_.binary);
  }

  bool check(int result, const char* call) {
    if (result == 0) return true;
    done_.failed = call;
    done_.code = result;
    return false;
  }

  template <class Size, class Get> bool bytes(const Size& size_of, const Get& get, const char* call, std::string& out) {
    size_t size = 0;
    if (!check(size_of(program_, &size), call)) return false;
    out.assign(size, '\0');
    return size == 0 || check(get(program_, out.data()), call);
  }

  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> out;
    for (const std::string& text : texts) out.push_back(text.c_str());
    return out;
  }

  const Functions& functions_;
  const NvrtcWork& work_;
  const NvrtcFlow flow_;
  void* const user_;
  typename Functions::Program program_ = nullptr;
  NvrtcDone done_;
};

// --- serialisation between two processes on one machine ---

class Packer {
 public:
  std::string bytes;
  void operator()(const std::string& text) {
    const uint64_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
  }
  void operator()(int32_t value) { (*this)(std::string(reinterpret_cast<const char*>(&value), sizeof value)); }
  void operator()(bool value) { (*this)(int32_t(value)); }
  void operator()(const std::vector<std::string>& list) {
    (*this)(int32_t(list.size()));
    for (const std::string& text : list) (*this)(text);
  }
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}
  bool good = true;  // false: the bytes are not complete, or not from a Packer
  void operator()(std::string& text) {
    uint64_t size = 0;
    good = good && bytes_.size() - at_ >= sizeof size;
    if (!good) return;
    std::memcpy(&size, bytes_.data() + at_, sizeof size);
    at_ += sizeof size;
    good = bytes_.size() - at_ >= size;
    if (!good) return;
    text = bytes_.substr(at_, size);
    at_ += size;
  }
  void operator()(int32_t& value) {
    std::string text;
    (*this)(text);
    good = good && text.size() == sizeof value;
    if (good) std::memcpy(&value, text.data(), sizeof value);
  }
  void operator()(bool& value) {
    int32_t number = 0;
    (*this)(number);
    value = number != 0;
  }
  void operator()(std::vector<std::string>& list) {
    int32_t count = 0;
    (*this)(count);
    for (; good && count > 0; --count) {
      std::string text;
      (*this)(text);
      list.push_back(std::move(text));
    }
  }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

// For both directions: visit is a Packer or an Unpacker.
template <class Visit, class Work> void each_field(Visit& visit, Work& work)
  requires requires { work.unit; }
{
  visit(work.libraries), visit(work.unit), visit(work.name), visit(work.header_names), visit(work.header_texts),
      visit(work.expressions);
  visit(work.options), visit(work.quick_option), visit(work.intermediate), visit(work.cubin);
}
template <class Visit, class Done> void each_field(Visit& visit, Done& done)
  requires requires { done.lowered; }
{
  visit(done.failed), visit(done.code), visit(done.log), visit(done.lowered), visit(done.ptx), visit(done.binary);
}

}  // namespace tenon::cuda
