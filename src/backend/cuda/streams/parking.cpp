// backend/cuda/streams/parking.cpp: marks the positions of the streams that use a piece of memory, and ends its life
// when all have passed their marks.
#include "backend/cuda/parking.hpp"

#include <optional>
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

// ---- events

CUevent EventPool::take() noexcept {
  {
    std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      const CUevent event = spare_.back();
      spare_.pop_back();
      return event;
    }
  }
  if (!device_.usable()) return nullptr;
  CUevent event = nullptr;
  Scope scope = device_.try_activate();
  return device_.note(device_.table().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING)) ? event : nullptr;
}

void EventPool::give(CUevent event) noexcept {
  constexpr size_t kMost = 1024;
  try {
    std::lock_guard lock(mutex_);
    if (spare_.size() < kMost) return spare_.push_back(event);
  } catch (...) {  // no memory to remember it
  }
  if (device_.usable()) device_.note(device_.table().cuEventDestroy(event));
}

void EventPool::clear() noexcept {
  std::lock_guard lock(mutex_);
  if (device_.usable())
    for (CUevent event : spare_) device_.note(device_.table().cuEventDestroy(event));
  spare_.clear();
}

// ---- the list

// The caller's thread is in the relaxed capture mode.
void Parking::mark_users(Parked& parked) noexcept {
  for (size_t i = parked.unmarked.size(); i-- > 0;) {
    if (parked.unmarked[i].stream->device().kind() !=
        TENON_DEVICE_CUDA) {  // the CPU's work is done when its call returns
      parked.unmarked.remove(i);
      continue;
    }
    auto& stream = static_cast<CudaStream&>(*parked.unmarked[i].stream);
    CudaDevice& device = stream.cuda();
    // The owner of foreign memory waits for it, and nothing here may look again for a long time.
    if (parked.memory.destroy && stream.is_idle()) {
      parked.unmarked.remove(i);
      continue;
    }
    try {
      parked.marks.reserve(parked.marks.size() + 1);
    } catch (...) {
      return;  // at a later check
    }
    const CUevent event = device.usable() ? device.events().take() : nullptr;
    const CudaStream::Marked marked = device.usable() ? stream.mark_with(event) : CudaStream::Marked::over;
    if (marked == CudaStream::Marked::marked) parked.marks.push_back({&device, event});
    else if (event) device.events().give(event);
    if (marked == CudaStream::Marked::never) parked.marks.push_back({&device, nullptr});
    if (marked != CudaStream::Marked::later) parked.unmarked.remove(i);
  }
}

bool Parking::over(Parked& parked, bool wait) noexcept {
  mark_users(parked);
  for (size_t i = parked.marks.size(); i-- > 0;) {
    const Mark mark = parked.marks[i];
    CudaDevice& device = *mark.device;
    if (device.usable()) {
      if (!mark.event && (!wait || device.knows_of_capture())) return false;  // would break a capture
      const Driver& driver = device.table();
      Scope scope = device.try_activate();
      // If the query fails, the memory is kept: only a lost device (which is not usable any more) runs nothing.
      const CUresult result = !mark.event ? driver.cuCtxSynchronize()
                              : wait      ? driver.cuEventSynchronize(mark.event)
                                          : driver.cuEventQuery(mark.event);
      if (result != CUDA_ERROR_NOT_READY) device.note(result);
      if (result != CUDA_SUCCESS && device.usable()) return false;
    }
    if (mark.event) device.events().give(mark.event);
    parked.marks.pop_back();
  }
  return parked.unmarked.size() == 0;
}

void Parking::park(Retired memory, Users users) noexcept {
  Parked parked{std::move(memory), std::move(users), {}};
  {
    const RelaxedMode relaxed(device_.table());
    mark_users(parked);
  }
  if (parked.marks.empty() && parked.unmarked.size() == 0) return device_.end(parked.memory);
  keep(std::move(parked));
}

void Parking::park_behind(CudaStream& stream, Retired memory) noexcept {
  CudaDevice& device = stream.cuda();
  Parked parked{std::move(memory), {}, {}};
  const CUevent event = device.events().take();
  const CudaStream::Marked marked = stream.mark_with(event);
  const bool with_event = marked == CudaStream::Marked::marked;
  if (event && !with_event) device.events().give(event);
  if (marked == CudaStream::Marked::over) return device_.end(parked.memory);
  try {
    parked.marks.push_back({&device, with_event ? event : nullptr});
  } catch (...) {  // no memory to remember it: leaked, which is safe
    return;
  }
  keep(std::move(parked));
}

void Parking::keep(Parked parked) noexcept {
  try {
    std::lock_guard lock(mutex_);
    parked_.reserve(parked_.size() + 1);
    parked_.push_back(std::move(parked));
    any_.store(true, std::memory_order_release);
    return;
  } catch (...) {  // no memory to remember it: the host waits
  }
  const RelaxedMode relaxed(device_.table());
  if (over(parked, true)) device_.end(parked.memory);  // otherwise it is leaked, which is safe
}

void Parking::look_closely(What what, bool wait) noexcept {
  std::vector<Parked> all;
  {
    std::lock_guard lock(mutex_);
    all.swap(parked_);
    any_.store(false, std::memory_order_release);
  }
  size_t kept = 0;
  std::optional<RelaxedMode> relaxed(device_.table());
  constexpr size_t kPatience = 16;  // work mostly ends in order: stop querying after this many that still run
  for (Parked& parked : all) {
    if ((!wait && kept >= kPatience) || (what == What::ours && parked.memory.destroy) || !over(parked, wait)) {
      if (&all[kept] != &parked) std::swap(all[kept], parked);
      ++kept;
    }
  }
  relaxed.reset();  // ending the life of foreign memory runs user code
  for (size_t i = kept; i < all.size(); ++i) device_.end(all[i].memory);
  if (!kept) return;
  all.resize(kept);
  std::lock_guard lock(mutex_);
  if (parked_.empty()) {
    parked_.swap(all);
  } else {
    try {
      parked_.reserve(parked_.size() + kept);
      for (Parked& parked : all) parked_.push_back(std::move(parked));
    } catch (...) {  // out of host memory: leaked, which is safe
    }
  }
  any_.store(true, std::memory_order_release);
}

void Parking::end_all() noexcept {
  std::vector<Parked> all;
  {
    std::lock_guard lock(mutex_);
    all.swap(parked_);
    any_.store(false, std::memory_order_release);
  }
  for (Parked& parked : all) {
    for (const Mark& mark : parked.marks)
      if (mark.event && mark.device->usable()) mark.device->events().give(mark.event);
    parked.unmarked.clear();
    device_.end(parked.memory);
  }
}

}  // namespace tenon::cuda
