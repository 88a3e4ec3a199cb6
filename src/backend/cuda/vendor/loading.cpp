// backend/cuda/vendor/loading.cpp: opens the driver and the toolkit's libraries on first use, all of one CUDA major
// version.
#include "backend/cuda/vendor/loading.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include "base/background.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "core/error.hpp"

namespace tenon::cuda {
namespace {

struct Names {
  const char* title;    // for messages
  const char* package;  // the pip package for CUDA 13; the name for 12 ends in "-cu12"
};

Names names_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::driver: return {"the NVIDIA driver", ""};
    case Vendor::nvrtc: return {"NVRTC", "nvidia-cuda-nvrtc"};
    case Vendor::nvjitlink: return {"nvJitLink", "nvidia-nvjitlink"};
    case Vendor::cublas: return {"cuBLAS", "nvidia-cublas"};
    case Vendor::cublaslt: return {"cuBLASLt", "nvidia-cublas"};
    case Vendor::cufft: return {"cuFFT", "nvidia-cufft"};
    case Vendor::cusolver: return {"cuSOLVER", "nvidia-cusolver"};
    case Vendor::cusparse: return {"cuSPARSE", "nvidia-cusparse"};
    case Vendor::curand: return {"cuRAND", "nvidia-curand"};
    case Vendor::count: break;
  }
  return {"", ""};
}

// One lock for all openings: opening one library may open others.
std::recursive_mutex& loading_mutex() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

std::vector<Table*>& opened_tables() {
  static auto& list = *new std::vector<Table*>;
  return list;
}

// The major version of a mapped library: /x/libcudart.so.13.0.96 -> 13; 0 if there is none or it is unknown.
int mapped_major(const std::vector<std::string>& loaded, const std::string& stem) {
  for (const std::string& path : loaded) {
    const size_t at = path.rfind("/" + stem + ".so.");
    if (at == std::string::npos) continue;
    const int major = atoi(path.c_str() + at + stem.size() + 5);
    if (major == 12 || major == 13) return major;
  }
  return 0;
}

bool holds(const ToolkitDirectory& place, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (base::file_exists(place.directory + "/" + name)) return true;
  return false;
}

int driver_major() {
  try {
    return driver().version / 1000;
  } catch (const Error&) {
    return 0;  // no driver: any compiler is suitable
  }
}

Decision decide() {
  for (const char* stem : {"libcudart", "libnvrtc", "libcublas", "libnvJitLink"})
    if (int major = mapped_major(base::loaded_libraries(), stem))
      return {major, std::string("the process had loaded ") + stem + ".so." + std::to_string(major)};

  // Places with a compiler come first; then those with any other library.
  const int limit = driver_major();
  const std::vector<ToolkitDirectory> places = toolkit_directories();
  Decision too_new;
  for (bool compiler : {true, false})
    for (const ToolkitDirectory& place : places)
      for (int major : {13, 12}) {
        std::vector<std::string> names{soname(Vendor::nvrtc, major)};
        if (!compiler)
          names = {soname(Vendor::cublas, major), soname(Vendor::cufft, major), soname(Vendor::cusolver, major),
                   "libcudart.so." + std::to_string(major)};
        if (!holds(place, names)) continue;
        const std::string why = "found in " + place.directory + " (" + place.how + ")";
        if (!limit || major <= limit) return {major, why};
        if (!too_new.major) too_new = {major, why + "; newer than the driver, which is CUDA " + std::to_string(limit)};
      }
  for (int major : {13, 12}) {
    if (limit && major > limit) continue;
    for (Vendor vendor : {Vendor::nvrtc, Vendor::cublas, Vendor::cufft, Vendor::cusolver})
      if (base::Library::open({{soname(vendor, major), "loader path"}}))
        return {major, "found by the loader: " + soname(vendor, major)};
  }
  if (too_new.major) return too_new;
  return {0, "no library of the CUDA Toolkit was found"};
}

