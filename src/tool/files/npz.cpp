// tool/files/npz.cpp: NumPy's .npz format, which is a zip archive of .npy files, by libzip.
#include "tool/files/array_file.hpp"
#ifdef TENON_TOOL_ZIP
#include <zip.h>
#endif

namespace tool {

#ifdef TENON_TOOL_ZIP
namespace {

constexpr uint64_t kMostBytes = uint64_t(1) << 36;

struct Close {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

}  // namespace

HostArray read_npz(const std::string& path, const std::string& member) {
  int number = 0;
  const std::unique_ptr<zip_t, Close> archive(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &number));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, number);
    const std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Failure(number == ZIP_ER_NOENT ? kMissing : kFailed, path + " cannot be read: " + text);
  }
  std::string list;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    std::string name = zip_get_name(archive.get(), zip_uint64_t(i), 0);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    list += (list.empty() ? "" : ", ") + name;
    if (member.empty() ? count != 1 : name != member) continue;
    zip_stat_t info;
    const std::unique_ptr<zip_file_t, Close> file(zip_fopen_index(archive.get(), zip_uint64_t(i), 0));
    if (!file || zip_stat_index(archive.get(), zip_uint64_t(i), 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE))
      throw Failure(kFailed, path + ":" + name + " cannot be read: " + zip_strerror(archive.get()));
    if (info.size > kMostBytes) throw Failure(kFailed, path + ":" + name + " is too large");
    std::string bytes;
    bytes.reserve(std::min<uint64_t>(info.size, 1 << 20));  // the stated size may be wrong
    char part[1 << 16];
    for (zip_int64_t got; (got = zip_fread(file.get(), part, sizeof part)) != 0;) {
      if (got < 0 || bytes.size() > info.size) throw Failure(kFailed, path + ":" + name + " is damaged");
      bytes.append(part, size_t(got));
    }
    return decode_npy(bytes, path + ":" + name);
  }
  if (member.empty()) usage(path + " holds " + list + ": name one of them, as in " + path + ":NAME");
  throw Failure(kMissing, path + " has no array " + member + "; its arrays: " + list);
}

std::string encode_npz(const std::vector<NamedArray>& arrays, const std::string& name) {
  const auto failed = [&](const char* why) -> Failure { return Failure(kFailed, name + " cannot be made: " + why); };
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const memory = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (!memory) throw failed(zip_error_strerror(&error));
  const std::unique_ptr<zip_source_t, Close> keep(memory);
  zip_source_keep(memory);
  std::unique_ptr<zip_t, Close> archive(zip_open_from_source(memory, ZIP_TRUNCATE, &error));
  if (!archive) throw failed(zip_error_strerror(&error));
  std::vector<std::string> texts;
  for (const NamedArray& one : arrays) texts.push_back(encode_npy(one.array, name + ":" + one.name));
  for (size_t i = 0; i < arrays.size(); ++i) {
    zip_source_t* const source = zip_source_buffer(archive.get(), texts[i].data(), texts[i].size(), 0);
    const zip_int64_t index =
        source ? zip_file_add(archive.get(), (arrays[i].name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      zip_source_free(source);
      throw failed(zip_strerror(archive.get()));
    }
    zip_set_file_compression(archive.get(), zip_uint64_t(index), ZIP_CM_STORE, 0);  // like numpy.savez
  }
  if (zip_close(archive.get()) != 0) throw failed(zip_strerror(archive.get()));
  archive.release();
  zip_stat_t info;
  if (zip_source_open(memory) != 0 || zip_source_stat(memory, &info) != 0) throw failed("its bytes cannot be read");
  std::string out(info.size, '\0');
  const zip_int64_t got = zip_source_read(memory, out.data(), out.size());
  zip_source_close(memory);
  if (got < 0 || uint64_t(got) != info.size) throw failed("its bytes cannot be read");
  return out;
}
#else
HostArray read_npz(const std::string& path, const std::string&) {
  throw Failure(kMissing, path + ": this command was built without libzip, which reads .npz: give .npy");
}
std::string encode_npz(const std::vector<NamedArray>&, const std::string& name) {
  throw Failure(kMissing, name + ": this command was built without libzip, which writes .npz: write .npy");
}
#endif

}  // namespace tool
