// tests/fake_cuda/compilers/nvrtc.cpp: an NVRTC that compiles nothing: the image lists the kernels that were asked for,
// each with its expression. The text steers it: "#error" fails to compile at its line, "fake: no minimal" fails only
// with --minimal, "fake: global NAME BYTES" makes one, "fake: endless" compiles until it is told to stop (by an NVRTC
// that can be told: 13), "fake: deaf" for ever, "fake: waits FILE" makes that file and waits until it is gone,
// "fake: crash" ends the process, "fake: chatty BYTES" says as much; "fake: needs NAME" and "fake: defines NAME" are
// for fake_cuda/nvjitlink.cpp.
#include <signal.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace {

struct Program {
  std::string source, log, image;
  std::vector<std::string> names, headers;
  std::map<std::string, std::string> lowered;
  int (*flow)(void*, void*) = nullptr;
  void* flow_user = nullptr;
};

const std::vector<int> kArchitectures = FAKE_MAJOR == 12 ? std::vector<int>{50, 60, 70, 75, 80, 86, 89, 90}
                                                         : std::vector<int>{75, 80, 86, 89, 90, 100, 120};

// File and line, as #line directives make them, of a position in the text.
std::string position(const std::string& text, size_t at) {
  std::string file = "?";
  int line = 1;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (at <= end) break;
    int number;
    char name[256];
    if (sscanf(text.c_str() + begin, "#line %d \"%255[^\"]\"", &number, name) == 2) line = number - 1, file = name;
    ++line;
    begin = end + 1;
  }
  return file + "(" + std::to_string(line) + ")";
}

// The parameter tables in PTX: for the kernels that the fake driver knows; other kernels have none.
std::string table(const std::string& name, const std::vector<unsigned>& words) {
  std::string out = ".global .align 8 .b8 " + name + "[" + std::to_string(4 * words.size()) + "] = {";
  for (size_t b = 0; b < 4 * words.size(); ++b)
    out += (b ? ", " : "") + std::to_string(words[b / 4] >> (8 * (b % 4)) & 255);
  return out + "};\n";
}
std::string signatures(const std::vector<std::string>& names) {
  std::string out = "// .version\n";
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<unsigned> words = {0x4e4e4554, 0x31474953, 1, 0};  // "TENNSIG1", version, count
    if (names[i] == "scale")
      words = {0x4e4e4554, 0x31474953, 1, 3, 2, 0x12002, 0, 8,       8, 4, 4, 0, 1, 0x12002,
               0,          4,          4, 0, 0, 0,       1, 0x12000, 0, 4, 4, 0, 0, 0};
    if (names[i] == "add_to")  // (float*, const float*, float, int)
      words = {0x4e4e4554, 0x31474953, 1, 4,       2, 0x12002, 0, 8, 8, 4, 4, 0,       2, 0x12002, 1, 8, 8, 4,
               4,          0,          1, 0x12002, 0, 4,       4, 0, 0, 0, 1, 0x12000, 0, 4,       4, 0, 0, 0};
    if (names[i] == "read_texture")  // (cudaTextureObject_t, float*, int)
      words = {0x4e4e4554, 0x31474953, 1, 3, 1, 0x14001, 0, 8,       8, 0, 0, 0, 2, 0x12002,
               0,          8,          8, 4, 4, 0,       1, 0x12000, 0, 4, 4, 0, 0, 0};
    if (names[i] == "write_surface")  // (cudaSurfaceObject_t, float, int)
      words = {0x4e4e4554, 0x31474953, 1, 3, 1, 0x14001, 0, 8,       8, 0, 0, 0, 1, 0x12002,
               0,          4,          4, 0, 0, 0,       1, 0x12000, 0, 4, 4, 0, 0, 0};
    if (names[i] == "read_globals") words = {0x4e4e4554, 0x31474953, 1, 1, 2, 0x12002, 0, 8, 8, 4, 4, 0};  // (float*)
    out += table("tenon_signature_" + std::to_string(i), words);
  }
  return out;
}

}  // namespace