// Decided once, but an unsuccessful search is repeated, because something may be installed in the meantime.
const Decision& decision() {
  static auto& made = *new Decision;
  std::lock_guard lock(loading_mutex());
  if (!made.major) made = decide();
  return made;
}

std::vector<base::Library::Candidate> candidates(Vendor vendor, int major) {
  const std::string name = soname(vendor, major);
  std::vector<base::Library::Candidate> list{{name, "already loaded", true}};
  for (const ToolkitDirectory& place : toolkit_directories()) {
    const std::string path = place.directory + "/" + name;
    if (base::file_exists(path)) list.push_back({path, place.how});
  }
  list.push_back({name, "loader path"});
  return list;
}

[[noreturn]] void missing_library(Vendor vendor, int major, const std::string& tried) {
  const Names names = names_of(vendor);
  const int requested = major ? major : driver_major();
  std::string packages = requested == 12 ? std::string(names.package) + "-cu12"
                         : requested == 13
                             ? names.package
                             : std::string(names.package) + " (CUDA 13) or " + names.package + "-cu12 (CUDA 12)";
  Error error(
      TENON_ERROR_MISSING_LIBRARY,
      format("%s is needed and %swas not found: install the pip package %s, or the CUDA Toolkit, or name its directory "
             "in TENON_CUDA_PATH%s",
             names.title, major ? (soname(vendor, major) + " ").c_str() : "", packages.c_str(),
             major ? format("; this process uses CUDA %d (%s)", major, decision().why.c_str()).c_str() : ""));
  error.log = tried;
  throw error;
}

base::Library open_toolkit_library(Vendor vendor, bool needed = true) {
  const int major = decision().major;
  if (!major) {
    if (needed) missing_library(vendor, 0, "");
    return {};
  }
  base::Library library = base::Library::open(candidates(vendor, major));
  if (!library && needed) missing_library(vendor, major, library.tried());
  return library;
}

// The libraries that a library depends on are opened first by our own search: the loader's search might find another
// version.
void open_dependencies(Vendor vendor) {
  switch (vendor) {
    case Vendor::cublas: open_toolkit_library(Vendor::cublaslt, false); break;
    case Vendor::cusparse: open_toolkit_library(Vendor::nvjitlink, false); break;
    case Vendor::cusolver:
      for (Vendor other : {Vendor::cublaslt, Vendor::cublas, Vendor::nvjitlink, Vendor::cusparse})
        open_toolkit_library(other, false);
      break;
    default: break;
  }
}

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// The beginning of a large file.
std::string beginning(const std::string& path) {
  std::string text(64 << 10, '\0');
  FILE* file = fopen(path.c_str(), "re");
  if (!file) return {};
  text.resize(fread(text.data(), 1, text.size(), file));
  fclose(file);
  return text;
}

// The CUDA version of a directory of headers, from the definitions in its cuda.h or cuda_runtime_api.h; 0: they are not
// CUDA's headers.
int header_version(const std::string& directory) {
  if (!base::file_exists(directory + "/cuda_fp16.h")) return 0;
  for (auto [file, macro] :
       {std::pair{"/cuda.h", "#define CUDA_VERSION "}, {"/cuda_runtime_api.h", "#define CUDART_VERSION "}}) {
    const std::string text = beginning(directory + file);
    const size_t at = text.find(macro);
    if (at != std::string::npos) return atoi(text.c_str() + at + std::string(macro).size());
  }
  return 0;
}

std::string real_path(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  const std::string out = real ? real : "";
  free(real);
  return out;
}

// CUDA's headers next to the compiler, or elsewhere if they have the compiler's major version.
std::string find_headers(const std::string& compiler, int major) {
  std::vector<std::string> libraries{directory_of(compiler)};
  for (const ToolkitDirectory& place : toolkit_directories()) libraries.push_back(place.directory);
  for (const std::string& library : libraries)
    // lib -> include; targets/x86_64-linux/lib -> include; nvidia/cuda_nvrtc/lib -> nvidia/cuda_runtime/include
    for (const char* path : {"/../include", "/../../cuda_runtime/include", "/../../../include"}) {
      const std::string directory = real_path(library + path);
      if (!directory.empty() && header_version(directory) / 1000 == major) return directory;
    }
  return {};
}

