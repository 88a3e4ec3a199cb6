// backend/cpu/compile/probe.cpp: reading a proof from an object file.
#include "backend/cpu/compile/probe.hpp"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include "backend/cpu/compile/compiler/object.hpp"

namespace tenon::cpu {
namespace {

// A function: its code and the relocations in it. Functions with equal parts behave the same.
struct Code {
  std::string_view bytes;
  std::vector<ObjectRelocation> relocations;  // offsets from the start of the function
};

bool equal(const Code& a, const Code& b) {
  return a.bytes == b.bytes &&
         std::equal(a.relocations.begin(), a.relocations.end(), b.relocations.begin(), b.relocations.end(),
                    [](const ObjectRelocation& x, const ObjectRelocation& y) {
                      return x.offset == y.offset && x.type == y.type && x.symbol == y.symbol && x.addend == y.addend;
                    });
}

// The marks to which a kernel's function refers, directly and through everything it refers to.
struct Mentions {
  std::set<int> saw, plain, ran;  // loops, by the mark that they left
  bool refused = false;
};

// The number in the mangled name of an instance, such as "_Z15tenon_probe_sawILi3EEvv".
int loop_of(const std::string& name, const std::string& mark) {
  const size_t at = name.find(mark + "ILi");
  return at == std::string::npos ? -1 : std::atoi(name.c_str() + at + mark.size() + 3);
}

class Probe {
 public:
  explicit Probe(std::string_view object) : file_(object_file(object)) {
    for (size_t i = 0; i < file_.symbols.size(); ++i)
      if (file_.symbols[i].defined && !file_.symbols[i].local) functions_[file_.symbols[i].name] = i;
  }

  bool pure(const std::string& function_of_kernel) const {
    Code code, nothing;
    return function("tenon_pure_" + function_of_kernel, code) && function("tenon_reference", nothing) &&
           equal(code, nothing);
  }

  // Calls on_section and on_symbol for everything to which `start` refers, directly and indirectly. False: there is no
  // such symbol.
  template <class Section, class Symbol>
  bool visit(const std::string& start, const Section& on_section, const Symbol& on_symbol) const {
    auto found = functions_.find(start);
    if (found == functions_.end()) return false;
    visit(std::vector<uint32_t>{file_.symbols[found->second].section}, on_section, on_symbol);
    return true;
  }
  template <class Section, class Symbol>
  void visit(const std::vector<uint32_t>& starts, const Section& on_section, const Symbol& on_symbol) const {
    std::set<uint32_t> known;
    std::vector<uint32_t> open;
    const auto enter = [&](uint32_t section) {
      if (section < file_.sections.size() && known.insert(section).second) open.push_back(section);
    };
    for (uint32_t section : starts) enter(section);
    while (!open.empty()) {
      const ObjectSection& section = file_.sections[open.back()];
      open.pop_back();
      on_section(section);
      for (const ObjectRelocation& row : section.relocations) {
        const ObjectSymbol& symbol = file_.symbols[row.symbol];
        if (symbol.defined) enter(symbol.section);
        on_symbol(symbol);
      }
    }
  }

  // For the kernel, and for functions whose addresses are in variables, because it may have got them from the host.
  // False: the object has no such kernel.
  bool waits(size_t kernel, Waits& out) const {
    const auto look = [&](const ObjectSymbol& symbol) {
      out.block |= symbol.name == "tenon_needs_fibers";
      out.warp |= symbol.name == "tenon_needs_scheduler";
    };
    const auto pass = [](const ObjectSection&) {};
    std::set<uint32_t> entries;
    for (const ObjectSymbol& symbol : file_.symbols)
      if (symbol.defined && symbol.name.rfind("tenon_cpu_kernel_", 0) == 0) entries.insert(symbol.section);
    std::vector<uint32_t> variables;
    for (uint32_t i = 0; i < file_.sections.size(); ++i)
      if (file_.sections[i].writable && !entries.count(i)) variables.push_back(i);
    visit(variables, pass, look);
    return visit("tenon_cpu_kernel_" + std::to_string(kernel), pass, look);
  }

  Mentions mentions(size_t kernel) const {
    Mentions out;
    out.refused = !visit(
                      "tenon_uniform_" + std::to_string(kernel),
                      [&](const ObjectSection& section) {
                        out.refused |= section.thread_local_data;
                      },  // __shared__ exists for one block at a time, and rows run many blocks at once
                      [&](const ObjectSymbol& symbol) {
                        if (!symbol.defined) note(symbol.name, out);
                        out.refused |= symbol.thread_local_data;
                      }) ||
                  out.refused;
    return out;
  }

 private:
  static void note(const std::string& name, Mentions& out) {
    for (const char* bad : {"tenon_probe_thread_x", "tenon_probe_block_x", "tenon_probe_rest", "tenon_probe_refuse",
                            "tenon_needs_fibers", "tenon_needs_scheduler"})
      out.refused |= name == bad;
    for (const auto& [mark, set] :
         {std::pair{"tenon_probe_saw", &out.saw}, {"tenon_probe_plain", &out.plain}, {"tenon_probe_ran", &out.ran}})
      if (const int loop = loop_of(name, mark); loop >= 0) set->insert(loop);
  }

