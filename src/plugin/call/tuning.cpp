// plugin/call/tuning.cpp: records of tuning in JSON, and the nearest one.
#include "plugin/call/tuning.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/trust.hpp"
#include "plugin/call/operation.hpp"

namespace tenon::plugin {
namespace {

using json = base::Json;
constexpr uint64_t kMostBytes = 16 << 20;
constexpr int64_t kDeepestRecord = 64;  // nesting of brackets in a file
// Distances, in factors of two.
constexpr double kFarthest = 12;  // 4096 times the elements: records farther away are not relevant to a call
constexpr double kPerAxis = 32;   // another rank, or number of entries
constexpr double kPerWord = 8;    // another choice is as far as 256 times the elements

std::vector<const Declared*> read_arrays(const OperationContract& contract) {
  std::vector<const Declared*> out;
  for (const Declared& parameter : contract.parameters)
    if (parameter.read()) out.push_back(&parameter);
  return out;
}

double logarithm(int64_t extent) { return std::log2(double(extent) + 1); }
double logarithm(double scalar) { return std::copysign(std::log2(std::fabs(scalar) + 1), scalar); }

bool is_whole(const Declared& scalar) { return scalar.type.dtype && !dtype_floating(scalar.type.dtype); }

json scalar_to_json(const Declared& scalar, const std::vector<double>& values) {
  if (!scalar.choices.empty()) return scalar.choices[size_t(values[0])];
  json out = json::array();
  for (const double value : values) out.push_back(is_whole(scalar) ? json(int64_t(value)) : json(value));
  return scalar.list >= 0 ? out : *out.begin();
}

std::vector<double> scalar_from_json(const Declared& scalar, const json& scalars) {
  const json& found = scalars.at(scalar.name);
  if (scalar.list >= 0) return found.get<std::vector<double>>();
  if (scalar.choices.empty()) return {found.get<double>()};
  const auto word = std::find(scalar.choices.begin(), scalar.choices.end(), found.get<std::string>());
  if (word == scalar.choices.end())
    throw std::runtime_error("its choice of " + scalar.name + " is not in the contract");
  return {double(word - scalar.choices.begin())};
}

double scalar_distance(const Declared& scalar, const std::vector<double>& record, const std::vector<double>& is) {
  if (!scalar.choices.empty()) return record == is ? 0 : kPerWord;
  if (record.size() != is.size()) return kPerAxis * std::fabs(double(record.size()) - double(is.size()));
  double out = 0;
  for (size_t i = 0; i < is.size(); ++i)
    if (is[i] != record[i]) out += std::fabs(logarithm(is[i]) - logarithm(record[i]));
  return out;
}

json to_json(const TuningRecord& record, const Operation& operation) {
  const OperationContract& contract = operation.contract();
  json out;
  out["version"] = operation.package().contract().version.text();
  out["hash"] = operation.package().hash();
  out["device"] = record.device;
  if (record.threads) out["threads"] = record.threads;
  out["types"] = json::object();
  for (size_t i = 0; i < record.types.size(); ++i)
    out["types"][contract.placeholders[i].name] = dtype_name(record.types[i]);
  out["shapes"] = json::object();
  const std::vector<const Declared*> arrays = read_arrays(contract);
  for (size_t i = 0; i < arrays.size(); ++i) out["shapes"][arrays[i]->name] = record.shapes[i];
  for (size_t i = 0; i < record.scalars.size(); ++i) {
    const Declared& scalar = contract.parameters[size_t(contract.tuned_for[i])];
    out["scalars"][scalar.name] = scalar_to_json(scalar, record.scalars[i]);
  }
  for (size_t i = 0; i < record.values.size(); ++i) out["tunables"][contract.tunables[i].name] = record.values[i];
  out["milliseconds"] = record.milliseconds;
  out["default_milliseconds"] = record.default_milliseconds;
  return out;
}

// Throws std::exception for a record that does not match the contract (any more).
TuningRecord from_json(const json& row, const OperationContract& contract) {
  TuningRecord out;
  out.device = row.at("device").get<std::string>();
  out.threads = row.value("threads", 0);
  for (const Placeholder& placeholder : contract.placeholders) {
    out.types.push_back(dtype_named(row.at("types").at(placeholder.name).get<std::string>()));
    if (!out.types.back()) throw std::runtime_error("it has an unknown dtype");
  }
  for (const Declared* parameter : read_arrays(contract))
    out.shapes.push_back(row.at("shapes").at(parameter->name).get<std::vector<int64_t>>());
  const json scalars = row.value("scalars", json::object());
  for (const int32_t index : contract.tuned_for)
    out.scalars.push_back(scalar_from_json(contract.parameters[size_t(index)], scalars));
  for (const Tunable& tunable : contract.tunables) {
    out.values.push_back(row.at("tunables").at(tunable.name).get<int64_t>());
    if (std::find(tunable.values.begin(), tunable.values.end(), out.values.back()) == tunable.values.end())
      throw std::runtime_error("its value of " + tunable.name + " is not in the contract");
  }
  out.milliseconds = row.value("milliseconds", 0.0);
  out.default_milliseconds = row.value("default_milliseconds", 0.0);
  return out;
}

// Copying or destroying deeper values would overflow the stack.
bool too_deep(std::string_view text) {
  int64_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') ++i;
    else if (text[i] == '"') quoted = !quoted;
    else if (!quoted && (text[i] == '[' || text[i] == '{') && ++depth > kDeepestRecord) return true;
    else if (!quoted && (text[i] == ']' || text[i] == '}')) --depth;
  }
  return false;
}

// The file's content; empty if there is none. Throws IO for a file that has no records.
json read_records(const std::string& path) {
  if (!base::file_exists(path)) return json::object();
  std::string text, why;
  if (!base::read_trusted(path, false, kMostBytes, text, why))
    fail(TENON_ERROR_IO, "tuning records are not read: %s %s", path.c_str(), why.c_str());
  const json out = too_deep(text) ? json() : json::parse(text);
  if (!out.contains("format") || out.at("format").dump() != "1" || !out.contains("records") ||
      !out.at("records").is_array())
    fail(TENON_ERROR_IO, "%s does not contain tuning records that this library can read: remove it", path.c_str());
  return out;
}

// While it lives no other process changes the directory's records.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0) ::flock(fd_, LOCK_EX);
  }
  ~DirectoryLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  DirectoryLock(const DirectoryLock&) = delete;

 private:
  const int fd_;
};

}  // namespace

