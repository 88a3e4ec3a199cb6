// tool/run/program.hpp: a kernel file and its compilation, shared by the commands that take one.
#pragma once
#include "tool/failure.hpp"

namespace tool {

class SourceFile {
 public:
  // "saxpy.cu" or "saxpy.cu:axpy<float>". The options after "--" are passed to the compiler.
  SourceFile(const std::string& named, const Arguments& arguments);
  SourceFile(const SourceFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  const std::string& kernel() const { return kernel_; }  // "": no kernel was named
  std::string stem() const;
  // For these kernels; borrows from this object and from the list.
  tenon_program_options options(const std::vector<std::string>& kernels);
  void add_option(const std::string& option) { options_.push_back(option); }

 private:
  std::string path_, kernel_, text_;
  std::vector<std::string> options_;
  std::vector<const char*> option_texts_, kernel_texts_;
  uint32_t flags_ = 0;
  int32_t mode_ = TENON_PROGRAM_MODE_FAST;
};

}  // namespace tool
