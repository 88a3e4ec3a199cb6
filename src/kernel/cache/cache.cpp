// kernel/cache/cache.cpp: a program's image from this process, from disk, or from the compiler, in that order; compiled
// once, however many threads and processes request it.
#include <chrono>
#include <condition_variable>
#include <list>
#include "base/files.hpp"
#include "base/hash.hpp"
#include "kernel/cache/cache.hpp"
#include "base/json.hpp"
#include "kernel/cache/key.hpp"
#include "kernel/program.hpp"

namespace tenon {
namespace {

constexpr double kLockSeconds = 120;                 // after that, compiles without the lock
constexpr uint64_t kKeptBytes = uint64_t(64) << 20;  // images kept in the process after their programs are gone

int32_t mode_of(const Settings& settings, std::string& complaint) {
  if (settings.cache_mode != TENON_CACHE_DEFAULT) return settings.cache_mode;
  const std::string said = base::environment("TENON_CACHE");
  if (said.empty() || said == "on") return TENON_CACHE_DEFAULT;
  if (said == "off") return TENON_CACHE_OFF;
  if (said == "read-only") return TENON_CACHE_READ_ONLY;
  if (said == "no-compile") return TENON_CACHE_NO_COMPILE;
  complaint = "TENON_CACHE is \"" + said + "\": it must be on, off, read-only or no-compile. It is treated as on.";
  return TENON_CACHE_DEFAULT;
}

const char* cache_mode_name(int32_t mode) {
  switch (mode) {
    case TENON_CACHE_OFF: return "off";
    case TENON_CACHE_READ_ONLY: return "read-only";
    case TENON_CACHE_NO_COMPILE: return "no-compile";
    default: return "on";
  }
}

struct Counters {
  std::atomic<uint64_t> process_hits{0}, disk_hits{0}, misses{0}, waits{0}, compiled{0}, failed{0}, damaged{0},
      written{0}, not_written{0};
};

class Store final : public Cache, private Notes {
 public:
  explicit Store(const Settings& settings)
      : mode_(mode_of(settings, complaint_)),
        disk_(settings.cache_directory, settings.cache_limit_bytes ? settings.cache_limit_bytes : uint64_t(2) << 30,
              mode_ == TENON_CACHE_DEFAULT) {}

  std::shared_ptr<const Image> get(Device& device, const CompileRequest& request) override;
  std::string remembered(const std::string& question, const std::function<std::string()>& ask) override;
  std::string report() override;
  tenon_cache_info info() override;
  Disk& disk() override { return disk_; }
  bool off() const override { return mode_ == TENON_CACHE_OFF; }
  void forget() override;

 private:
  using Shared = std::shared_ptr<const Image>;
  struct Flight {  // one caller finds an image, others wait for it
    bool done = false;
    bool stopped = false;  // timed out or cancelled by its own caller: the other waiters retry
    Shared image;
    std::exception_ptr failure;
    std::condition_variable landed;
  };
  struct Slot {
    std::weak_ptr<const Image> image;
    std::shared_ptr<Flight> flight;
    std::list<std::string>::iterator kept;  // in recent_, when is_kept
    bool is_kept = false;
  };
  struct Kept {
    Shared image;
    uint64_t bytes;
  };

  static void await(Flight& flight, std::unique_lock<std::mutex>& lock, const CompileRequest& request);
  Shared find(Device& device, const CompileRequest& request, const std::string& key);
  Shared compile_again(Device& device, const CompileRequest& request, const std::string& key);
  void require_compiling(const CompileRequest& request);
  bool recall(const std::string& question, std::string& answer) override;
  void keep(const std::string& question, const std::string& answer) override;
  bool read_entry(const std::string& name, const std::string& key, Image& image, bool count = false);
  Shared compile(Device& device, const CompileRequest& request, const std::string& key, const std::string& name);
  void hold(const std::string& key, Slot& slot, const Shared& image);
  void warn_once(Device& device);

  std::string complaint_;
  const int32_t mode_;
  Disk disk_;
  IncludeScanner scanner_{this};
  Counters counters_;
  std::atomic<bool> warned_{false}, warned_writing_{false};

