// tool/run/run_arguments.hpp: words of the command line as arguments of a kernel or an operation.
#pragma once
#include <map>
#include "tool/files/array_file.hpp"

namespace tool {

// The destination of an argument: a kernel's parameter, or an operation's.
struct Slot {
  std::string name;  // "": it has no name
  bool array = false;
  bool written = false;
  bool made = false;  // an output of an operation, which is created unless a word is given
  bool optional = false;
  bool list = false;
  uint32_t dtype = 0;  // 0: determined by a placeholder, or by the arguments for a void pointer
  std::string type;    // the placeholder
  std::vector<std::string> choices;
};

// A placeholder of an operation: its default, and how it follows from another one.
struct RunPlaceholder {
  std::string first, from;
  std::map<std::string, std::string> follows;
};

class RunArguments {
 public:
  RunArguments(tenon_device* device, std::vector<Slot> slots, std::map<std::string, RunPlaceholder> placeholders = {})
      : device_(device),
        slots_(std::move(slots)),
        placeholders_(std::move(placeholders)),
        args_(slots_.size()),
        arrays_(slots_.size()),
        given_(slots_.size()) {}
  RunArguments(const RunArguments&) = delete;

  // "x=photo.png", or "2.5" in the order of the parameters. Throws Failure, naming the parameter.
  void read(const std::vector<std::string>& words);

  const std::vector<Slot>& slots() const { return slots_; }
  tenon_arg* args() { return args_.data(); }
  int32_t count() const { return int32_t(args_.size()); }
  tenon_array* array(size_t index) const { return arrays_[index].get(); }
  void set_array(size_t index, Array array);
  size_t find(const std::string& name) const;  // throws usage
  std::vector<int64_t> shape_of(size_t index) const;

 private:
  void fill(size_t index);
  void fill_array(size_t index, const std::string& word);
  void fill_scalar(size_t index, const std::string& word);
  Array made(uint32_t dtype, const std::vector<int64_t>& shape) const;
  // The dtype of the slot's placeholder: that of the first array declared with it, or the one that follows from another
  // placeholder, or its first dtype. For a kernel's void pointer, the dtype of the first array.
  uint32_t placeholder_dtype(size_t index) const;
  std::string dtype_of_type(const std::string& type) const;
  std::string called(size_t index) const;

  tenon_device* device_;
  std::vector<Slot> slots_;
  std::map<std::string, RunPlaceholder> placeholders_;
  std::vector<tenon_arg> args_;
  std::vector<Array> arrays_;
  std::vector<std::string> given_;
  std::vector<std::string> bytes_;
};

std::vector<int64_t> parse_shape(const std::string& text);  // "3x4"
HostArray to_host(tenon_array* array);
// A summary for people: dtype, shape, and the values or their range.
std::string summary(tenon_array* array);

}  // namespace tool