API int nvrtcVersion(int* major, int* minor) {
  *major = FAKE_MAJOR;
  *minor = FAKE_MAJOR == 12 ? 9 : 0;
  return 0;
}
API const char* nvrtcGetErrorString(int) { return "NVRTC_ERROR_FAKE"; }
API int nvrtcGetNumSupportedArchs(int* count) {
  *count = int(kArchitectures.size());
  return 0;
}
API int nvrtcGetSupportedArchs(int* list) {
  std::copy(kArchitectures.begin(), kArchitectures.end(), list);
  return 0;
}
API int nvrtcCreateProgram(Program** program, const char* source, const char*, int count, const char* const* headers,
                           const char* const* names) {
  *program = new Program;
  (*program)->source = source;
  for (int i = 0; i < count; ++i) {
    if (!headers[i] || !names[i]) return 3;
    (*program)->headers.push_back(names[i]);
  }
  return 0;
}
API int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}
API int nvrtcAddNameExpression(Program* program, const char* expression) {
  program->names.push_back(expression);
  return 0;
}
API int nvrtcCompileProgram(Program* program, int count, const char* const* options) {
  std::string given;
  int architecture = 0;
  bool minimal = false, relocatable = false;
  for (int i = 0; i < count; ++i) {
    given += std::string(" ") + options[i];
    sscanf(options[i], "--gpu-architecture=sm_%d", &architecture);
    minimal = minimal || !strcmp(options[i], "--minimal");
    if (!strcmp(options[i], "--relocatable-device-code=true") || !strcmp(options[i], "-dlto")) {
      if (relocatable) return 5;  // specified twice
      relocatable = true;
    }
    if (!strcmp(options[i], "--unknown")) return 5;
  }
  const size_t fault = program->source.find("\n#error");
  if (fault != std::string::npos) {
    program->log =
        position(program->source, fault + 1) + ": error: #error directive\n1 error detected in the compilation.\n";
    return 6;
  }
  while (program->source.find("fake: deaf") != std::string::npos) std::this_thread::sleep_for(std::chrono::seconds(1));
  if (program->source.find("fake: crash") != std::string::npos) raise(SIGSEGV);
  while (program->source.find("fake: endless") != std::string::npos) {
    if (program->flow && program->flow(program->flow_user, nullptr) == 1) {
      program->log = "warning: half of it was done\n";
      return 15;  // NVRTC_ERROR_CANCELLED
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (const size_t waits = program->source.find("fake: waits "); waits != std::string::npos) {
    const std::string file = program->source.substr(waits + 12, program->source.find('\n', waits) - waits - 12);
    std::ofstream{file};
    while (std::ifstream(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const size_t chatty = program->source.find("fake: chatty ");
  if (chatty != std::string::npos)
    program->log.assign(std::strtoul(program->source.c_str() + chatty + 13, nullptr, 10), 'w');
  if (minimal && program->source.find("fake: no minimal") != std::string::npos) {
    program->log = "error: minimal";
    return 6;
  }
  if (const size_t missing = program->source.find("fake: missing "); missing != std::string::npos) {
    const std::string name = program->source.substr(missing + 14, program->source.find('\n', missing) - missing - 14);
    if (std::find(program->headers.begin(), program->headers.end(), name) == program->headers.end()) {
      program->log = "kernel.cu(1): catastrophic error: cannot open source file \"" + name + "\"\n";
      return 6;
    }
  }
  if (program->source.find("<<<") != std::string::npos && !relocatable) {
    program->log = FAKE_MAJOR < 13
                       ? "kernel.cu(1): error: kernel launch from __device__ or __global__ functions requires "
                         "separate compilation mode\n"
                       : "kernel.cu(1): error: device-side kernel launch could not be processed as the required "
                         "runtime APIs are not declared\n";
    program->log += "1 error detected in the compilation.\n";
    return 6;
  }
  if (program->source.find("fake: unmarked") != std::string::npos &&
      given.find(" -default-device") == std::string::npos) {
    program->log =
        "kernel.cu(1): error: A function without execution space annotations (__host__/__device__/__global__) is considered a host function, "
        "and host functions are not allowed in JIT mode.\n1 error detected in the compilation.\n";
    return 6;
  }
  program->image = "FAKE image\noptions" + given + "\n";
  if (architecture) program->image += "arch " + std::to_string(architecture) + "\n";
  for (const std::string& name : program->names) {
    std::string lowered = name;
    for (char& c : lowered) c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
    program->lowered[name] = lowered;
    program->image += "kernel " + lowered + " " + name + "\n";
  }
  program->image += signatures(program->names);
  if (relocatable) program->image += "relocatable\n";
  for (const char* word : {"needs ", "defines "})
    for (size_t at = 0; (at = program->source.find(std::string("fake: ") + word, at)) != std::string::npos; at += 6)
      program->image += program->source.substr(at + 6, program->source.find('\n', at) - at - 6) + "\n";
  for (size_t at = 0, n = 0; (at = program->source.find("fake: global ", at)) != std::string::npos; at += 6) {
    program->image += program->source.substr(at + 6, program->source.find('\n', at) - at - 6) + "\n";
    program->image += table("tenon_variable_" + std::to_string(n++),
                            {0x4e4e4554, 0x31474953, 1, 0, 4, 0, 0x12002, 0, 4, 0});  // a float
  }
  return 0;
}
#if FAKE_MAJOR >= 13
API int nvrtcSetFlowCallback(Program* program, int (*callback)(void*, void*), void* user) {
  program->flow = callback;
  program->flow_user = user;
  return 0;
}
#endif
API int nvrtcGetLoweredName(Program* program, const char* expression, const char** name) {
  auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return 10;
  *name = found->second.c_str();
  return 0;
}
API int nvrtcGetProgramLogSize(Program* program, size_t* bytes) {
  *bytes = program->log.size() + 1;
  return 0;
}
API int nvrtcGetProgramLog(Program* program, char* log) {
  memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}
API int nvrtcGetCUBINSize(Program* program, size_t* bytes) {
  *bytes = program->image.size() + 1;
  return 0;
}
API int nvrtcGetCUBIN(Program* program, char* image) {
  memcpy(image, program->image.c_str(), program->image.size() + 1);
  return 0;
}
API int nvrtcGetLTOIRSize(Program* program, size_t* bytes) { return nvrtcGetCUBINSize(program, bytes); }
API int nvrtcGetLTOIR(Program* program, char* image) { return nvrtcGetCUBIN(program, image); }
API int nvrtcGetPTXSize(Program* program, size_t* bytes) {
  // PTX has no fixed architecture: it can be loaded anywhere.
  *bytes = program->image.size() + 5;
  return 0;
}
API int nvrtcGetPTX(Program* program, char* text) {
  std::string ptx = program->image;
  const size_t at = ptx.find("\narch ");
  if (at != std::string::npos) ptx.replace(at, 6, "\nfrom ");
  ptx += "ptx\n";
  memcpy(text, ptx.c_str(), ptx.size() + 1);
  return 0;
}