template <class T, class Fill> const T& table(std::atomic<T*>& slot, Fill&& fill) {
  if (T* ready = slot.load(std::memory_order_acquire)) return *ready;
  std::lock_guard lock(loading_mutex());
  if (T* ready = slot.load(std::memory_order_relaxed)) return *ready;
  auto made = std::make_unique<T>();
  fill(*made);
  base::end_tasks_first_at_exit();  // exit() destroys the library's static objects: no thread may be inside it then
  opened_tables().push_back(made.get());
  slot.store(made.get(), std::memory_order_release);
  return *made.release();
}

template <class T> void fill_plainly(T& made) {
  open_dependencies(made.vendor);
  made.library = open_toolkit_library(made.vendor);
  made.resolve();
}

void fill_driver(Driver& made) {
  std::vector<base::Library::Candidate> list;
  const std::string chosen = base::environment("TENON_CUDA_DRIVER");
  if (!chosen.empty()) {
    list = {{chosen, "TENON_CUDA_DRIVER"}};
  } else {
    list = {{"libcuda.so.1", "already loaded", true}, {"libcuda.so.1", "loader path"}};
    for (const char* directory : {"/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                  "/usr/lib64", "/usr/local/nvidia/lib64", "/run/opengl-driver/lib"})
      list.push_back({std::string(directory) + "/libcuda.so.1", "driver directory"});
  }
  made.library = base::Library::open(list);
  if (!made.library) {
    Error error(TENON_ERROR_MISSING_LIBRARY,
                "the NVIDIA driver (libcuda.so.1) was not found: install the driver to use CUDA devices");
    error.log = made.library.tried();
    throw error;
  }
  made.resolve();
  CUresult result = made.cuDriverGetVersion(&made.version);
  TENON_REQUIRE(result == CUDA_SUCCESS, TENON_ERROR_VENDOR,
                "the NVIDIA driver at %s does not report its version (cuDriverGetVersion: %d)",
                made.library.path().c_str(), result);
}

void fill_nvrtc(Nvrtc& made) {
  fill_plainly(made);
  const int result = made.nvrtcVersion(&made.major, &made.minor);
  TENON_REQUIRE(result == NVRTC_SUCCESS, TENON_ERROR_VENDOR, "%s does not report its version (nvrtcVersion: %d)",
                made.library.path().c_str(), result);
  TENON_REQUIRE(made.major == decision().major, TENON_ERROR_VERSION,
                "%s reports that it is NVRTC %d.%d, but CUDA %d is used", made.library.path().c_str(), made.major,
                made.minor, decision().major);
  // NVRTC opens its built-in functions by name at the first compile; those next to it are the right ones.
  const std::string builtins = directory_of(made.library.path()) + "/libnvrtc-builtins.so." +
                               std::to_string(made.major) + "." + std::to_string(made.minor);
  if (base::file_exists(builtins)) {
    base::Library::open({{builtins, "next to NVRTC"}});
    made.builtins = builtins;
  }
  made.include_directory = find_headers(made.library.path(), made.major);
}

// The compiler's file, without opening it; "" if only the loader knows where it is.
std::string compiler_file(int major) {
  const std::string name = soname(Vendor::nvrtc, major);
  for (const std::string& path : base::loaded_libraries())
    if (path.compare(path.rfind('/') + 1, name.size(), name) == 0) return path;
  for (const ToolkitDirectory& place : toolkit_directories())
    if (base::file_exists(place.directory + "/" + name)) return place.directory + "/" + name;
  return {};
}

// The minor version from the name "libnvrtc-builtins.so.13.0" next to the compiler; -1: unknown.
int minor_from_builtins(const std::string& compiler, int major) {
  const std::string stem = "libnvrtc-builtins.so." + std::to_string(major) + ".";
  int minor = -1;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory_of(compiler), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, stem.size(), stem) != 0) continue;
    const int found = atoi(name.c_str() + stem.size());
    if (minor >= 0 && minor != found) return -1;
    minor = found;
  }
  return minor;
}

