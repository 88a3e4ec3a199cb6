// tool/run/run_arguments.cpp: numbers, files, new arrays.
#include "tool/run/run_arguments.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include "tool/suggest.hpp"

namespace tool {
namespace {

tenon_array_info info_of(tenon_array* array) {
  tenon_array_info out{};
  out.struct_size = sizeof out;
  check(tenon_array_get_info(array, &out));
  return out;
}

uint32_t dtype_named(const std::string& name) {
  for (const uint32_t dtype :
       {TENON_BOOL, TENON_INT8, TENON_INT16, TENON_INT32, TENON_INT64, TENON_UINT8, TENON_UINT16, TENON_UINT32,
        TENON_UINT64, TENON_FLOAT16, TENON_FLOAT32, TENON_FLOAT64, TENON_BFLOAT16, TENON_COMPLEX64, TENON_COMPLEX128})
    if (name == tenon_dtype_name(dtype)) return dtype;
  usage("\"" + name + "\" is not a dtype: use float32, float64, int32, uint8 and so on");
}

bool is_integer(uint32_t dtype) {
  const uint32_t code = dtype & 0xff;
  return code == (TENON_INT32 & 0xff) || code == (TENON_UINT32 & 0xff) || code == (TENON_BOOL & 0xff);
}

template <class T> void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The number as bytes of the dtype; throws if it does not fit.
std::string scalar_bytes(const std::string& word, uint32_t dtype, const std::string& who) {
  char* end = nullptr;
  errno = 0;
  std::string out;
  if (is_integer(dtype)) {
    const bool negative = word[0] == '-';
    // Decimal, or hexadecimal after 0x: a leading zero does not make a number octal.
    const int base = word.find("0x") == negative || word.find("0X") == negative ? 16 : 10;
    const bool unsigned_type = (dtype & 0xff) == (TENON_UINT32 & 0xff);
    const long long value = unsigned_type && !negative ? static_cast<long long>(std::strtoull(word.c_str(), &end, base))
                                                       : std::strtoll(word.c_str(), &end, base);
    const std::string named = word == "true" || word == "false" ? word : "";
    if (named.empty() && (*end || end == word.c_str() || errno))
      usage(who + " has dtype " + tenon_dtype_name(dtype) + ": \"" + word + "\" is not an integer");
    const long long used = named == "true" ? 1 : named == "false" ? 0 : value;
    uint32_t bits = 0;
    check(tenon_dtype_bits(dtype, &bits));
    const bool boolean = dtype == TENON_BOOL;
    bool fits = !(unsigned_type && negative && used != 0);
    if (bits < 64 && unsigned_type) fits = fits && static_cast<unsigned long long>(used) >> bits == 0;
    if (bits < 64 && !unsigned_type && !boolean)
      fits = fits && used >= -(1ll << (bits - 1)) && used < (1ll << (bits - 1));
    if (boolean) fits = used == 0 || used == 1;
    if (!fits) usage(who + " has dtype " + tenon_dtype_name(dtype) + ": " + word + " does not fit");
    put(out, used);
    return out.substr(0, bits / 8);
  }
  const double value = std::strtod(word.c_str(), &end);
  if (*end || end == word.c_str())
    usage(who + " has dtype " + tenon_dtype_name(dtype) + ": \"" + word + "\" is not a number");
  switch (dtype) {
    case TENON_FLOAT32: put(out, float(value)); break;
    case TENON_FLOAT64: put(out, value); break;
    case TENON_COMPLEX64: put(out, float(value)), put(out, 0.0f); break;
    case TENON_COMPLEX128: put(out, value), put(out, 0.0); break;
    default: {  // uses the library's conversion
      const Device cpu = device_named("cpu:0");
      const Array wide = own<Array>(tenon_array_from_host, cpu.get(), uint32_t(TENON_FLOAT64), 0, nullptr,
                                    static_cast<const void*>(&value), uint64_t(sizeof value), nullptr);
      return to_host(own<Array>(tenon_array_convert, wide.get(), dtype, nullptr, nullptr).get()).bytes;
    }
  }
  return out;
}

}  // namespace

std::vector<int64_t> parse_shape(const std::string& text) {
  std::vector<int64_t> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('x', begin), text.size());
    char* stop = nullptr;
    const long long extent = std::strtoll(text.c_str() + begin, &stop, 10);
    if (stop != text.c_str() + end || extent < 0) usage("\"" + text + "\" is not a shape: write 100 or 3x4");
    out.push_back(extent);
    begin = end + 1;
  }
  return out;
}

std::string RunArguments::called(size_t index) const {
  return slots_[index].name.empty() ? "argument " + std::to_string(index) : slots_[index].name;
}