bool TuningRecord::same_problem(const TuningRecord& other) const {
  return device == other.device && threads == other.threads && types == other.types && shapes == other.shapes &&
         scalars == other.scalars;
}

std::vector<std::vector<double>> tuned_scalars(const OperationContract& contract, const Frame& frame) {
  std::vector<std::vector<double>> out;
  for (const int32_t index : contract.tuned_for) {
    const Declared& scalar = contract.parameters[size_t(index)];
    const auto value = [&](Number number) { return is_whole(scalar) ? double(number.i) : number.r; };
    out.emplace_back();
    if (scalar.list < 0) {
      out.back().push_back(value(frame.numbers[scalar.number]));
    } else {
      const List& list = frame.lists[scalar.list];
      for (int64_t i = 0; i < list.size; ++i) out.back().push_back(value(list_item(list, i)));
    }
  }
  return out;
}

// The threads that the device's work is shared among, if they are the host's; 0: it has its own.
int32_t host_threads(const Device& device) { return device.on_host() ? device.info().multiprocessors : 0; }

void describe_device(const Device& device, TuningRecord& out) {
  out.device = device.description();
  out.threads = host_threads(device);
}

std::string TuningTable::file_of(const Operation& operation) {
  const std::string& directory = operation.context().settings().tuning_directory;
  return directory.empty()
             ? ""
             : directory + "/" + operation.package().contract().name + "." + operation.contract().name + ".json";
}