CompilerFile describe(const std::string& path, int major, int minor) {
  CompilerFile out{path, major, minor, 0, find_headers(path, major)};
  struct stat info{};
  if (stat(path.c_str(), &info) == 0) out.bytes = uint64_t(info.st_size);
  return out;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string soname(Vendor vendor, int major) {
  const bool old = major == 12;
  switch (vendor) {
    case Vendor::driver: return "libcuda.so.1";
    case Vendor::nvrtc: return old ? "libnvrtc.so.12" : "libnvrtc.so.13";
    case Vendor::nvjitlink: return old ? "libnvJitLink.so.12" : "libnvJitLink.so.13";
    case Vendor::cublas: return old ? "libcublas.so.12" : "libcublas.so.13";
    case Vendor::cublaslt: return old ? "libcublasLt.so.12" : "libcublasLt.so.13";
    case Vendor::cufft: return old ? "libcufft.so.11" : "libcufft.so.12";
    case Vendor::cusolver: return old ? "libcusolver.so.11" : "libcusolver.so.12";
    case Vendor::cusparse: return "libcusparse.so.12";
    case Vendor::curand: return "libcurand.so.10";
    case Vendor::count: break;
  }
  return {};
}

void Table::resolve() {
  for (SymbolRow* row : rows) row->address = library.symbol(row->symbol);
}

void missing_symbol(const SymbolRow& row) {
  const Names names = names_of(row.table->vendor);
  if (row.table->vendor == Vendor::driver)
    fail(TENON_ERROR_UNSUPPORTED, "this driver (CUDA %s) has no %s%s: update the NVIDIA driver",
         version_text(static_cast<const Driver*>(row.table)->version).c_str(), row.symbol,
         row.since ? format(", which came with CUDA %s", version_text(row.since).c_str()).c_str() : "");
  fail(TENON_ERROR_UNSUPPORTED, "%s at %s has no %s%s: install a newer %s (pip package %s)", names.title,
       row.table->library.path().c_str(), row.symbol,
       row.since ? format(", which came with CUDA %s", version_text(row.since).c_str()).c_str() : "", names.title,
       names.package);
}

namespace {
std::atomic<Driver*> driver_table;
std::atomic<Nvrtc*> nvrtc_table;
std::atomic<NvJitLink*> nvjitlink_table;
std::atomic<Cublas*> cublas_table;
std::atomic<CublasLt*> cublaslt_table;
std::atomic<Cufft*> cufft_table;
std::atomic<Cusolver*> cusolver_table;
std::atomic<Cusparse*> cusparse_table;
}  // namespace

std::vector<std::string> cuda_include_directories(const std::string& headers) {
  std::vector<std::string> list;
  const int major = headers.empty() ? decision().major : header_version(headers) / 1000;
  const auto add = [&](const std::string& path, bool good) {
    if (good && std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
  };
  // CCCL is next to the other headers in CUDA 13, and in a separate wheel for 12.
  const auto with_cccl = [&](const std::string& directory) {
    add(directory, true);
    for (const char* path : {"/cccl", "/../../cuda_cccl/include"})
      if (const std::string cccl = real_path(directory + path); !cccl.empty())
        add(cccl, base::file_exists(cccl + "/cuda/std/cstdint"));
  };
  if (!headers.empty()) with_cccl(headers);
  // Headers that none of those has come from any place of this major version: PyTorch's wheels contain neither CCCL nor
  // crt/.
  for (const ToolkitDirectory& place : toolkit_directories()) {
    for (const char* path : {"/../include", "/../../../include"})
      if (const std::string directory = real_path(place.directory + path);
          !directory.empty() && header_version(directory) / 1000 == major)
        with_cccl(directory);
    // Parts of a toolkit as wheels, which do not state their version; those of CUDA 13 share one directory.
    for (const char* part :
         {"/../../cuda_cccl/include", "/../../cuda_nvcc/include", "/../../cuda_crt/include", "/../../curand/include"}) {
      const std::string directory = major == 12 ? real_path(place.directory + part) : "";
      add(directory, !directory.empty());
    }
  }
  return list;
}

const Driver& driver() { return table(driver_table, fill_driver); }
const Nvrtc& nvrtc() { return table(nvrtc_table, fill_nvrtc); }
const NvJitLink& nvjitlink() { return table(nvjitlink_table, fill_plainly<NvJitLink>); }
const Cublas& cublas() { return table(cublas_table, fill_plainly<Cublas>); }
const CublasLt& cublaslt() { return table(cublaslt_table, fill_plainly<CublasLt>); }
const Cufft& cufft() { return table(cufft_table, fill_plainly<Cufft>); }
const Cusolver& cusolver() { return table(cusolver_table, fill_plainly<Cusolver>); }
const Cusparse& cusparse() { return table(cusparse_table, fill_plainly<Cusparse>); }

const CompilerFile& compiler_on_disk() {
  static auto& known = *new CompilerFile;
  static std::atomic<bool> ready{false};
  if (ready.load(std::memory_order_acquire)) return known;
  std::lock_guard lock(loading_mutex());
  if (ready.load(std::memory_order_relaxed)) return known;
  std::string path;
  int minor = -1;
  const int major = decision().major;
  if (major && !nvrtc_table.load()) path = compiler_file(major);
  if (!path.empty()) minor = minor_from_builtins(path, major);
  if (minor >= 0) {
    char* real = realpath(path.c_str(), nullptr);
    known = describe(real ? real : path.c_str(), major, minor);
    free(real);
  } else {
    const Nvrtc& opened = nvrtc();
    known = describe(opened.library.path(), opened.major, opened.minor);
  }
  ready.store(true, std::memory_order_release);
  return known;
}

std::string toolkit_sentence() {
  std::string driver_part;
  try {
    driver_part = "CUDA driver " + version_text(driver().version) + ", ";
  } catch (const Error&) {
    driver_part = "no CUDA driver, ";
  }
  try {
    const Nvrtc& table = nvrtc();
    return driver_part +
           format("NVRTC %d.%d from %s (%s), headers ", table.major, table.minor,
                  directory_of(table.library.path()).c_str(), table.library.how().c_str()) +
           (table.include_directory.empty()
                ? "of CUDA " + std::to_string(table.major) + " not found (pip package nvidia-cuda-runtime" +
                      (table.major == 12 ? "-cu12)" : ")")
                : "in " + table.include_directory);
  } catch (const Error& error) {
    return driver_part + error.message;
  }
}

std::string loading_report() {
  std::lock_guard lock(loading_mutex());
  base::Json libraries = base::Json::object();
  for (const Table* one : opened_tables()) {
    base::Json missing = base::Json::array();
    for (const SymbolRow* row : one->rows)
      if (!*row) missing.push_back(row->symbol);
    base::Json entry = {{"path", one->library.path()}, {"found", one->library.how()}};
    if (!missing.empty()) entry["missing_symbols"] = missing;
    if (one->vendor == Vendor::driver) entry["version"] = version_text(static_cast<const Driver*>(one)->version);
    if (one->vendor == Vendor::nvrtc) {
      const auto* compiler = static_cast<const Nvrtc*>(one);
      entry["version"] = std::to_string(compiler->major) + "." + std::to_string(compiler->minor);
      entry["headers"] = compiler->include_directory;
    }
    libraries[names_of(one->vendor).title] = entry;
  }
  base::Json out = {{"libraries", libraries}};
  // The first library of the toolkit makes the decision; a report alone does not start a search.
  for (const Table* one : opened_tables())
    if (one->vendor != Vendor::driver) {
      out["cuda_major"] = decision().major;
      out["cuda_major_reason"] = decision().why;
      break;
    }
  return out.dump();
}

}  // namespace tenon::cuda
