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
  // The program, or what compiling it threw; NOT_READY after this many seconds (negative: no limit).
  Ref<Program> wait(double seconds);
  void cancel();

 private:
  Compilation(Device& device, CompileRequest request);
  ~Compilation() override = default;  // the task first: it uses all the rest
  void run() noexcept;

  const Ref<Context> context_;
  Device& device_;
  CompileRequest request_;
  CompileControl control_;
  Ref<Program> program_;  // one of these is set when the task is over, but for a task that never began
  std::exception_ptr failure_;
  std::unique_ptr<base::Task> task_;
};

}  // namespace tenon