  std::mutex mutex_;
  std::unordered_map<std::string, Slot> slots_;
  std::unordered_map<std::string, Kept> kept_;
  std::list<std::string> recent_;  // keys of kept_, last used first
  uint64_t kept_bytes_ = 0;
  size_t sweep_at_ = 256;
};

void Store::await(Flight& flight, std::unique_lock<std::mutex>& lock, const CompileRequest& request) {
  const auto done = [&] { return flight.done; };
  if (!request.control) return flight.landed.wait(lock, done);
  while (!flight.landed.wait_for(lock, std::chrono::milliseconds(10), done)) {
    lock.unlock();  // the host may be asked, and may take locks of its own
    request.control->check(request.name);
    lock.lock();
  }
}

Store::Shared Store::get(Device& device, const CompileRequest& request) {
  bool whole = true;
  const std::string key = program_key(device, request, scanner_, &whole);
  if (!whole) {
    require_compiling(request);
    return compile(device, request, key, "");
  }
  if (request.flags & TENON_PROGRAM_FLAG_NO_CACHE) return compile_again(device, request, key);
  std::shared_ptr<Flight> flight;
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      Slot& slot = slots_[key];
      if (slot.flight) {
        const std::shared_ptr<Flight> other = slot.flight;
        ++counters_.waits;
        await(*other, lock, request);
        if (other->stopped) continue;
        if (other->failure) {
          lock.unlock();
          throw_again(other->failure);
        }
        ++counters_.process_hits;
        return other->image;
      }
      if (Shared image = slot.image.lock()) {
        ++counters_.process_hits;
        hold(key, slot, image);
        return image;
      }
      flight = slot.flight = std::make_shared<Flight>();
      break;
    }
  }
  Shared image;
  std::exception_ptr failure;
  try {
    image = find(device, request, key);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    std::lock_guard lock(mutex_);
    flight->done = true;
    flight->stopped = !image && request.control && request.control->stopped();
    flight->image = image;
    flight->failure = failure;
    flight->landed.notify_all();  // before code that may run out of memory, so that no waiter hangs
    Slot& slot = slots_.find(key)->second;
    slot.flight.reset();
    if (image) {
      slot.image = image;
      hold(key, slot, image);
    } else if (slot.image.expired()) {
      slots_.erase(key);
    }
  }
  if (failure) throw_again(failure);
  return image;
}

// For TENON_PROGRAM_FLAG_NO_CACHE: images that others find or compile at the same time are not used, so there is
// nothing to wait for.
Store::Shared Store::compile_again(Device& device, const CompileRequest& request, const std::string& key) {
  const bool on_disk = mode_ != TENON_CACHE_OFF && disk_.open();
  warn_once(device);
  require_compiling(request);
  const Shared image = compile(device, request, key, on_disk && disk_.writable() ? base::hash_hex(key) : "");
  std::lock_guard lock(mutex_);
  Slot& slot = slots_[key];
  slot.image = image;
  hold(key, slot, image);
  return image;
}

// Keeps the most recently used images alive; the others live as long as their programs.
void Store::hold(const std::string& key, Slot& slot, const Shared& image) {
  if (slot.is_kept) {
    recent_.splice(recent_.begin(), recent_, slot.kept);
  } else {
    recent_.push_front(key);
    slot.kept = recent_.begin();
    slot.is_kept = true;
  }
  Kept& kept = kept_[key];
  kept_bytes_ -= kept.bytes;
  kept.image = image;
  kept.bytes = key.size() + image->binary.size() + image->ptx.size() + image->log.size();
  kept_bytes_ += kept.bytes;
  while (kept_bytes_ > kKeptBytes && recent_.size() > 1) {
    const std::string& last = recent_.back();
    if (const auto gone = kept_.find(last); gone != kept_.end()) {  // absent if there was no memory for it
      kept_bytes_ -= gone->second.bytes;
      kept_.erase(gone);
    }
    if (const auto its = slots_.find(last); its != slots_.end()) its->second.is_kept = false;
    recent_.pop_back();
  }
  if (slots_.size() < sweep_at_) return;
  for (auto it = slots_.begin(); it != slots_.end();) {
    it = !it->second.flight && !it->second.is_kept && it->second.image.expired() ? slots_.erase(it) : std::next(it);
  }
  sweep_at_ = std::max<size_t>(256, 2 * slots_.size());
}

void Store::require_compiling(const CompileRequest& request) {
  if (mode_ == TENON_CACHE_NO_COMPILE) ++counters_.misses;
  TENON_REQUIRE(mode_ != TENON_CACHE_NO_COMPILE, TENON_ERROR_NOT_FOUND,
                "%s is not in the cache at %s, and the cache's mode is no-compile", request.name.c_str(),
                disk_.directory().c_str());
}

Store::Shared Store::find(Device& device, const CompileRequest& request, const std::string& key) {
  const std::string name = base::hash_hex(key);
  const bool on_disk = mode_ != TENON_CACHE_OFF && disk_.open();
  warn_once(device);
  auto image = std::make_shared<Image>();
  if (on_disk && read_entry(name, key, *image, true)) {
    ++counters_.disk_hits;
    return image;
  }
  require_compiling(request);
  if (!on_disk || !disk_.writable()) return compile(device, request, key, "");
  bool there = false, waited = false;
  const Disk::Lock lock = disk_.lock(name, kLockSeconds, [&] {
    if (!std::exchange(waited, true)) ++counters_.waits;
    there = read_entry(name, key, *image);
    return there || (request.control && request.control->stopped());
  });
  if (request.control && !there) request.control->check(request.name);
  if (there || read_entry(name, key, *image)) {  // another process had it first
    ++counters_.disk_hits;
    return image;
  }
  return compile(device, request, key, name);
}

