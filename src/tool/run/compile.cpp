// tool/run/compile.cpp: `tenon compile`: for a device, or for architectures without a GPU; images, and the resources
// that kernels use.
#include <cxxabi.h>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include "tool/commands.hpp"
#include "tool/run/program.hpp"

namespace tool {
namespace {

struct Resources {
  std::string kernel;
  int registers = 0;
  unsigned long long shared = 0, constant = 0, stack = 0, spill_stores = 0, spill_loads = 0;
};

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : symbol;
}

// The output of ptxas -v, and the rest of the log.
std::vector<Resources> read_ptxas(const std::string& log, std::string& rest) {
  std::vector<Resources> out;
  std::istringstream lines(log);
  bool of_kernel = false;  // false: of a device function, which is described, too
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("ptxas info") && !line.starts_with("ptxas         .") &&
        line.find("bytes stack frame") == line.npos) {
      rest += line + "\n";
      continue;
    }
    if (const size_t at = line.find("Compiling entry function '"); at != line.npos) {
      const size_t begin = at + 26;
      out.emplace_back().kernel = demangled(line.substr(begin, line.find('\'', begin) - begin));
      of_kernel = true;
      continue;
    }
    if (const size_t at = line.find("Function properties for "); at != line.npos)
      of_kernel = !out.empty() && demangled(line.substr(at + 24)) == out.back().kernel;
    if (out.empty()) continue;
    Resources& last = out.back();
    const auto number = [&](const char* unit, auto& to) {  // "360 bytes cmem[0]"
      for (size_t at = 0; (at = line.find(unit, at)) != line.npos; ++at) {
        const size_t begin = line.find_last_not_of("0123456789", at - 1) + 1;
        if (begin < at)
          to = static_cast<std::remove_reference_t<decltype(to)>>(to + std::stoull(line.substr(begin, at - begin)));
      }
    };
    if (line.find("Used ") != line.npos) {
      number(" registers", last.registers);
      number(" bytes smem", last.shared);
      number(" bytes cmem", last.constant);
    } else if (of_kernel) {
      number(" bytes stack frame", last.stack);
      number(" bytes spill stores", last.spill_stores);
      number(" bytes spill loads", last.spill_loads);
    }
  }
  return out;
}

json to_json(const Resources& one) {
  return {{"kernel", one.kernel},           {"registers", one.registers}, {"shared_bytes", one.shared},
          {"constant_bytes", one.constant}, {"stack_bytes", one.stack},   {"spill_stores", one.spill_stores},
          {"spill_loads", one.spill_loads}};
}