  bool function(const std::string& name, Code& out) const {
    auto found = functions_.find(name);
    if (found == functions_.end()) return false;
    const ObjectSymbol& symbol = file_.symbols[found->second];
    if (symbol.section >= file_.sections.size() || symbol.size == 0) return false;
    const ObjectSection& section = file_.sections[symbol.section];
    if (symbol.value > section.bytes.size() || symbol.size > section.bytes.size() - symbol.value) return false;
    out.bytes = section.bytes.substr(symbol.value, symbol.size);
    for (ObjectRelocation row : section.relocations) {
      if (row.offset < symbol.value || row.offset - symbol.value >= symbol.size) continue;
      row.offset -= symbol.value;
      out.relocations.push_back(row);
    }
    return true;
  }

  const ObjectFile file_;
  std::map<std::string, size_t> functions_;
};

bool disjoint(const std::set<int>& a, const std::set<int>& b) {
  return std::none_of(a.begin(), a.end(), [&](int x) { return b.count(x) != 0; });
}

}  // namespace

bool Proof::any() const { return std::find(kernels.begin(), kernels.end(), true) != kernels.end(); }

std::vector<Waits> read_waits(std::string_view object, const std::vector<size_t>& numbers) {
  const Probe probe(object);
  std::vector<Waits> out(numbers.size());
  for (size_t k = 0; k < numbers.size(); ++k)
    if (!probe.waits(numbers[k], out[k])) out[k] = {true, true};
  return out;
}

std::vector<uint64_t> static_shared_bytes(const std::vector<std::string>& objects, size_t kernels) {
  using Section = std::pair<size_t, uint32_t>;  // an object and one of its sections
  const auto of_shim = [](const std::string& name) {
    if (name.rfind("_ZZ", 0) == 0) return false;  // a variable in a function
    for (const char* word : {"tenon_", "threadIdx", "blockIdx", "blockDim", "gridDim"})
      if (name.find(word) != std::string::npos) return true;
    return false;
  };
  std::vector<ObjectFile> files;
  std::map<std::string, Section> visible;
  std::map<Section, uint64_t> shared;  // in bytes
  for (const std::string& object : objects) {
    files.push_back(object_file(object));
    for (const ObjectSymbol& symbol : files.back().symbols) {
      const Section place{files.size() - 1, symbol.section};
      if (symbol.defined && !symbol.local) visible.emplace(symbol.name, place);
      if (symbol.defined && symbol.thread_local_data && !of_shim(symbol.name)) shared[place] += symbol.size;
    }
  }
  std::vector<uint64_t> out;
  for (size_t k = 0; k < kernels; ++k) {
    uint64_t sum = 0;
    std::set<Section> known;
    std::vector<Section> open;
    const auto enter = [&](Section at) {
      if (at.second < files[at.first].sections.size() && known.insert(at).second) open.push_back(at);
    };
    const auto enter_name = [&](const std::string& name) {
      if (const auto found = visible.find(name); found != visible.end()) enter(found->second);
    };
    enter_name("tenon_cpu_kernel_" + std::to_string(k));
    while (!open.empty()) {
      const Section at = open.back();
      open.pop_back();
      if (const auto found = shared.find(at); found != shared.end()) sum += found->second;
      for (const ObjectRelocation& row : files[at.first].sections[at.second].relocations) {
        const ObjectSymbol& symbol = files[at.first].symbols[row.symbol];
        if (symbol.defined) enter({at.first, symbol.section});
        else enter_name(symbol.name);
      }
    }
    out.push_back(sum);
  }
  return out;
}

Proof read_probe(std::string_view object, size_t kernels, size_t loops) {
  const Probe probe(object);
  Proof out{std::vector<bool>(kernels), std::vector<bool>(loops)};
  std::vector<Mentions> all(kernels);
  std::set<int> rows;
  for (size_t k = 0; k < kernels; ++k) {
    Mentions& m = all[k] = probe.mentions(k);
    // Each loop that is reached is one or the other; one that left neither mark was removed with unreachable code.
    std::set<int> said = m.plain;
    said.insert(m.ran.begin(), m.ran.end());
    out.kernels[k] =
        !m.refused && !m.ran.empty() && disjoint(m.plain, m.ran) && said == m.saw && probe.pure(std::to_string(k));
    if (out.kernels[k]) rows.insert(m.ran.begin(), m.ran.end());
  }
  // A loop of a device function that one kernel calls for all threads, and another kernel for some.
  for (size_t k = 0; k < kernels; ++k)
    if (!disjoint(all[k].plain, rows)) out.kernels[k] = false;
  for (size_t k = 0; k < kernels; ++k)
    if (out.kernels[k])
      for (int loop : all[k].ran)
        if (size_t(loop) < loops) out.loops[size_t(loop)] = true;
  return out;
}

std::vector<int> read_beside(std::string_view object, const std::vector<int>& loops) {
  const Probe probe(object);
  std::vector<int> out;
  for (size_t k = 0; k < loops.size(); ++k) {
    int last = loops[k] - 1;
    while (last >= 0 && !probe.pure(std::to_string(k) + "_" + std::to_string(last))) --last;
    out.push_back(last);
  }
  return out;
}

}  // namespace tenon::cpu