std::unique_ptr<const TuningTable> TuningTable::of(const Operation& operation) {
  const OperationContract& contract = operation.contract();
  auto out = std::make_unique<TuningTable>(contract);
  const std::string path = file_of(operation);
  if (path.empty() || operation.context().settings().deterministic()) return out;
  for (const Declared* parameter : read_arrays(contract)) out->operands_.push_back(parameter->operand);
  try {
    const json all = read_records(path);
    for (const json& row : all.value("records", json::array())) {
      if (!row.is_object() || row.value("version", "") != operation.package().contract().version.text() ||
          row.value("hash", "") != operation.package().hash())
        continue;
      try {
        Row one{from_json(row, contract), {}};
        for (const std::vector<int64_t>& shape : one.record.shapes)
          for (const int64_t extent : shape) one.logarithms.push_back(logarithm(extent));
        out->rows_.push_back(std::move(one));
      } catch (const std::exception& error) {
        out->warnings_.push_back(path + ": a tuning record of " + operation.title() + " is not used: " + error.what());
      }
    }
  } catch (const Error& error) {
    out->warnings_.push_back(error.message);
  } catch (const std::exception& error) {  // a field of another kind
    out->warnings_.push_back(path + " is not used: " + error.what());
  }
  return out;
}

std::string TuningTable::add(const Operation& operation, const std::vector<TuningRecord>& records) {
  const std::string path = file_of(operation), directory = operation.context().settings().tuning_directory;
  TENON_REQUIRE(
      !path.empty(), TENON_ERROR_IO,
      "there is no directory for tuning records: set TENON_TUNING_DIR or HOME, or the context's tuning_directory");
  std::string why;
  if (!base::private_directory(directory, &why))
    fail(TENON_ERROR_IO, "tuning records cannot be stored: %s", why.c_str());
  const DirectoryLock lock(directory);
  const json before = read_records(path);
  const std::string version = operation.package().contract().version.text();
  json out = {{"format", 1},
              {"package", operation.package().contract().name},
              {"operation", operation.contract().name},
              {"records", json::array()}};
  for (const json& row : before.value("records", json::array())) {
    bool replaced = false;
    try {
      const TuningRecord old = from_json(row, operation.contract());
      for (const TuningRecord& record : records)
        replaced = replaced || (row.value("version", "") == version && record.same_problem(old));
    } catch (const std::exception&) {  // of another version, with another contract
    }
    if (!replaced) out["records"].push_back(row);
  }
  for (const TuningRecord& record : records) out["records"].push_back(to_json(record, operation));
  if (!base::write_file_atomically(path, out.dump(1) + "\n", &why))
    fail(TENON_ERROR_IO, "tuning records cannot be written: %s", why.c_str());
  return path;
}

double TuningTable::distance(const Row& row, const Frame& frame,
                             const std::vector<std::vector<double>>& scalars) const {
  double out = 0;
  const double* logarithms = row.logarithms.data();
  for (size_t i = 0; i < operands_.size(); ++i) {
    const Operand& operand = frame.operands[operands_[i]];
    const std::vector<int64_t>& shape = row.record.shapes[i];
    const int32_t rank = std::max(operand.rank, 0);  // an array that was not given counts as one without axes
    if (shape.size() == size_t(rank)) {
      for (int32_t axis = 0; axis < rank; ++axis)
        if (operand.shape[axis] != shape[size_t(axis)])
          out += std::fabs(logarithm(operand.shape[axis]) - logarithms[axis]);
    } else {  // only the number of elements can be compared
      double size = 0;
      for (size_t axis = 0; axis < shape.size(); ++axis) size += logarithms[axis];
      out += kPerAxis * std::fabs(double(shape.size()) - rank) + std::fabs(logarithm(operand.size) - size);
    }
    logarithms += shape.size();
  }
  for (size_t i = 0; i < scalars.size(); ++i)
    out += scalar_distance(contract_.parameters[size_t(contract_.tuned_for[i])], row.record.scalars[i], scalars[i]);
  return out;
}

const int64_t* TuningTable::find(const Device& device, const Frame& frame) const {
  const int32_t threads = host_threads(device);
  const std::vector<std::vector<double>> scalars = tuned_scalars(contract_, frame);
  const Row* best = nullptr;
  double least = 0;
  for (const Row& row : rows_) {
    const TuningRecord& record = row.record;
    const bool same_types = std::equal(record.types.begin(), record.types.end(), frame.types);
    if (record.threads != threads || !same_types || record.device != device.description()) continue;
    const double far = distance(row, frame, scalars);
    if (far <= kFarthest && (!best || far < least)) best = &row, least = far;
  }
  return best ? best->record.values.data() : nullptr;
}

}  // namespace tenon::plugin
