// tool/run/program.cpp: kernel files.
#include "tool/run/program.hpp"
#include <filesystem>

namespace tool {

SourceFile::SourceFile(const std::string& named, const Arguments& arguments) : path_(named) {
  std::error_code ignored;
  const size_t end = named.rfind(".cu:");
  if (end != named.npos && !std::filesystem::exists(named, ignored)) {
    path_ = named.substr(0, end + 3);
    kernel_ = named.substr(end + 4);
  }
  text_ = read_file(path_);
  options_ = arguments.rest;
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  options_.push_back("-I" +
                     std::filesystem::absolute(folder.empty() ? "." : folder).string());  // headers next to the file
  if (arguments.flag("fast-math")) flags_ |= TENON_PROGRAM_FLAG_FAST_MATH;
  const std::string mode = arguments.text("mode", "fast");
  if (mode != "fast" && mode != "debug" && mode != "check") usage("--mode must be fast, debug or check, not " + mode);
  mode_ = mode == "fast"    ? TENON_PROGRAM_MODE_FAST
          : mode == "debug" ? TENON_PROGRAM_MODE_DEBUG
                            : TENON_PROGRAM_MODE_CHECK;
}

std::string SourceFile::stem() const { return std::filesystem::path(path_).stem().string(); }

tenon_program_options SourceFile::options(const std::vector<std::string>& kernels) {
  option_texts_.clear();
  kernel_texts_.clear();
  for (const std::string& one : options_) option_texts_.push_back(one.c_str());
  for (const std::string& one : kernels) kernel_texts_.push_back(one.c_str());
  tenon_program_options out{};
  out.struct_size = sizeof out;
  out.name = path_.c_str();
  out.options = option_texts_.data();
  out.option_count = int32_t(option_texts_.size());
  out.kernels = kernel_texts_.data();
  out.kernel_count = int32_t(kernel_texts_.size());
  out.flags = flags_;
  out.mode = mode_;
  return out;
}

}  // namespace tool
