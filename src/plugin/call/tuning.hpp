// plugin/call/tuning.hpp: what tuning found: readable records, one file an operation, and the one for a call.
#pragma once
#include <atomic>
#include <string>
#include <vector>
#include "core/device/backend.hpp"
#include "plugin/contract/contract.hpp"

namespace tenon {

class Operation;

namespace plugin {

// The best values of an operation's tunables for one problem on one kind of device.
struct TuningRecord {
  std::string device;                        // the product, as tenon_device_description
  int32_t threads = 0;                       // of a CPU; 0: a GPU
  std::vector<Dtype> types;                  // by placeholder
  std::vector<std::vector<int64_t>> shapes;  // of the arrays that are read, in the contract's order
  std::vector<std::vector<double>> scalars;  // by the contract's tuned_for, one number or those of a list
  std::vector<int64_t> values;               // by tunable
  double milliseconds = 0, default_milliseconds = 0;
  bool same_problem(const TuningRecord& other) const;
};

class TuningTable {
 public:
  // Reads the operation's records that match the package's present version and content; none if there is no file.
  // Unusable records are skipped, with a warning that the caller logs.
  static std::unique_ptr<const TuningTable> of(const Operation& operation);
  // Adds records to the operation's file, replacing those of the same problem. Throws IO.
  static std::string add(const Operation& operation, const std::vector<TuningRecord>& records);
  static std::string file_of(const Operation& operation);  // "": there is no directory for it

  explicit TuningTable(const OperationContract& contract) : contract_(contract) {}
  bool empty() const { return rows_.empty(); }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // True the first time only: an unusable record gives one warning.
  bool first_refusal() const { return !refused_.exchange(true); }
  // The values of the record with this device and the frame's dtypes whose shapes and scalars are nearest; NULL: none
  // is near enough.
  const int64_t* find(const Device& device, const Frame& frame) const;

 private:
  struct Row {
    TuningRecord record;
    std::vector<double> logarithms;  // of all extents
  };
  double distance(const Row& row, const Frame& frame, const std::vector<std::vector<double>>& scalars) const;
  const OperationContract& contract_;
  std::vector<int32_t> operands_;  // of the arrays that are read
  std::vector<Row> rows_;
  std::vector<std::string> warnings_;
  mutable std::atomic<bool> refused_{false};
};

// The scalars of `tuned_for` in a call.
std::vector<std::vector<double>> tuned_scalars(const OperationContract& contract, const Frame& frame);
// Writes the device's description into a record.
void describe_device(const Device& device, TuningRecord& out);

}  // namespace plugin
}  // namespace tenon
