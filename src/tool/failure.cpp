// tool/failure.cpp: failures of the library as exceptions, its outputs as values, files.
#include "tool/failure.hpp"
#include <unistd.h>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tool {

void usage(const std::string& text) { throw Failure(kUsage, text); }

std::string format(const char* text, ...) {
  va_list list;
  va_start(list, text);
  char* made = nullptr;
  const int length = vasprintf(&made, text, list);
  va_end(list);
  if (length < 0) throw std::bad_alloc();
  const std::unique_ptr<char, void (*)(void*)> own(made, std::free);
  return std::string(made, size_t(length));
}

int exit_code_of(int32_t status) {
  switch (status) {
    case TENON_ERROR_NOT_FOUND:
    case TENON_ERROR_UNSUPPORTED:
    case TENON_ERROR_MISSING_LIBRARY: return kMissing;
    default: return kFailed;
  }
}

void check(int32_t status) {
  if (status == TENON_OK) return;
  std::string log;
  tenon_error* record = nullptr;
  if (tenon_error_last(&record) == TENON_OK && record) {
    const char* text = "";
    if (tenon_error_log(record, &text) == TENON_OK) log = text;
  }
  const std::string message = tenon_error_last_message();
  tenon_error_release(record);
  throw Failure(exit_code_of(status), message, log, status);
}

std::string bytes_of(tenon_blob* blob) {
  const std::unique_ptr<tenon_blob, Releaser<tenon_blob, tenon_blob_release>> own(blob);
  const void* data = nullptr;
  uint64_t size = 0;
  check(tenon_blob_data(blob, &data, &size));
  return std::string(static_cast<const char*>(data), size);
}

Device device_named(const std::string& name) { return own<Device>(tenon_context_device, nullptr, name.c_str()); }

std::string name_of(tenon_device* device) {
  const char* name = "";
  check(tenon_device_name(device, &name));
  return name;
}

tenon_device_info info_of(tenon_device* device) {
  tenon_device_info info{};
  info.struct_size = sizeof info;
  check(tenon_device_get_info(device, &info));
  return info;
}

std::vector<Device> devices_for(const std::vector<std::string>& names) {
  std::vector<Device> out;
  for (const std::string& name : names) out.push_back(device_named(name));
  if (!out.empty()) return out;
  out.push_back(device_named("cpu:0"));
  Device best = device_named("best");
  if (name_of(best.get()) != name_of(out[0].get())) out.push_back(std::move(best));
  return out;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  if (file) all << file.rdbuf();
  if (!file || file.bad()) throw Failure(kMissing, path + " cannot be read: " + std::strerror(errno ? errno : EIO));
  return std::move(all).str();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::error_code ignored;
  const bool special = std::filesystem::exists(path, ignored) &&
                       !std::filesystem::is_regular_file(path, ignored);  // a pipe, /dev/stdout
  const std::string written = special ? path : path + ".part-" + std::to_string(getpid());
  errno = 0;
  std::ofstream file(written, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  if (file && (special || std::rename(written.c_str(), path.c_str()) == 0)) return;
  const int number = errno ? errno : EIO;
  if (!special) std::remove(written.c_str());
  throw Failure(kFailed, path + " cannot be written: " + std::strerror(number));
}

}  // namespace tool
