// plugin/tuning.cpp: records of tuning in JSON, and the nearest one.
#include "plugin/tuning.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include "base/files.hpp"
#include "plugin/operation.hpp"

namespace tenon::plugin {
namespace {

using json = nlohmann::ordered_json;
constexpr uint64_t kMostBytes = 16 << 20;
constexpr double kPerAxis = 32;  // another rank is farther than any extents

std::vector<const Declared*> read_arrays(const OperationContract& contract) {
  std::vector<const Declared*> out;
  for (const Declared& parameter : contract.parameters)
    if (parameter.read()) out.push_back(&parameter);
  return out;
}

double logarithm(int64_t extent) { return std::log2(double(extent) + 1); }

json to_json(const TuningRecord& record, const Operation& operation) {
  const OperationContract& contract = operation.contract();
  json out;
  out["version"] = operation.package().contract().version.text();
  out["device"] = record.device;
  if (record.threads) out["threads"] = record.threads;
  out["types"] = json::object();
  for (size_t i = 0; i < record.types.size(); ++i) out["types"][contract.placeholders[i].name] = dtype_name(record.types[i]);
  out["shapes"] = json::object();
  const std::vector<const Declared*> arrays = read_arrays(contract);
  for (size_t i = 0; i < arrays.size(); ++i) out["shapes"][arrays[i]->name] = record.shapes[i];
  for (size_t i = 0; i < record.values.size(); ++i) out["tunables"][contract.tunables[i].name] = record.values[i];
  out["milliseconds"] = record.milliseconds;
  out["default_milliseconds"] = record.default_milliseconds;
  return out;
}

// Throws std::exception for one that does not fit the contract (any more).
TuningRecord from_json(const json& row, const OperationContract& contract) {
  TuningRecord out;
  out.device = row.at("device");
  out.threads = row.value("threads", 0);
  for (const Placeholder& placeholder : contract.placeholders) {
    out.types.push_back(dtype_named(row.at("types").at(placeholder.name).get<std::string>()));
    if (!out.types.back()) throw std::runtime_error("a dtype that there is not");
  }
  for (const Declared* parameter : read_arrays(contract)) out.shapes.push_back(row.at("shapes").at(parameter->name).get<std::vector<int64_t>>());
  for (const Tunable& tunable : contract.tunables) {
    out.values.push_back(row.at("tunables").at(tunable.name));
    if (std::find(tunable.values.begin(), tunable.values.end(), out.values.back()) == tunable.values.end()) throw std::runtime_error("a value of " + tunable.name + " that the contract does not have");
  }
  out.milliseconds = row.value("milliseconds", 0.0);
  out.default_milliseconds = row.value("default_milliseconds", 0.0);
  return out;
}

// The file's content; empty where there is none. Throws IO for one that is no file of records.
json read_records(const std::string& path) {
  std::string text, why;
  if (!base::file_exists(path)) return json::object();
  if (!base::read_file(path, text, &why, kMostBytes)) fail(TENON_ERROR_IO, "records of tuning cannot be read: %s", why.c_str());
  const json out = json::parse(text, nullptr, false);
  if (!out.is_object() || !out.contains("format") || out["format"] != 1 || !out.contains("records") || !out["records"].is_array())
    fail(TENON_ERROR_IO, "%s holds no records of tuning that this library can read: remove it", path.c_str());
  return out;
}

// While it lives no other process changes the directory's records.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0) ::flock(fd_, LOCK_EX);
  }
  ~DirectoryLock() { if (fd_ >= 0) ::close(fd_); }
  DirectoryLock(const DirectoryLock&) = delete;

 private:
  const int fd_;
};

}  // namespace

bool TuningRecord::same_problem(const TuningRecord& other) const {
  return device == other.device && threads == other.threads && types == other.types && shapes == other.shapes;
}

void describe_device(const Device& device, TuningRecord& out) {
  out.device = device.description();
  out.threads = device.kind() == TENON_DEVICE_CPU ? device.info().multiprocessors : 0;
}

std::string TuningTable::file_of(const Operation& operation) {
  const std::string& directory = operation.context().settings().tuning_directory;
  return directory.empty() ? "" : directory + "/" + operation.package().contract().name + "." + operation.contract().name + ".json";
}