void print(const Resources& one, Output& out) {
  std::string text =
      format("    %s: %d registers, %llu bytes of shared memory", one.kernel.c_str(), one.registers, one.shared);
  if (one.stack) text += format(", %llu of stack", one.stack);
  text += one.spill_stores || one.spill_loads
              ? ", " + out.bad(format("spills %llu bytes out and %llu in", one.spill_stores, one.spill_loads))
              : ", no spills";
  out.line(text);
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

json for_architecture(const std::string& architecture, SourceFile& file, const std::vector<std::string>& kernels,
                      bool ptx, const std::string& path, Output& out) {
  tenon_blob *image = nullptr, *log = nullptr;
  const tenon_program_options options = file.options(kernels);
  check(tenon_program_compile(architecture.c_str(), file.text().data(), file.text().size(), &options,
                              ptx ? TENON_IMAGE_PTX : TENON_IMAGE_BINARY, &image, &log));
  const std::string bytes = bytes_of(image);
  std::string rest;
  const std::vector<Resources> found = read_ptxas(bytes_of(log), rest);
  json row = {
      {"architecture", architecture}, {"bytes", bytes.size()}, {"kernels", json::array()}, {"log", trimmed(rest)}};
  out.line(out.strong(architecture) + format("  %zu bytes", bytes.size()) + (path.empty() ? "" : " -> " + path));
  for (const Resources& one : found) {
    row["kernels"].push_back(to_json(one));
    print(one, out);
  }
  if (!trimmed(rest).empty()) out.line(trimmed(rest));
  if (!path.empty()) {
    write_file(path, bytes);
    row["file"] = path;
  }
  return row;
}

// How the CPU runs a kernel's threads, from TENON_EXECUTION_*.
std::vector<std::string> execution_of(uint32_t flags) {
  const std::pair<uint32_t, const char*> words[] = {
      {TENON_EXECUTION_LOOP, "one loop over the threads"},
      {TENON_EXECUTION_REGIONS, "loops from barrier to barrier"},
      {TENON_EXECUTION_FIBERS, "fibers that meet at barriers"},
      {TENON_EXECUTION_WARPS, "fibers, scheduled for warp operations"},
      {TENON_EXECUTION_IN_ORDER, "grid-stride loops in the order of memory"},
      {TENON_EXECUTION_SIDE_BY_SIDE, "loops of several threads side by side"}};
  std::vector<std::string> out;
  for (const auto& [flag, word] : words)
    if (flags & flag) out.push_back(word);
  return out;
}

std::string text_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

json for_device(const std::string& name, SourceFile& file, const std::vector<std::string>& kernels, bool ptx,
                const std::string& path, Output& out) {
  const Device device = device_named(name);
  const tenon_program_options options = file.options(kernels);
  const Program program =
      own<Program>(tenon_program_create, device.get(), file.text().data(), uint64_t(file.text().size()), &options);
  const std::string bytes = text_from(tenon_program_image, program.get(), ptx ? TENON_IMAGE_PTX : TENON_IMAGE_BINARY);
  const char* log = "";
  check(tenon_program_log(program.get(), &log));
  json row = {
      {"device", name_of(device.get())}, {"bytes", bytes.size()}, {"kernels", json::array()}, {"log", trimmed(log)}};
  out.line(out.strong(name_of(device.get())) + format("  %zu bytes", bytes.size()) +
           (path.empty() ? "" : " -> " + path));
  for (const std::string& one : kernels) {
    const Kernel kernel = own<Kernel>(tenon_program_kernel, program.get(), one.c_str());
    tenon_kernel_info info{};
    info.struct_size = sizeof info;
    check(tenon_kernel_get_info(kernel.get(), &info));
    const std::vector<std::string> execution = execution_of(info.execution);
    row["kernels"].push_back({{"kernel", one},
                              {"registers", info.registers},
                              {"shared_bytes", info.shared_bytes},
                              {"constant_bytes", info.constant_bytes},
                              {"local_bytes", info.local_bytes},
                              {"max_threads_per_block", info.max_threads_per_block},
                              {"execution", execution}});
    std::string text = format("    %s: %d threads a block at most, %llu bytes of shared memory", one.c_str(),
                              info.max_threads_per_block, static_cast<unsigned long long>(info.shared_bytes));
    if (info.registers)
      text += format(", %d registers, %llu bytes of local memory a thread", info.registers,
                     static_cast<unsigned long long>(info.local_bytes));
    if (info.execution) text += ", runs as " + text_of(execution);
    out.line(text);
  }
  if (kernels.empty()) out.line("    name its kernels (--kernel) to see what they take");
  if (*log) out.line(trimmed(log));
  if (!path.empty()) {
    write_file(path, bytes);
    row["file"] = path;
  }
  return row;
}

// "saxpy.cubin" for sm_80 and sm_90: saxpy.sm_80.cubin and saxpy.sm_90.cubin.
std::string path_for(const std::string& path, const std::string& which, bool several) {
  if (path.empty() || !several) return path;
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "." + which + whole.extension().string())).string();
}

}  // namespace

int run_compile(const Arguments& arguments, Output& out) {
  SourceFile file(arguments[0], arguments);
  std::vector<std::string> kernels = arguments.all("kernel");
  if (!file.kernel().empty()) kernels.insert(kernels.begin(), file.kernel());
  const std::vector<std::string> architectures = arguments.all("arch");
  std::vector<std::string> devices = arguments.all("device");
  if (architectures.empty() && devices.empty()) devices.push_back("best");
  const bool several = architectures.size() + devices.size() > 1, ptx = arguments.flag("ptx");
  const std::string path = arguments.text("output");
  json rows = json::array();
  for (const std::string& name : devices)
    rows.push_back(for_device(name, file, kernels, ptx, path_for(path, name, several), out));
  file.add_option("--ptxas-options=-v");  // the report
  for (size_t i = 0; i < architectures.size(); ++i) {
    out.progress(double(i) / double(architectures.size()), architectures[i]);
    rows.push_back(
        for_architecture(architectures[i], file, kernels, ptx, path_for(path, architectures[i], several), out));
  }
  out.document({{"file", file.path()}, {"compiled", rows}});
  return kDone;
}

}  // namespace tool
