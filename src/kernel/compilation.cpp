// kernel/compilation.cpp: a program that is compiled in the background.
#include "kernel/compilation.hpp"
#include <system_error>
#include "core/device/context.hpp"

namespace tenon {

Compilation::Compilation(Device& device, CompileRequest request)
    : context_(&device.context()), device_(device), request_(std::move(request)), control_(request_.time_limit, true) {
  request_.control = &control_;
}

Ref<Compilation> Compilation::start(Device& device, CompileRequest request) {
  prepare(device, request);
  auto made = Ref<Compilation>::adopt(new Compilation(device, std::move(request)));
  Compilation* const self = made.get();
  try {
    self->task_ = std::make_unique<base::Task>([self] { self->run(); }, [self] { self->control_.cancel(); });
  } catch (const std::system_error& error) {
    fail(TENON_ERROR_OUT_OF_MEMORY, "no thread could be started for compiling %s: %s", self->request_.name.c_str(),
         error.what());
  } catch (const std::runtime_error&) {
    fail(TENON_ERROR_CANCELLED, "compiling %s was not started: the process is ending", self->request_.name.c_str());
  }
  return made;
}

void Compilation::run() noexcept {
  control_.begin();
  try {
    control_.check(request_.name);
    program_ = Program::create(device_, request_);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

Ref<Program> Compilation::wait(double seconds) {
  TENON_REQUIRE(task_->wait(seconds), TENON_ERROR_NOT_READY, "%s is still being compiled", request_.name.c_str());
  if (failure_) throw_again(failure_);
  if (!program_) control_.fail_stopped(request_.name);  // cancelled before its turn came
  return program_;
}

void Compilation::cancel() { task_->stop(); }

}  // namespace tenon