bool Store::read_entry(const std::string& name, const std::string& key, Image& image, bool count) {
  std::string bytes;
  if (!disk_.read(name, bytes)) return false;
  bool other_key = false;
  if (decode_entry(bytes, key, image, &other_key)) return true;
  if (count && !other_key) ++counters_.damaged;  // the compile that follows replaces it
  return false;
}

Store::Shared Store::compile(Device& device, const CompileRequest& request, const std::string& key,
                             const std::string& name) {
  std::shared_ptr<Image> image;
  ++counters_.misses;
  try {
    image = std::make_shared<Image>(device.compile(request));
  } catch (...) {
    ++counters_.failed;
    throw;
  }
  ++counters_.compiled;
  if (name.empty()) return image;
  std::string why;
  if (disk_.write(name, encode_entry(key, *image), &why)) {
    ++counters_.written;
  } else {
    ++counters_.not_written;
    if (!warned_writing_.exchange(true)) {
      device.context().log(TENON_LOG_WARNING, "a compiled program could not be put into the cache: %s", why.c_str());
    }
  }
  return image;
}

// A remembered answer is the log of an entry whose key is the question.
bool Store::recall(const std::string& question, std::string& answer) {
  if (mode_ == TENON_CACHE_OFF || !disk_.open()) return false;
  const std::string key = question_key(question);
  Image entry;
  if (!read_entry(base::hash_hex(key), key, entry)) return false;
  answer = std::move(entry.log);
  return true;
}

void Store::keep(const std::string& question, const std::string& answer) {
  if (mode_ == TENON_CACHE_OFF || !disk_.writable() || answer.empty()) return;
  const std::string key = question_key(question);
  Image entry;
  entry.log = answer;
  disk_.write(base::hash_hex(key), encode_entry(key, entry));
}

std::string Store::remembered(const std::string& question, const std::function<std::string()>& ask) {
  std::string answer;
  if (recall(question, answer)) return answer;
  answer = ask();
  keep(question, answer);
  return answer;
}

void Store::warn_once(Device& device) {
  if (warned_.load(std::memory_order_relaxed)) return;
  const std::string why = mode_ == TENON_CACHE_OFF ? "" : disk_.why();
  if ((why.empty() && complaint_.empty()) || warned_.exchange(true)) return;
  if (!complaint_.empty()) device.context().log(TENON_LOG_WARNING, "%s", complaint_.c_str());
  if (!why.empty()) {
    device.context().log(
        TENON_LOG_WARNING,
        "compiled programs are not kept on disk: %s. Use a directory that belongs to you, with mode 0700 "
        "(TENON_CACHE_DIR).",
        why.c_str());
  }
}

// Drops images that only this table references. Lookups in flight are unaffected.
void Store::forget() {
  std::unordered_map<std::string, Kept> gone;  // destroyed after the lock is released
  std::lock_guard lock(mutex_);
  gone.swap(kept_);
  recent_.clear();
  kept_bytes_ = 0;
  for (auto& [key, slot] : slots_) slot.is_kept = false;
}

tenon_cache_info Store::info() {
  tenon_cache_info out{};
  out.struct_size = sizeof out;
  out.mode = mode_;
  out.directory = disk_.directory().c_str();
  out.limit_bytes = disk_.limit();
  if (!off()) {
    for (const Disk::Entry& entry : disk_.entries()) {
      ++out.entries;
      out.bytes += entry.bytes;
    }
  }
  out.process_hits = counters_.process_hits;
  out.disk_hits = counters_.disk_hits;
  out.misses = counters_.misses;
  out.compiled = counters_.compiled;
  out.failed = counters_.failed;
  out.waits = counters_.waits;
  out.damaged = counters_.damaged;
  out.written = counters_.written;
  out.not_written = counters_.not_written;
  out.evicted = disk_.evicted();
  return out;
}

std::string Store::report() {
  base::Json out;
  out["directory"] = disk_.directory();
  out["mode"] = cache_mode_name(mode_);
  const std::string why = disk_.why();
  if (!why.empty()) out["why_not_on_disk"] = why;
  const tenon_cache_info seen = info();
  out["entries"] = seen.entries;
  out["bytes"] = seen.bytes;
  out["process_hits"] = seen.process_hits;
  out["disk_hits"] = seen.disk_hits;
  out["misses"] = seen.misses;
  out["compiled"] = seen.compiled;
  out["failed"] = seen.failed;
  out["waits"] = seen.waits;
  out["damaged"] = seen.damaged;
  out["written"] = seen.written;
  out["not_written"] = seen.not_written;
  out["evicted"] = seen.evicted;
  {
    std::lock_guard lock(mutex_);
    out["process_images"] = kept_.size();
    out["process_bytes"] = kept_bytes_;
  }
  return out.dump();
}

}  // namespace

std::unique_ptr<ImageStore> make_image_store(const Settings& settings) { return std::make_unique<Store>(settings); }

}  // namespace tenon
