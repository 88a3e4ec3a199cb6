// kernel/compilation.hpp: a program that is compiled in the background.
#pragma once
#include <memory>
#include "base/background.hpp"
#include "kernel/program.hpp"

namespace tenon {

class Compilation final : public Object {
 public:
  static Ref<Compilation> start(Device& device, CompileRequest request);
  bool over() { return task_->wait(0); }
  // Returns the program, or throws the compile's error; NOT_READY after this many seconds (negative: no limit).
  Ref<Program> wait(double seconds);
  void cancel();

 private:
  Compilation(Device& device, CompileRequest request);
  ~Compilation() override = default;  // destroyed first: the task uses all other members
  void run() noexcept;

  const Ref<Context> context_;
  Device& device_;
  CompileRequest request_;
  CompileControl control_;
  Ref<Program> program_;  // one of these is set when the task has ended, unless it never started
  std::exception_ptr failure_;
  std::unique_ptr<base::Task> task_;
};

}  // namespace tenon
