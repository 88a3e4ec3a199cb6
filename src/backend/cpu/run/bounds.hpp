// backend/cpu/run/bounds.hpp: the memory that a checked kernel may access; defined in checks/bounds.cpp.
#pragma once
#include <string>
#include <vector>
#include "backend/cpu/compile/compiler/object.hpp"
#include "backend/cpu/run/worker.hpp"

namespace tenon::cpu {

// A module's own memory. Its shared variables are thread-local, each followed by unused bytes (kTlsMargin in
// compile/compiler/object.hpp).
class ModuleMemory {
 public:
  struct Variable {
    uint64_t first, last;  // offsets in the thread-local memory
    std::string name;      // as in the text, with the name of its function; "" if it is not a variable of the text
    bool dynamic;          // the buffer that all `extern __shared__` arrays share
  };
  ModuleMemory() = default;
  ModuleMemory(void* handle, const std::vector<ObjectSymbol>& symbols);

  bool in_image(unsigned long address) const { return address >= image_.first && address < image_.last; }
  const std::vector<tenon_extent>& writable() const { return writable_; }
  const std::vector<Variable>& variables() const { return variables_; }
  tenon_extent of_this_thread() const;  // valid after the module has accessed it on this thread

 private:
  void* handle_ = nullptr;
  uint64_t thread_bytes_ = 0;
  tenon_extent image_{};
  std::vector<tenon_extent> writable_;  // parts of the image
  std::vector<Variable> variables_;     // in ascending order of their offsets
};

// Sets the frame's extents, if all arguments are arrays and numbers. (A raw pointer, or one in a struct, may be any
// address.)
void note_extents(Launch& launch, const Values& values, const ModuleMemory& memory);

// Called by modules (shim/language/tenon_abi.h).
tenon_extent own_memory(tenon_worker* worker);
void look_at_access(tenon_worker* worker, unsigned long address, unsigned long bytes, int kind, tenon_index block,
                    tenon_index thread);
void look_at_fence(tenon_worker* worker);

}  // namespace tenon::cpu