size_t RunArguments::find(const std::string& name) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].name.empty() && slots_[i].name == name) return i;
    if (name == std::to_string(i)) return i;
    if (!slots_[i].name.empty()) names.push_back(slots_[i].name);
  }
  std::string list;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (i) list += ", ";
    list += slots_[i].name.empty() ? std::to_string(i) : slots_[i].name;
  }
  const std::string guess = did_you_mean(name, names);
  usage("there is no parameter \"" + name + "\"" + (guess.empty() ? "; there is: " + list : guess));
}

void RunArguments::read(const std::vector<std::string>& words) {
  size_t next = 0;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const bool named =
        equals != word.npos && equals > 0 &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == equals;
    size_t index;
    if (named) {
      index = find(word.substr(0, equals));
    } else {
      while (next < slots_.size() && (!given_[next].empty() || slots_[next].made)) ++next;
      if (next == slots_.size())
        usage("\"" + word + "\" is one argument too many: there are " + std::to_string(slots_.size()));
      index = next++;
    }
    if (!given_[index].empty()) usage(called(index) + " is given twice");
    given_[index] = named ? word.substr(equals + 1) : word;
    if (given_[index].empty()) usage(called(index) + " has no value");
  }
  for (size_t i = 0; i < slots_.size(); ++i)
    if (given_[i].empty() && !slots_[i].optional && !slots_[i].made)
      usage(called(i) + " is missing: give " +
            (slots_[i].array ? "a file (.npy, .npz:NAME, .png), new:3x4 or like:NAME" : "a number"));
  bytes_.reserve(slots_.size());
  // Arrays from files first, then arrays like others, then numbers, which may be an array's size.
  for (const bool scalars : {false, true})
    for (const bool dependent : {false, true})
      for (size_t i = 0; i < slots_.size(); ++i)
        if (!given_[i].empty() && slots_[i].array != scalars && given_[i].starts_with("like:") == dependent) fill(i);
}

void RunArguments::fill(size_t index) {
  if (slots_[index].array) fill_array(index, given_[index]);
  else fill_scalar(index, given_[index]);
}

Array RunArguments::made(uint32_t dtype, const std::vector<int64_t>& shape) const {
  return own<Array>(tenon_array_zeros, device_, dtype, int32_t(shape.size()), shape.data(), nullptr);
}

std::string RunArguments::dtype_of_type(const std::string& type) const {
  for (size_t i = 0; i < slots_.size(); ++i)
    if (arrays_[i] && slots_[i].type == type) return tenon_dtype_name(info_of(arrays_[i].get()).dtype);
  const RunPlaceholder& placeholder = placeholders_.at(type);
  if (placeholder.from.empty()) return placeholder.first;
  const std::string from = dtype_of_type(placeholder.from);
  const auto found = placeholder.follows.find(from);
  return found == placeholder.follows.end() ? from : found->second;
}

uint32_t RunArguments::placeholder_dtype(size_t index) const {
  if (!slots_[index].type.empty()) return dtype_named(dtype_of_type(slots_[index].type));
  for (const Array& array : arrays_)
    if (array) return info_of(array.get()).dtype;
  return TENON_FLOAT32;
}

void RunArguments::set_array(size_t index, Array array) {
  arrays_[index] = std::move(array);
  args_[index] = TENON_ARRAY_ARG(arrays_[index].get());
}

std::vector<int64_t> RunArguments::shape_of(size_t index) const {
  if (!arrays_[index]) usage(called(index) + " is not an array");
  const tenon_array_info info = info_of(arrays_[index].get());
  return {info.shape, info.shape + info.rank};
}

void RunArguments::fill_array(size_t index, const std::string& word) {
  const uint32_t dtype = slots_[index].dtype & 0xffff ? slots_[index].dtype : 0;
  if (word.starts_with("new:")) {
    const size_t colon = word.find(':', 4);
    const std::vector<int64_t> shape = parse_shape(word.substr(4, colon == word.npos ? word.npos : colon - 4));
    return set_array(index, made(colon != word.npos ? dtype_named(word.substr(colon + 1))
                                 : dtype            ? dtype
                                                    : placeholder_dtype(index),
                                 shape));
  }
  if (word.starts_with("like:")) {
    const size_t other = find(word.substr(5));
    if (!arrays_[other]) usage(called(index) + " is like:" + called(other) + ", which is not an array, or comes later");
    return set_array(index, made(dtype ? dtype : info_of(arrays_[other].get()).dtype, shape_of(other)));
  }
  if (!names_array_file(word))
    usage(called(index) + " is an array, and \"" + word +
          "\" does not name one: give .npy, .npz:NAME, .png, new:3x4 or like:NAME");
  const HostArray host = read_array(word, dtype);
  std::vector<int64_t> shape = host.shape;
  if (host.fortran_order) std::reverse(shape.begin(), shape.end());
  Array array = own<Array>(tenon_array_from_host, device_, host.dtype, int32_t(shape.size()), shape.data(),
                           static_cast<const void*>(host.bytes.data()), uint64_t(host.bytes.size()), nullptr);
  if (host.fortran_order && shape.size() > 1) {
    const Array view = own<Array>(tenon_array_transpose, array.get(), int32_t(shape.size()), nullptr);
    array = own<Array>(tenon_array_convert, view.get(), host.dtype, nullptr, nullptr);
  }
  set_array(index, std::move(array));
}

