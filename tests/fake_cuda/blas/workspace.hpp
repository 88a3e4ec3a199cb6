// tests/fake_cuda/blas/workspace.hpp: finds work areas that two streams use at the same time.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>
#include "../quiet.hpp"

extern "C" bool fake_cuda_capturing(void* stream);

// The fake driver runs the work that is waited for, and of other streams only the work on which that depends. So when
// work runs, earlier work of another stream that uses the same memory must have run; otherwise nothing orders the two.
// Returns the work, preceded by that check.
inline std::function<void()> with_workspace(void* workspace, void* stream, std::function<void(const char*)> misuse,
                                            std::function<void()> work) {
  struct Use {
    void* stream;
    bool done;
  };
  static QuietMutex mutex;
  static std::map<void*, std::vector<std::shared_ptr<Use>>> uses;
  if (!workspace || fake_cuda_capturing(stream)) return work;  // a graph has its own memory
  std::lock_guard lock(mutex);
  auto& all = uses[workspace];
  std::erase_if(all, [](const auto& use) { return use->done; });
  const auto mine = std::make_shared<Use>(Use{stream, false});
  return
      [earlier = (all.push_back(mine), std::vector(all.begin(), all.end() - 1)), mine, misuse, work = std::move(work)] {
        {
          std::lock_guard guard(mutex);
          const auto open = [&](const auto& use) { return !use->done && use->stream != mine->stream; };
          if (std::any_of(earlier.begin(), earlier.end(), open))
            misuse("two streams use one work area and neither waits for the other");
          mine->done = true;
        }
        work();
      };
}