TuningTable TuningTable::of(const Operation& operation) {
  TuningTable out;
  const OperationContract& contract = operation.contract();
  const std::string path = file_of(operation);
  if (path.empty() || operation.context().settings().deterministic()) return out;
  for (const Declared* parameter : read_arrays(contract)) out.operands_.push_back(parameter->operand);
  try {
    const json all = read_records(path);
    for (const json& row : all.value("records", json::array())) {
      if (!row.is_object() || row.value("version", "") != operation.package().contract().version.text()) continue;
      try {
        Row one{from_json(row, contract), {}};
        for (const std::vector<int64_t>& shape : one.record.shapes)
          for (const int64_t extent : shape) one.logarithms.push_back(logarithm(extent));
        out.rows_.push_back(std::move(one));
      } catch (const std::exception& error) {
        operation.context().log(TENON_LOG_WARNING, "%s: a record of tuning of %s is not used: %s", path.c_str(), operation.title().c_str(), error.what());
      }
    }
  } catch (const Error& error) {
    operation.context().log(TENON_LOG_WARNING, "%s", error.message.c_str());
  } catch (const std::exception& error) {  // a field of another kind
    operation.context().log(TENON_LOG_WARNING, "%s is not used: %s", path.c_str(), error.what());
  }
  return out;
}

std::string TuningTable::add(const Operation& operation, const std::vector<TuningRecord>& records) {
  const std::string path = file_of(operation), directory = operation.context().settings().tuning_directory;
  TENON_REQUIRE(!path.empty(), TENON_ERROR_IO, "there is no directory for records of tuning: set TENON_TUNING_DIR or HOME, or the context's tuning_directory");
  std::string why;
  if (!base::private_directory(directory, &why)) fail(TENON_ERROR_IO, "records of tuning cannot be kept: %s", why.c_str());
  const DirectoryLock lock(directory);
  const json before = read_records(path);
  const std::string version = operation.package().contract().version.text();
  json out = {{"format", 1}, {"package", operation.package().contract().name}, {"operation", operation.contract().name}, {"records", json::array()}};
  for (const json& row : before.value("records", json::array())) {
    bool replaced = false;
    try {
      const TuningRecord old = from_json(row, operation.contract());
      for (const TuningRecord& record : records) replaced = replaced || (row.value("version", "") == version && record.same_problem(old));
    } catch (const std::exception&) {  // of another version, with another contract
    }
    if (!replaced) out["records"].push_back(row);
  }
  for (const TuningRecord& record : records) out["records"].push_back(to_json(record, operation));
  if (!base::write_file_atomically(path, out.dump(1) + "\n", &why)) fail(TENON_ERROR_IO, "records of tuning cannot be written: %s", why.c_str());
  return path;
}

const int64_t* TuningTable::find(const Device& device, const Frame& frame) const {
  const int32_t threads = device.kind() == TENON_DEVICE_CPU ? device.info().multiprocessors : 0;
  const Row* best = nullptr;
  double least = 0;
  for (const Row& row : rows_) {
    const TuningRecord& record = row.record;
    if (record.threads != threads || !std::equal(record.types.begin(), record.types.end(), frame.types) || record.device != device.description()) continue;
    double distance = 0;
    const double* logarithms = row.logarithms.data();
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Operand& operand = frame.operands[operands_[i]];
      const std::vector<int64_t>& shape = record.shapes[i];
      if (shape.size() == size_t(operand.rank)) {
        for (int32_t axis = 0; axis < operand.rank; ++axis)
          if (operand.shape[axis] != shape[size_t(axis)]) distance += std::fabs(logarithm(operand.shape[axis]) - logarithms[axis]);
      } else {  // the number of elements is what they have in common
        double size = 0;
        for (size_t axis = 0; axis < shape.size(); ++axis) size += logarithms[axis];
        distance += kPerAxis * std::fabs(double(shape.size()) - operand.rank) + std::fabs(logarithm(operand.size) - size);
      }
      logarithms += shape.size();
    }
    if (distance == 0) return record.values.data();
    if (!best || distance < least) best = &row, least = distance;
  }
  return best ? best->record.values.data() : nullptr;
}

}  // namespace tenon::plugin