void RunArguments::fill_scalar(size_t index, const std::string& given) {
  const Slot& slot = slots_[index];
  std::string word = given;
  if (given.starts_with("size:")) {
    int64_t size = 1;
    for (const int64_t extent : shape_of(find(given.substr(5)))) size *= extent;
    word = std::to_string(size);
  }
  if (given.starts_with("extent:")) {  // extent:x:0
    const size_t colon = given.rfind(':');
    const std::vector<int64_t> shape = shape_of(find(given.substr(7, colon > 7 ? colon - 7 : given.npos)));
    const long axis = colon > 7 ? std::strtol(given.c_str() + colon + 1, nullptr, 10) : 0;
    if (axis < -long(shape.size()) || axis >= long(shape.size()))
      usage(called(index) + ": " + given + " is not an axis of " + shape_text(shape));
    word = std::to_string(shape[size_t(axis < 0 ? axis + long(shape.size()) : axis)]);
  }
  if (!slot.choices.empty()) {
    const auto found = std::find(slot.choices.begin(), slot.choices.end(), word);
    if (found == slot.choices.end()) {
      std::string list;
      for (const std::string& one : slot.choices) list += (list.empty() ? "" : ", ") + one;
      usage(called(index) + " is one of " + list + ", not \"" + word + "\"");
    }
    args_[index] = TENON_I32_ARG(int32_t(found - slot.choices.begin()));
    return;
  }
  const uint32_t dtype = slot.dtype ? slot.dtype : placeholder_dtype(index);
  if (slot.list) {
    std::string all;
    for (size_t begin = 0; begin <= word.size();) {
      const size_t end = std::min(word.find(',', begin), word.size());
      all += scalar_bytes(word.substr(begin, end - begin), dtype, called(index));
      begin = end + 1;
    }
    bytes_.push_back(std::move(all));
    args_[index].kind = TENON_ARG_BYTES;
    args_[index].size = bytes_.back().size();
    args_[index].value.bytes = bytes_.back().data();
    return;
  }
  const std::string bytes = scalar_bytes(word, dtype, called(index));
  if (bytes.size() > sizeof args_[index].value)
    usage(called(index) + " has dtype " + tenon_dtype_name(dtype) + ", which cannot be given here");
  args_[index] = tenon_arg{};
  args_[index].kind = TENON_ARG_SCALAR;
  args_[index].dtype = dtype;
  args_[index].size = bytes.size();
  std::memcpy(&args_[index].value, bytes.data(), bytes.size());
}

HostArray to_host(tenon_array* array) {
  const tenon_array_info info = info_of(array);
  HostArray out;
  out.dtype = info.dtype;
  out.shape.assign(info.shape, info.shape + info.rank);
  out.bytes.resize(info.bytes);
  check(tenon_array_to_host(array, out.bytes.data(), out.bytes.size(), nullptr));
  return out;
}

std::string summary(tenon_array* array) {
  const tenon_array_info info = info_of(array);
  std::string out = std::string(tenon_dtype_name(info.dtype)) + ", " + shape_text({info.shape, info.shape + info.rank});
  const uint32_t code = info.dtype & 0xff;
  if (!info.size || code == (TENON_COMPLEX64 & 0xff) || info.dtype >> 16 != 1) return out;
  const Device cpu = device_named("cpu:0");
  const HostArray wide =
      to_host(own<Array>(tenon_array_convert, array, uint32_t(TENON_FLOAT64), cpu.get(), nullptr).get());
  std::vector<double> values(size_t(info.size));
  std::memcpy(values.data(), wide.bytes.data(), wide.bytes.size());
  if (values.size() <= 8) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ", ") + format("%.6g", value);
    return out + ": " + list;
  }
  double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
  size_t odd = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      ++odd;
      continue;
    }
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
  }
  if (odd < values.size()) out += format(": %.6g to %.6g, mean %.6g", least, most, sum / double(values.size() - odd));
  return odd ? out + format(", %zu not finite", odd) : out;
}

}  // namespace tool
