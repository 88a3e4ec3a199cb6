// tests/fake_cuda/compilers/nvjitlink.cpp: an nvJitLink for the images of fake_cuda/nvrtc.cpp: puts their lines
// together, and looks for what one needs ("needs NAME") among what the others define ("defines NAME"). "fake: link
// fails" in one makes adding it fail.
#include <cstdint>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace {

struct Input {
  int kind;
  std::string text, name;
};
struct Linker {
  std::vector<std::string> options;
  std::vector<Input> inputs;
  std::string cubin, errors, info;
};
int alive = 0;

constexpr int kUnknownOption = 1, kMissingArchitecture = 2, kInvalid = 3, kUnrecognised = 8, kFinalize = 9;

int give(const std::string& text, size_t* size) {
  *size = text.empty() ? 0 : text.size() + 1;
  return 0;
}

}  // namespace

API int fake_linkers_alive() { return alive; }

API int nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
  *major = FAKE_MAJOR;
  *minor = 0;
  return 0;
}
API int nvJitLinkCreate(Linker** linker, uint32_t count, const char** options) {
  auto made = new Linker;
  ++alive;
  *linker = made;
  bool architecture = false;
  for (uint32_t i = 0; i < count; ++i) {
    made->options.emplace_back(options[i]);
    architecture = architecture || !strncmp(options[i], "-arch=sm_", 9);
    if (!strncmp(options[i], "-unknown", 8)) return kUnknownOption;
  }
  return architecture ? 0 : kMissingArchitecture;
}
API int nvJitLinkDestroy(Linker** linker) {
  delete *linker;
  *linker = nullptr;
  --alive;
  return 0;
}
API int nvJitLinkAddData(Linker* linker, int kind, const void* data, size_t size, const char* name) {
  const std::string text(static_cast<const char*>(data), size);
  if (!name || kind < 1 || (kind > 4 && kind != 6)) return kInvalid;
  if (text.compare(0, 5, "FAKE ") != 0 || text.find("fake: link fails") != std::string::npos) {
    linker->errors += "error   : the input '" + std::string(name) + "' is not recognised\n";
    return kUnrecognised;
  }
  linker->inputs.push_back({kind, text, name});
  return 0;
}
API int nvJitLinkComplete(Linker* linker) {
  std::set<std::string> defined;
  std::string lines;
  bool lto = false;
  for (const std::string& option : linker->options) lto = lto || option == "-lto";
  for (const Input& input : linker->inputs) {
    if (input.kind == 3 && !lto) linker->errors += "error   : '" + input.name + "' is LTO-IR, and -lto was not given\n";
    if (input.kind == 1 && input.text.find("\nrelocatable") == std::string::npos)
      linker->errors += "error   : '" + input.name + "' is not relocatable\n";
    std::istringstream in(input.text);
    for (std::string line; std::getline(in, line);) {
      if (line.compare(0, 8, "defines ") == 0 && !defined.insert(line.substr(8)).second)
        linker->errors += "error   : Multiple definition of '" + line.substr(8) + "' in '" + input.name + "'\n";
      if (line.compare(0, 7, "kernel ") == 0 || line.compare(0, 7, "global ") == 0) lines += line + "\n";
    }
  }
  for (const Input& input : linker->inputs) {
    std::istringstream in(input.text);
    for (std::string line; std::getline(in, line);)
      if (line.compare(0, 6, "needs ") == 0 && !defined.count(line.substr(6)))
        linker->errors += "error   : Undefined reference to '" + line.substr(6) + "' in '" + input.name + "'\n";
  }
  if (!linker->errors.empty()) return kFinalize;
  linker->cubin = "FAKE linked\noptions";
  for (const std::string& option : linker->options) linker->cubin += " " + option;
  linker->cubin += "\n" + lines;
  linker->info = "info    : " + std::to_string(linker->inputs.size()) + " inputs\n";
  return 0;
}
API int nvJitLinkGetLinkedCubinSize(Linker* linker, size_t* size) {
  *size = linker->cubin.size();
  return linker->cubin.empty() ? kInvalid : 0;
}
API int nvJitLinkGetLinkedCubin(Linker* linker, void* cubin) {
  memcpy(cubin, linker->cubin.data(), linker->cubin.size());
  return 0;
}
API int nvJitLinkGetErrorLogSize(Linker* linker, size_t* size) { return give(linker->errors, size); }
API int nvJitLinkGetErrorLog(Linker* linker, char* log) {
  memcpy(log, linker->errors.c_str(), linker->errors.size() + 1);
  return 0;
}
API int nvJitLinkGetInfoLogSize(Linker* linker, size_t* size) { return give(linker->info, size); }
API int nvJitLinkGetInfoLog(Linker* linker, char* log) {
  memcpy(log, linker->info.c_str(), linker->info.size() + 1);
  return 0;
}
