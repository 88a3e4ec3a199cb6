// backend/cpu/text/regions/regions.cpp: writing a kernel as regions.
//
//   const int t = threadIdx.x;                     tenon_region_threads { const int t = threadIdx.x; s[t] = x[t]; }
//   float v = x[t];                                float tenon_frame[1024]; ...
//   s[t] = v;
//   __syncthreads();                        ->     for (int d = blockDim.x / 2; d > 0; d /= 2)
//   for (int d = blockDim.x / 2; d > 0; d /= 2) {    tenon_region_threads { const int t = threadIdx.x; if (t < d) s[t]
//   += s[t + d]; }
//     if (t < d) s[t] += s[t + d];
//     __syncthreads();
//   }
//
// All threads of the block run one region after the other, and within a region one thread after the other. Computations
// on which all of them agree are done once, outside of the regions. A variable with a barrier in its scope has one
// element per thread, in an array on the stack, however it is used, so that its address is valid for all of its life. A
// region begins by binding the names of those that it mentions. The optimiser must prove that a region does not change
// what all threads agree on (tenon_unchanging). An operation of the warp ends a region too: each thread stores its
// value before that, and reads those of the others afterwards (tenon_sent). Nothing depends on this text: if a compiler
// rejects it, or a proof fails, the kernel's threads are fibers.
#include "backend/cpu/text/regions/regions.hpp"
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>
#include "backend/cpu/text/regions/region_names.hpp"
#include "backend/cpu/text/tree/dynamic_shared.hpp"
#include "backend/cpu/text/tree/inlined.hpp"
#include "backend/cpu/text/tree/region_tree.hpp"
#include "core/kernel_name.hpp"

namespace tenon::cpu {
namespace {

constexpr size_t kMostTwice = 4096;  // bytes of a region that may be written twice
constexpr int kMostTerms = 7;        // of a sum that is compared with a place; tenon_usual_conditions adds eight

constexpr char kByWarps[] = "TENON_EACH_THREAD_BY_WARPS";

class RegionWriter {
 public:
  RegionWriter(const std::string& text, const Tokens& tokens, const KernelTree& tree, const GroupSizes& groups)
      : text_(text), t_(tokens), tree_(tree), groups_(groups), names_(tokens, tree) {
    bool lambda = false;
    for (size_t i = tree.open; i < tree.close; ++i) {
      returns_ |= t_.is(i, "return") && t_.is(i + 1, ";");
      lambda |= t_.is(i, "[") && !t_.is_word(i - 1) && !t_.is_any(i - 1, {")", "]"});
      exchanges_ |= region_waits(t_, i) && !t_.is_any(i, {"__syncthreads", "__barrier_sync", "sync"});
    }
    for (size_t i = tree.open; i < tree.close; ++i)
      if (t_.is(i, "return") && !t_.is(i + 1, ";") && !lambda) refuse("it returns something");
    if (lambda && returns_) refuse("a return may be a lambda's");
  }

  std::string run() {
    pass();  // determines which region mentions which variable
    regions_ = region_;
    for (const auto& [region, depth] : ends_) flags_ |= depth > 0 || region + 1 < regions_;
    measuring_ = false;
    region_ = 0;
    pass();
    return out_;
  }

 private:
  // A line at the start of a region: the name that it defines, and the names that it needs.
  struct Item {
    std::string name;  // "": always included
    std::string text;
    std::set<std::string> needs;
    bool of_block = false;  // the text is placed before the loop over the threads
    std::string bind;       // the name alone, for an expression's type
    std::string leave;      // what the region does at its end
    bool by_warps = false;  // it tells warps and their lanes apart
  };
  // The threads whose work a region is: along x, or along y, from `low` to below `high`; one_lane: along x from `low`
  // in steps of `high`. These are expressions; "": all threads.
  struct Range {
    std::string low, high;
    enum { along_x, along_y, one_lane } kind = along_x;
  };

  RegionVariable& variable(int number) { return names_.list[size_t(number)]; }
  std::string id(int number) const { return std::to_string(number); }
  std::string joined(Span span) const { return t_.joined(span.from, span.to); }
  std::string slice(Span span) const {
    const size_t begin = t_[span.from].after_pragma ? t_[span.from - 1].end() : t_[span.from].begin;
    return "\n" + text_.substr(begin, t_[span.to - 1].end() - begin) + "\n";
  }
  // The text of a statement, with the results of the warp's operations in place of their calls.
  std::string slice(const RegionStatement& s) {
    if (!s.exchanges.empty()) return "\n" + received(s, s.all) + "\n";
    std::string out = slice(s.all);
    const size_t begin = t_[s.all.from].after_pragma ? t_[s.all.from - 1].end() : t_[s.all.from].begin;
    const std::vector<Span> conditions = usual(s.all);
    for (auto one = conditions.rbegin(); one != conditions.rend(); ++one) {  // from the last: the others stay in place
      const size_t from = 1 + t_[one->from].begin - begin, to = 1 + t_[one->to - 1].end() - begin;
      out = out.substr(0, from) + or_usual(*one) + out.substr(to);
    }
    return out;
  }
  std::string initial(const RegionStatement& s, Span init) {
    if (!s.exchanges.empty()) return received(s, init);
    std::string out;
    size_t from = init.from;
    for (const Span& one : usual(init)) {
      out += joined({from, one.from}) + " " + or_usual(one) + " ";
      from = one.to;
    }
    return out + joined({from, init.to});
  }
  // Comparisons in the span that hold for all threads of most blocks: of a thread's place in the grid with what all
  // threads agree on, in the condition of an `if` or of a `?`. They can be evaluated anywhere in the region.
  std::vector<Span> usual(Span span) const {
    std::vector<Span> out;
    const auto add = [&](Span condition) {
      for (size_t from = condition.from; from < condition.to;) {
        const size_t end = std::min(t_.outside(from, condition.to, {"&&"}), condition.to);
        if (comparison({from, end})) out.push_back({from, end});
        from = end + 1;
      }
    };
    for (size_t i = span.from; i < span.to; ++i) {
      if (t_.is(i, "if") && t_.is(i + 1, "(")) add({i + 2, t_.closed(i + 1) - 1});
      if (!t_.is(i, "?")) continue;
      size_t from = i;
      while (from > span.from && (t_[from - 1].kind == Token::Kind::number || t_.is_word(from - 1) ||
                                  t_.is_any(from - 1, {"<", "<=", ">", ">=", "&&", "+", "-"})))
        --from;
      if (from > span.from && is_assignment(t_, from - 1) && !t_.is(from, "return")) add({from, i});
    }
    return out;
  }
  // A comparison of two sums, `i < n` or `i + 1 < n - 2`, the left one of which begins with the thread's place.
  struct Comparison {
    int place;  // the variable
    Span left, right;
    std::string operation;
  };
  std::optional<Comparison> comparison(Span span) const {
    const size_t at = t_.outside(span.from, span.to, {"<", "<=", ">", ">="});
    if (at == npos || at + 1 >= span.to) return std::nullopt;
    const Comparison out{t_.is_word(span.from) ? names_.at(span.from) : -1,
                         {span.from, at},
                         {at + 1, span.to},
                         std::string(t_[at].text)};
    if (out.place < 0 || !names_.place_in_grid(out.place) || !is_sum(out.right) ||
        (at > span.from + 1 && !(t_.is_any(span.from + 1, {"+", "-"}) && is_sum({span.from + 2, at}))))
      return std::nullopt;
    return out;
  }
  // A few numbers and what all threads agree on, with + and -.
  bool is_sum(Span span) const {
    size_t i = span.from;
    for (int terms = 0; terms < kMostTerms; ++terms, ++i) {
      const size_t end = i < span.to ? operand_end(i) : i;
      if (end == i || end > span.to || !names_.plain({i, end}, false) || !names_.known({i, end})) return false;
      if (end == span.to) return true;
      if (!t_.is_any(end, {"+", "-"})) return false;
      i = end;
    }
    return false;
  }
  // `i`, `12` or `blockDim . x`.
  size_t operand_end(size_t i) const {
    if (t_[i].kind == Token::Kind::number) return i + 1;
    if (!t_.is_word(i)) return i;
    return t_.is_any(i, {"blockIdx", "blockDim", "gridDim"}) ? i + 3 : i + 1;
  }
  // The sum, of which no part may overflow where it is evaluated for other threads than those that reach it. Each part
  // has its own type: `i + n + 1l` adds the first two in 32 bits.
  std::string exact(Span sum) const {
    size_t end = operand_end(sum.from);
    if (sum.to == end) return joined(sum);
    std::string out = "tenon_usually.term(" + joined({sum.from, end}) + ")";
    while (end < sum.to) {
      const size_t next = operand_end(end + 1);
      out = "tenon_usually.exact<decltype(" + joined({sum.from, next}) + ")>(" + out +
            (t_.is(end, "+") ? " + " : " - ") + "tenon_usually.term(" + joined({end + 1, next}) + "))";
      end = next;
    }
    return out;
  }
  std::string or_usual(Span condition) {
    if (measuring_) names_.note(condition);
    region_usual_[joined(condition)] = *comparison(condition);
    for (const std::string& word : words(condition)) region_usual_words_.insert(word);
    return "(tenon_usual || " + joined(condition) + ")";
  }
  std::string received(const RegionStatement& s, Span span) const {
    std::string out;
    for (size_t i = span.from; i < span.to; ++i) {
      const auto one =
          std::find_if(s.exchanges.begin(), s.exchanges.end(), [i](const RegionExchange& e) { return e.begin == i; });
      if (one != s.exchanges.end()) out += received(*one), i = one->end - 1;
      else out += std::string(t_[i].text) + " ";
    }
    return out;
  }
  std::string received(const RegionExchange& e) const {
    const std::string name(t_[e.name].text), who = "tenon_lane, " + absent() + ", tenon_threads";
    const std::string sent = "tenon_sent_" + std::to_string(e.name) + ".";
    if (e.reduces() || together(e)) return sent + "moved_to(" + type_of(e) + ", tenon_lane) ";
    if (!e.group.empty() && e.argument.empty())
      return sent + "template tile_" + name + "<" + tile(e) + ">(" + who + ") ";
    if (name == "__ballot_sync" || name == "__any_sync" || name == "__all_sync")
      return sent + name.substr(2, name.size() - 7) + "(" + who + ") ";
    if (e.argument.empty())
      return sent + "reduced<tenon_" + name.substr(2, name.size() - 7) + ">(" + type_of(e) + ", " + who + ") ";
    return sent + "shuffled<" + direction(e) + ">(" + type_of(e) + ", " + who + ", " + distance(e) + ") ";
  }
  // A shuffle's kind, and how far: its last arguments.
  std::string direction(const RegionExchange& e) const {
    const std::string_view name = t_[e.name].text;
    const auto has = [name](const char* word) { return name.find(word) != name.npos; };
    return std::string("TENON_WARP_") + (has("_up") ? "UP" : has("_down") ? "DOWN" : has("_xor") ? "XOR" : "SHUFFLE");
  }
  std::string distance(const RegionExchange& e) const {
    const std::string_view name = t_[e.name].text;
    const bool is_signed = name == "__shfl_sync" || name == "__shfl_xor_sync";
    return std::string("(unsigned)") + (is_signed ? "(int)" : "") + "(" + joined(e.argument) + "), " +
           (!e.group.empty()  ? "(int)" + tile(e)
            : e.width.empty() ? "TENON_WARP"
                              : joined(e.width));
  }
  // Whether all lanes shuffle by the same distance: then the block moves its values at once.
  bool together(const RegionExchange& e) const {
    if (e.argument.empty() || e.reduces()) return false;
    for (Span span : {e.argument, e.width})
      if (!span.empty() && (!names_.plain(span, false) || !names_.known(span))) return false;
    return true;
  }
  std::string tile(const RegionExchange& e) const { return "tenon_tile<decltype(" + joined(e.group) + ")>::size"; }
  // The threads that do not take part where this is written.
  std::string absent() const { return !guards_.empty() ? guards_.back() + ".out" : flags_ ? gone_ : "nullptr"; }
  // The type of the result, which is that of the value given.
  std::string type_of(const RegionExchange& e) const {
    if (e.reduces()) return "tenon_type_of<decltype(tenon_decayed_value(" + joined(e.value) + "))>()";
    if (!e.group.empty())
      return "tenon_type_of<decltype(" + joined({e.begin, e.name + 1}) + "(" + joined(e.value) + ", 0u))>()";
    return "tenon_type_of<decltype(" + std::string(t_[e.name].text) + "(0u, " + joined(e.value) +
           (e.argument.empty() ? "" : ", 0") + "))>()";
  }
  // Each thread stores its value; then the region ends, and so all have stored theirs.
  void send(const RegionStatement& s) {
    if (s.exchanges.empty()) return;
    for (const RegionExchange& e : s.exchanges) {
      for (const std::string& word : words(e.group)) region_groups_.insert(word);
      for (Span span : {e.mask, e.value, e.group}) {
        mention(span);
        for (const std::string& word : words(span)) region_words_.insert(word);
      }
      const std::string sent = "tenon_sent_" + std::to_string(e.name);
      region_before_ += "tenon_sent " + sent + ";\n";
      const std::string_view name = t_[e.name].text;
      const bool votes = name == "__ballot_sync" || name == "__any_sync" || name == "__all_sync" ||
                         (!e.group.empty() && e.argument.empty());
      region_text_ += participants(e.mask, e.group) + sent +
                      (votes ? ".vote(tenon_lane, " : ".put(" + type_of(e) + ", tenon_lane, ") + joined(e.value) +
                      ");\n";
    }
    flush();
    if (flags_ && guards_.empty()) {  // records who has ended by now: others may end before all have read their values
      gone_ = "tenon_gone_" + std::to_string(s.exchanges[0].name);
      region_before_ += "unsigned char " + gone_ + "[TENON_REGION_THREADS + TENON_WARP]; __builtin_memcpy(" + gone_ +
                        ", tenon_ended, tenon_threads);\n";
    }
    for (const RegionExchange& e : s.exchanges) step(e);
  }
  // What the block does with the values of all threads before they read their results.
  void step(const RegionExchange& e) {
    const std::string sent = "tenon_sent_" + std::to_string(e.name),
                      range =
                          guards_.empty() ? "0, tenon_threads" : guards_.back() + ".first, " + guards_.back() + ".end";
    if (e.reduces()) {
      for (size_t i = e.argument.from; i < e.argument.to; ++i)
        if (!names_.named(i).empty() || t_.is(i, "threadIdx")) refuse("the operation of a reduction is a thread's");
      region_steps_ += "tenon_group_reduces<decltype(" + joined(e.group) + "), decltype(tenon_decayed_value(" +
                       joined(e.value) + ")), decltype(tenon_decayed_value(" + joined(e.argument) + "))>();\n" +
                       "static_assert(&" + joined(e.function) + "<tenon_unconst<decltype(" + joined(e.group) +
                       ")>, decltype(tenon_decayed_value(" + joined(e.value) + ")), decltype(tenon_decayed_value(" +
                       joined(e.argument) + "))> == &cooperative_groups::reduce<tenon_unconst<decltype(" +
                       joined(e.group) + ")>, decltype(tenon_decayed_value(" + joined(e.value) +
                       ")), decltype(tenon_decayed_value(" + joined(e.argument) + "))>);\n" + sent + ".reduce<" +
                       tile(e) + ">(" + type_of(e) + ", " + joined(e.argument) + ", " + absent() + ", tenon_threads, " +
                       range + ");\n";
    } else if (together(e)) {
      if (measuring_) names_.note(e.argument);
      region_steps_ += sent + ".move<" + direction(e) + ">(" + type_of(e) + ", " + distance(e) + ", " + absent() +
                       ", tenon_threads, " + range + ");\n";
    }
    for (const std::string& word : words(e.group)) region_groups_.insert(word);
    for (Span span : {e.value, e.group})
      for (const std::string& word : words(span)) region_words_.insert(word);
  }
  // Checks that those lanes participate that the operation waits for: all of them, or in a branch those of the branch.
  std::string participants(Span mask, Span group) {
    std::string out;
    if (!group.empty()) out += "tenon_tile_alone<decltype(" + joined(group) + ")>();\n";
    if (guards_.empty()) return mask.empty() ? out : out + "tenon_whole_warp(" + joined(mask) + ");\n";
    const std::string lanes = !group.empty()
                                  ? "tenon_lanes_of_tile(tenon_lane, tenon_tile<decltype(" + joined(group) + ")>::size)"
                              : mask.empty() ? "0xffffffffu"
                                             : joined(mask);
    const std::string last = guards_wait_.back() ? "false" : "true";
    if (group.empty() && (mask.empty() || (names_.plain(mask, false) && names_.known(mask)))) {
      if (measuring_) names_.note(mask);
      region_after_ += "if (" + guards_.back() + ".any_apart(" + lanes + ", " + last + ")) tenon_meet_elsewhere();\n";
      return out;
    }
    region_apart_ = true;
    return out + "tenon_apart_" + id(region_) + " |= " + guards_.back() + ".apart(" + lanes + ", tenon_lane, " + last +
           ", " + (group.empty() ? "true" : "false") + ");\n";
  }
  std::set<std::string> words(Span span) const {
    std::set<std::string> out;
    for (size_t i = span.from; i < span.to; ++i)
      if (t_.is_word(i)) out.emplace(t_[i].text);
    return out;
  }
  void write(const std::string& text) {
    if (!measuring_) out_ += text;
  }

  void pass() {
    items_.clear();
    new_items_.clear();
    write("{ TENON_REGIONS\n");
    int number = 0;
    for (const std::string& name : names_.constants) {
      const std::string constant = "tenon_constant_" + id(++number);
      write("constexpr auto " + constant + " = " + name + "; tenon_number<decltype(" + constant + ")>();\n");
    }
    for (const std::string& name : names_.types) write("typedef " + name + " tenon_cast_" + id(++number) + ";\n");
    if (flags_)
      write(
          "unsigned char tenon_ended[TENON_REGION_THREADS + TENON_WARP];\n"
          "tenon_none_ended(tenon_ended, tenon_threads);\n");
    for (size_t k = 0; k < names_.list.size(); ++k)
      if (names_.list[k].role == RegionVariable::parameter) parameter(int(k));
    statements(tree_.statements, 0);
    write("}");
  }

  void parameter(int number) {
    RegionVariable& v = variable(number);
    v.changes |= v.assigned && !v.uniform;
    if (v.uniform || !v.changes) {
      protect(number);
      return;
    }
    write("typedef decltype(" + v.name + ") tenon_type_" + id(number) + "; " + frame(number) +
          " TENON_EACH_THREAD { TENON_AT_THREAD new ((void*)&tenon_frame_" + id(number) +
          "[tenon_lane], tenon_in_frame()) tenon_type_" + id(number) + "(" + v.name + "); }\n");
    items_.push_back({v.name, bound(number), {}, false, bound(number)});
  }
  std::string frame(int number) const {
    return "tenon_frames<tenon_unconst<tenon_type_" + id(number) + ">> tenon_frame_" + id(number) + ";";
  }
  // A region that has it as a value stores it at its end (leave).
  bool value(int number) const {
    const RegionVariable& v = names_.list[size_t(number)];
    return names_.only_value(number) && !v.repeated && !v.uniform && v.outlives_region();
  }
  std::string value_type(int number) const {
    std::string types = "tenon_type_" + id(number);
    for (const std::string& name : names_.value_types) types += ", " + name;
    return "tenon_region_value<" + types + ">";
  }
  std::string taken(int number) const {
    return "typename " + value_type(number) + "::type " + names_.list[size_t(number)].name + " = tenon_frame_" +
           id(number) + "[tenon_lane];";
  }
  std::string leave(int number) const {
    return value_type(number) + "::keep(tenon_frame_" + id(number) + "[tenon_lane], " +
           names_.list[size_t(number)].name + ");";
  }
  std::string bound(int number) {
    return "tenon_type_" + id(number) + "& " + variable(number).name + " = tenon_frame_" + id(number) + "[tenon_lane];";
  }
  // Defines the variable at this point.
  std::string made(int number, const std::string& init) const {
    const std::string type = "tenon_type_" + id(number),
                      place = "new ((void*)&tenon_frame_" + id(number) + "[tenon_lane], tenon_in_frame()) ";
    if (init.empty() || init[0] != '=') return place + type + init + ";";
    return "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wnarrowing\"\n" + place + "tenon_holder<" +
           type + ">{" + init.substr(1) + "};\n#pragma GCC diagnostic pop\n";
  }
  // A variable of the block: regions must not change it.
  void protect(int number) {
    const RegionVariable& v = variable(number);
    if (names_.numbers.count(number) || v.role != RegionVariable::parameter)
      write("tenon_number<decltype(" + v.name + ")>();\n");
    if (!v.fixed)
      items_.push_back(
          {v.name,
           "const tenon_unchanging<decltype(" + v.name + ")> tenon_same_" + id(number) + "(" + v.name + ");",
           {},
           true});
  }

  void statements(const std::vector<RegionStatement>& list, int depth) {
    const size_t known = items_.size();
    const bool later = waits_later_;
    for (size_t k = 0; k < list.size(); ++k) {
      waits_later_ = later || wait({list.begin() + long(k) + 1, list.end()});
      statement(list[k], depth);
    }
    waits_later_ = later;
    flush();
    items_.resize(known);
    for (const RegionStatement& s : list)
      if (s.kind == RegionStatement::declaration)
        for (const Declared& declared : s.declared) variable(names_.of(declared)).last = region_ - 1;
  }

  static bool wait(const std::vector<RegionStatement>& list) {
    return std::any_of(list.begin(), list.end(), [](const RegionStatement& s) {
      return s.kind == RegionStatement::barrier || !s.exchanges.empty() || wait(s.body) || wait(s.otherwise);
    });
  }

  void statement(const RegionStatement& s, int depth) {
    switch (s.kind) {
      case RegionStatement::work: {
        const int number = names_.assigned_by(s);
        if (number >= 0 && variable(number).uniform) {
          flush();
          write(slice(s.all));
        } else {
          work(s, depth);
        }
        break;
      }
      case RegionStatement::declaration: declaration(s); break;
      case RegionStatement::outside: write(slice(s.all)); break;
      case RegionStatement::barrier:
        if (!s.group.empty()) group(s);
        if (!s.mask.empty() || (s.of_warp && !guards_.empty())) {
          mention(s.mask.empty() ? s.all : s.mask);
          for (const std::string& word : words(s.mask)) region_words_.insert(word);
          region_text_ += participants(s.mask, s.group);
        }
        flush();
        break;
      case RegionStatement::leave:
        flush();
        write(slice(s.all));
        break;
      default: flush(); control(s, depth);
    }
  }

  // A barrier that is the sync of a group: the group must be the block.
  void group(const RegionStatement& s) {
    mention(s.group);
    for (const std::string& word : words(s.group)) region_words_.insert(word);
    region_text_ +=
        (guards_.empty() ? "tenon_block_or_tile<decltype(" : "tenon_tile_alone<decltype(") + joined(s.group) + ")>();";
    if (!s.function.empty())  // and not of a function of the text that has this name
      region_text_ +=
          " static_assert(&" + joined(s.function) +
          "<cooperative_groups::thread_block> == &cooperative_groups::sync<cooperative_groups::thread_block>);";
    region_text_ += "\n";
  }

  // A branch that not all threads take, in which lanes of warps wait for each other: its regions are those of the
  // threads that take it.
  void guarded(const RegionStatement& s, int depth) {
    const std::string n = std::to_string(s.all.from), taken = "tenon_taken_" + n, other = "tenon_other_" + n;
    const bool both = !s.otherwise.empty(), later = waits_later_;
    const Range range = range_of(s);
    if (!range.high.empty() && names_.may_part()) flush();
    range_ = region_begun_ ? Range() : range;
    mention(s.condition);
    for (const std::string& word : words(s.condition)) region_words_.insert(word);
    for (const std::string& name : {taken, other})
      if (name == taken || both) region_before_ += "tenon_guard " + name + "; " + name + ".none(tenon_threads);\n";
    region_text_ += "if (" + joined(s.condition) + ") " + taken + ".out[tenon_lane] = 0;" +
                    (both ? " else " + other + ".out[tenon_lane] = 0;\n" : "\n");
    flush();
    // Lanes of the other part may meet those of this one, and the check of participants must see it.
    waits_later_ = later || (both && wait(s.otherwise));
    guarded(taken, s.body, depth);
    waits_later_ = later || (both && wait(s.body));
    if (both) guarded(other, s.otherwise, depth);
    waits_later_ = later;
  }
  void guarded(const std::string& name, const std::vector<RegionStatement>& list, int depth) {
    write(name + ".count(tenon_threads, " + (flags_ ? "tenon_ended" : "nullptr") + ");\nif (" + name + ".any()) {\n");
    guards_.push_back(name);
    guards_wait_.push_back(waits_later_);
    const size_t known = items_.size();
    statements(list, depth + 1);
    items_.resize(known);
    guards_.pop_back();
    guards_wait_.pop_back();
    write("}\n");
  }

  void control(const RegionStatement& s, int depth) {
    if (names_.guarded(s)) return guarded(s, depth);
    const bool later = waits_later_, loops = s.kind != RegionStatement::branch && s.kind != RegionStatement::block;
    waits_later_ = later || (loops && (wait(s.body)));
    controlled(s, depth);
    waits_later_ = later;
  }
  void controlled(const RegionStatement& s, int depth) {
    if (!s.head.empty()) write(slice(s.head));
    write(s.kind == RegionStatement::do_loop ? "do {\n" : "{\n");
    const size_t known = items_.size();
    if (s.kind == RegionStatement::for_loop)
      for (const Declared& declared : s.declared) protect(names_.of(declared));
    statements(s.body, depth + 1);
    items_.resize(known);
    write("}\n");
    if (s.kind == RegionStatement::do_loop) write("while (" + joined(s.condition) + ");\n");
    if (s.otherwise.empty()) return;
    write("else {\n");
    statements(s.otherwise, depth + 1);
    write("}\n");
  }

  // `for (T i = start; i < bound; i += step) body`, in which neighbouring threads access neighbouring elements: the
  // threads of the block, or of a warp (`by_warp`), take turns after each iteration, as if a barrier ended it. Also
  // `for (; i < bound; i += step)` and `while (i < bound) { ... i += step; }`, if `i` begins with such a value: `own`
  // is that variable.
  struct Turns {
    std::string type, name;
    Span start, bound, step, condition, body;
    int own = -1;
    bool by_warp = false, lives_on = false;  // lives_on: the variable's last value may matter
  };
  std::optional<Turns> turns_of(const RegionStatement& s, int depth) const {
    const size_t i = s.all.from;
    if (!s.exchanges.empty() || !t_.is_any(i, {"for", "while"}) || !t_.is(i + 1, "(")) return std::nullopt;
    const size_t after = t_.closed(i + 1);
    Turns out;
    out.body = {after, s.all.to};
    Span step;  // the whole of it
    if (t_.is(i, "for")) {
      const size_t first = t_.outside(i + 2, after - 1, {";"}),
                   second = first == npos ? npos : t_.outside(first + 1, after - 1, {";"});
      if (second == npos) return std::nullopt;
      out.condition = {first + 1, second}, step = {second + 1, after - 1};
      if (first > i + 2) {
        size_t at = i + 2;
        while (is_type_word(t_, at)) ++at;
        if (at == i + 2 || !t_.is_word(at) || !t_.is(at + 1, "=") || t_.outside(at, first, {","}) != npos)
          return std::nullopt;
        out.type = joined({i + 2, at}), out.name = t_[at].text, out.start = {at + 2, first};
      }
    } else {
      if (!t_.is(after, "{") || !t_.is(s.all.to - 2, ";")) return std::nullopt;
      size_t last = s.all.to - 3;
      while (last > after && !t_.is_any(last, {";", "{", "}"})) --last;
      out.condition = {i + 2, after - 1}, step = {last + 1, s.all.to - 2};
      out.body = {after + 1, last + 1};
    }
    if (out.name.empty() && !begins_before(out, s, step.from, depth)) return std::nullopt;
    if (out.condition.to < out.condition.from + 3 || step.to < step.from + 3) return std::nullopt;
    out.bound = {out.condition.from + 2, out.condition.to}, out.step = {step.from + 2, step.to};
    if (!t_.is(out.condition.from, out.name) || !t_.is(out.condition.from + 1, "<") || !t_.is(step.from, out.name) ||
        !t_.is(step.from + 1, "+="))
      return std::nullopt;
    if (!names_.plain(out.start, true) || names_.plain(out.start, false) || !names_.known(out.start))
      return std::nullopt;
    if (!names_.in_steps(out.start)) {
      if (!names_.folds(out.start) || !guards_.empty()) return std::nullopt;
      out.by_warp = true;
    }
    for (Span span : {out.bound, out.step})
      if (span.empty() || !names_.plain(span, false) || !names_.known(span) ||
          t_.outside(span.from, span.to, {"<", ">", "&&", "||", "?", "==", "/", "%"}) != npos)
        return std::nullopt;
    const bool literal = out.step.to == out.step.from + 1 && t_[out.step.from].kind == Token::Kind::number;
    if (literal && !(out.by_warp && t_.is(out.step.from, "32"))) return std::nullopt;
    for (size_t k = out.body.from; k < out.body.to; ++k) {
      const bool lambda = t_.is(k, "[") && !t_.is_word(k - 1) && !t_.is_any(k - 1, {"]", ")"});
      if (lambda || t_.is_any(k, {"return", "break", "continue", "goto"})) return std::nullopt;
      if (!t_.is(k, out.name)) continue;
      if (is_assignment(t_, k + 1) || t_.is_any(k + 1, {"++", "--"}) || t_.is_any(k - 1, {"++", "--", "&"}))
        return std::nullopt;
      const bool argument = t_.is_any(k - 1, {"(", ","}) && t_.is_any(k + 1, {")", ","});
      if (argument) return std::nullopt;  // a function might take a reference
    }
    return out;
  }
  // The variable that is named at `name`, which the loop begins with: a number that was only given its first value.
  bool begins_before(Turns& out, const RegionStatement& s, size_t name, int depth) const {
    const int number = t_.is_word(name) ? names_.at(name) : -1;
    if (number < 0 || !value(number)) return false;
    const RegionVariable& v = names_.list[size_t(number)];
    if (v.values.size() != 1 || !t_.is(v.values[0].from, "=") || v.fixed) return false;
    for (size_t k = v.type.from; k < v.type.to; ++k)
      if (!is_type_word(t_, k)) return false;
    out.own = number;
    out.type = joined(v.type), out.name = v.name, out.start = {v.values[0].from + 1, v.values[0].to};
    out.lives_on = depth > 0;
    for (size_t k = s.all.to; k < tree_.close; ++k) out.lives_on |= t_.is(k, v.name);
    return true;
  }
  // Whether the statements are few and seem to change nothing but variables: stores to memory would have to be compared
  // with the other turns' loads.
  bool only_adds(Span body) const {
    if (body.to - body.from > 60) return false;
    for (size_t k = body.from; k < body.to; ++k) {
      const bool stores = t_.is_any(k, {"++", "--"}) || is_assignment(t_, k);
      if (stores && (t_.is_any(k - 1, {"]", ")"}) || t_.is_any(k + 1, {"*", "("}) || t_.is(k - 2, "*"))) return false;
      if (t_.is_word(k) && (t_[k].text.substr(0, 6) == "atomic" || t_[k].text.substr(0, 4) == "__st")) return false;
      if (t_.is_any(k, {"for", "while", "do", "static", "asm"})) return false;
    }
    return true;
  }
  // Whether all lanes of a warp may store to one element (`sums[warp] = v`): in vectors that would be a scatter.
  bool stores_by_warp(Span span) const {
    for (size_t k = span.from, open = span.from; k < span.to; ++k) {
      if (t_.is(k, "[")) open = k;
      if (!t_.is(k, "]") || !is_assignment(t_, k + 1)) continue;
      for (size_t i = open; i < k; ++i) {
        const int number = t_.is_word(i) ? names_.at(i) : -1;
        if (number < 0) continue;
        for (const Span& value : names_.list[size_t(number)].values)
          if (names_.of_warp(value)) return true;
      }
      if (names_.of_warp({open, k})) return true;
    }
    return false;
  }
  // They take turns if no counter can wrap around; else the loop runs as written.
  void take_turns(const RegionStatement& s, const Turns& turns) {
    const std::string n = std::to_string(s.all.from), turn = "tenon_turns_" + n, type = turns.type,
                      bound = joined(turns.bound), step = joined(turns.step), start = "(" + joined(turns.start) + ")",
                      begins = "tenon_begins_" + n, all = "tenon_all_" + n;
    if (measuring_)
      for (Span span : {turns.start, turns.bound, turns.step}) names_.note(span);
    flush();
    write("{ tenon_taking_turns " + turn + ";\nbool " + begins + " = true;\n");
    const Span first = turns.own < 0 ? turns.start : s.all;
    // A start that grows from thread to thread: the first thread's and the last thread's bound the others'.
    const bool ended = std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.name.empty(); });
    const auto counts = turns.own < 0 && guards_.empty() && !ended ? names_.places(turns.start) : std::nullopt;
    if (counts) {
      each_ = "TENON_FIRST_AND_LAST_THREAD";
      region_of({turns.start}, turn + ".from_end(tenon_end, " + start + ", " + range_of_block(*counts) + ");\n");
      each_.clear();
    } else {
      region_of({first, turns.start},
                turn + ".from(" + start + ");\n" +
                    (turns.own < 0 ? "" : begins + " &= " + turns.name + " == (" + type + ")" + start + ";\n"));
    }
    write("if (" + begins + " && " + turn + ".may<" + type + ">(" + bound + ", " + step + ")");
    if (turns.by_warp)
      write(" && tenon_by_warps(tenon_nx, tenon_ny, tenon_nz, " + std::string(flags_ ? "tenon_ended" : "nullptr") +
            ")) {\nfor (unsigned tenon_warp = 0; tenon_warp < tenon_nx / TENON_WARP; ++tenon_warp) {\n" + turn +
            ".far = 0;\n");
    else write(") {\n{\n");
    if (turns.by_warp) each_ = "TENON_EACH_LANE";
    if (only_adds(turns.body)) {  // several turns at once: the threads' variables are loaded and stored once for them
      write("for (; " + turn + ".several(" + bound + ", " + step + "); " + turn + ".next_several(" + step + ")) {\n");
      region_of({s.all, turns.start},
                "#pragma unroll\nfor (unsigned tenon_turn = 0; tenon_turn < tenon_taking_turns::"
                "many; ++tenon_turn) { const " +
                    type + " " + turns.name + " = (" + type + ")(" + start + " + (" + turn +
                    ".far + tenon_turn * (unsigned)(" + step + ")));\n{" + slice(turns.body) + "} }\n");
      write("}\n");
    }
    write("for (; " + turn + ".any(" + bound + "); " + turn + ".next(" + step + ")) {\nconst bool " + all + " = " +
          turn + ".all(" + bound + ");\n");
    region_of({s.all, turns.start}, "{ const " + type + " " + turns.name + " = (" + type + ")(" + start + " + " + turn +
                                        ".far);\nif (!" + all + " && !(" + joined(turns.condition) + ")) continue;\n{" +
                                        slice(turns.body) + "} }\n");
    each_.clear();
    write("} }\n");
    if (turns.lives_on)
      region_of({s.all, turns.start},
                turns.name + " = " + turn + ".last<" + type + ">(" + start + ", " + bound + ", " + step + ");\n");
    write("} else {\n");
    region_of({s.all}, slice(s.all));
    write("} }\n");
  }
  void region_of(std::initializer_list<Span> named, const std::string& text) {
    for (Span span : named) {
      mention(span);
      for (const std::string& word : words(span)) region_words_.insert(word);
    }
    region_text_ += text;
    flush();
  }

  // A statement that each thread executes.
  void work(const RegionStatement& s, int depth) {
    if (const std::optional<Turns> turns = turns_of(s, depth)) return take_turns(s, *turns);
    send(s);
    bool ends = false;
    for (size_t i = s.all.from; i < s.all.to; ++i) ends |= returns_ && t_.is(i, "return");
    // What few threads do gets a loop of its own, so that the others' loop has no branch.
    const Range range = s.exchanges.empty() ? range_of(s) : Range();
    const bool alone = !range.high.empty() && !ends && names_.may_part();
    if (alone) flush();
    range_ = region_begun_ ? Range() : range;
    mention(s.all);
    region_same_place_ |= stores_by_warp(s.all);
    for (const std::string& word : words(s.all)) region_words_.insert(word);
    if (!ends) {
      region_text_ += slice(s);
      if (alone) flush();
      return;
    }
    region_returns_ = true;
    // `if (known) return;`: later regions check again
    size_t after = t_.is(s.all.from, "if") && t_.is(s.all.from + 1, "(") ? t_.closed(s.all.from + 1) : npos;
    const Span condition{s.all.from + 2, after - 1};
    if (after != npos && t_.is(after, "{")) ++after;
    if (!exchanges_ && depth == 0 && after != npos && t_.is(after, "return") &&
        after + 2 + (t_.is(after - 1, "{") ? 1 : 0) == s.all.to && names_.plain(condition, true)) {
      if (measuring_) {
        names_.note(condition);
      }
      const std::string text = "if (" + joined(condition) + ") continue;";
      region_text_ += text + "\n";
      new_items_.push_back({"", text, words(condition)});
      return;
    }
    const bool last = depth == 0 && region_ + 1 == regions_;
    if (measuring_) ends_.emplace_back(region_, depth);
    region_leaves_ = true;
    const size_t first = t_[s.all.from].after_pragma ? t_[s.all.from - 1].end() : t_[s.all.from].begin;
    size_t from = first;
    region_text_ += "\n";
    for (size_t i = s.all.from; i < s.all.to; ++i) {
      if (!t_.is(i, "return")) continue;
      region_text_.append(text_, from, t_[i].begin - from);
      region_text_ += std::string(last ? "" : "{ tenon_ended[tenon_lane] = 1; ") + "goto tenon_end_" + id(region_) +
                      ";" + (last ? "" : " }");
      from = t_[i + 1].end();
    }
    region_text_.append(text_, from, t_[s.all.to - 1].end() - from);
    region_text_ += "\n";
  }

  // Of `if (threadIdx.x < bound) ...` or `if (threadIdx.x % 32 == bound) ...`, where all threads agree on the bound.
  Range range_of(const RegionStatement& s) const {
    const size_t i = s.all.from;
    if (!t_.is(i, "if") || !t_.is(i + 1, "(") || t_[i].after_pragma) return {};
    const size_t after = t_.closed(i + 1);
    if (t_.is(t_.statement(after), "else")) return {};
    if (t_.outside(i + 2, after - 1, {"||", "?", "="}) != npos) return {};
    for (size_t from = i + 2; from < after - 1;) {
      const size_t end = std::min(t_.outside(from, after - 1, {"&&"}), after - 1);
      const size_t op = t_.outside(from, end, {"<", "=="});
      const Span bound{op + 1, end};
      const bool simple = op != npos && op < end &&
                          t_.outside(op + 1, end, {"<", "==", ">", "!=", "<=", ">=", "/", "%", "&", "|", "^"}) == npos;
      const bool agreed = simple && names_.plain(bound, false) && names_.known(bound);
      const std::string text = joined(bound);
      for (const auto& [axis, kind] : {std::pair("x", Range::along_x), std::pair("y", Range::along_y)}) {
        if (!agreed || (kind == Range::along_y && !guards_.empty()) || !names_.thread_along(axis, {from, op})) continue;
        if (t_.is(op, "<")) return {"0u", "tenon_below(" + text + ")", kind};
        return {"tenon_from(" + text + ")", "tenon_after(" + text + ")", kind};
      }
      if (agreed && guards_.empty() && t_.is(op, "==") && names_.lane({from, op}))
        return {"tenon_from(" + text + ")", "tenon_to_next_lane(" + text + ")", Range::one_lane};
      for (size_t k = from; k < end; ++k)  // what other threads evaluate first must have no effect
        if (t_.is_any(k, {"++", "--"}) || is_assignment(t_, k) || (t_.is(k, "(") && t_.is_word(k - 1))) return {};
      from = end + 1;
    }
    return {};
  }

  void declaration(const RegionStatement& s) {
    send(s);
    range_ = {};
    for (const Declared& declared : s.declared) {
      const int number = names_.of(declared);
      const RegionVariable& v = variable(number);
      const std::string type = joined(s.type) + " " + joined(declared.before), after = joined(declared.after),
                        init = v.uniform || v.repeated ? received(s, declared.init) : initial(s, declared.init);
      if (v.uniform) {
        // Placed before the region that is being written, because nothing in the region changes its operands. But the
        // region may be what makes the computation valid.
        bool divides = false;
        for (size_t i = declared.init.from; i < declared.init.to; ++i) divides |= t_.is_any(i, {"/", "%"});
        if (region_returns_ || divides) flush();
        write(type + " " + v.name + " " + init + ";\n");
        protect(number);
        continue;
      }
      mention({declared.name, declared.name + 1});
      mention(declared.after);
      mention(declared.init, !v.repeated);
      for (Span span : {s.type, declared.after, declared.init})
        for (const std::string& word : words(span)) region_words_.insert(word);
      if (measuring_) variable(number).first = region_;
      if (v.outlives_region()) outliving(s, declared, number);
      else region_text_ += type + " " + v.name + " " + after + " " + init + ";\n";
      if (const auto known = groups_.find(v.name); known != groups_.end())
        region_text_ += "tenon_is_group<decltype(" + v.name + "), " + known->second + ">();\n";
    }
  }
  // A variable with a barrier in its scope.
  void outliving(const RegionStatement& s, const Declared& declared, int number) {
    const RegionVariable& v = variable(number);
    const std::string type = joined(s.type) + " " + joined(declared.before), after = joined(declared.after),
                      init = v.repeated ? received(s, declared.init) : initial(s, declared.init), n = id(number);
    if (v.reference) {
      if (v.regions.size() > 1) refuse("the reference " + v.name + " lives over a barrier");
      if (declared.init.empty()) refuse("a reference to nothing");
      const std::string value = init[0] == '=' ? init.substr(1) : init.substr(1, init.size() - 2);
      region_text_ +=
          type + " " + v.name + " " + init + "; tenon_refers<decltype(" + v.name + "), decltype((" + value + "))>();\n";
      return;
    }
    const bool deduces = t_.outside(s.type.from, s.type.to, {"auto"}) != npos,
               lambda = t_.is(declared.init.from, "=") && t_.is(declared.init.from + 1, "[");
    if (lambda) {
      if (!deduces || v.regions.size() > 1) refuse("the lambda " + v.name + " lives over a barrier");
      region_before_ += "tenon_closures tenon_closures_" + n + ";\n";
      region_text_ += type + " tenon_new_" + n + " " + init + "; auto& " + v.name + " = tenon_closures_" + n +
                      ".keep(tenon_lane, tenon_new_" + n + ");\n";
      return;
    }
    // Each region has its own, if nothing can tell: it is easier for the compiler to prove that it does not change.
    const bool alone = v.repeated && names_.no_addresses();
    region_before_ += "typedef " +
                      (deduces ? deduced(s, declared) + " tenon_type_" + n : type + " tenon_type_" + n + " " + after) +
                      "; " + (alone ? "" : frame(number)) + "\n";
    if (value(number)) {
      region_text_ += made(number, init) + " " + taken(number) + "\n";
      region_leave_ += leave(number) + "\n";
      new_items_.push_back({v.name, taken(number), {}, false, bound(number), leave(number)});
      return;
    }
    const std::string again = alone ? type + " " + v.name + " " + init + ";" : bound(number) + " " + made(number, init);
    region_text_ += again + "\n";
    if (!v.repeated) {
      new_items_.push_back({v.name, bound(number), {}, false, bound(number)});
      return;
    }
    std::string same = " tenon_number<decltype(" + v.name + ")>();";
    if (!v.fixed)  // else a change would be undefined
      same += " const tenon_unchanging<tenon_unconst<tenon_type_" + n + ">> tenon_same_" + n + "(" + v.name + ");";
    region_text_ += same + "\n";
    const std::string any = "tenon_type_" + n + " " + v.name + "{};";
    new_items_.push_back({v.name, again + same, words(declared.init), false, alone ? any : bound(number), "",
                          names_.of_warp(declared.init)});
  }
  // The type of `auto v = init`, whose initialiser may name variables of the thread.
  std::string deduced(const RegionStatement& s, const Declared& declared) const {
    if (declared.before.from != declared.before.to || !t_.is(declared.init.from, "="))
      refuse("a deduced type with more than a value");
    std::string out = t_.outside(s.type.from, s.type.to, {"const"}) == npos ? "" : "const ";
    out += "tenon_unconst<decltype(tenon_decayed_value(";
    for (size_t i = declared.init.from + 1; i < declared.init.to; ++i) {
      const int number = names_.at(i);
      if (number < 0 || !names_.list[size_t(number)].per_thread()) {
        out += std::string(t_[i].text) + " ";
        continue;
      }
      const RegionVariable& v = names_.list[size_t(number)];
      if (v.role == RegionVariable::parameter) {
        out += v.name + " ";
        continue;
      }
      if (v.outlives_region()) {
        out += "tenon_some<tenon_type_" + id(number) + ">() ";
        continue;
      }
      if (v.reference || t_.outside(v.type.from, v.type.to, {"auto"}) != npos)
        refuse("a deduced type from a deduced type");
      out += "tenon_some<" + joined(v.type) + " " + joined(v.declared.before) + joined(v.declared.after) + ">() ";
    }
    return out + "))>";
  }

  void mention(Span span, bool used = true) {
    for (size_t i = span.from; i < span.to; ++i)
      for (const int number : names_.named(i)) variable(number).regions.insert(region_);
    region_by_warps_ |= used && names_.of_warp(span);
    region_begun_ |= !span.empty();
  }

  // Ends the region here.
  void flush() {
    if (!region_begun_) return;
    if (!measuring_) emit();
    for (Item& item : new_items_) items_.push_back(std::move(item));
    new_items_.clear();
    region_text_.clear();
    region_before_.clear();
    region_steps_.clear();
    region_after_.clear();
    region_leave_.clear();
    region_usual_.clear();
    region_usual_words_.clear();
    range_ = {};
    region_words_.clear();
    region_groups_.clear();
    region_by_warps_ = region_same_place_ = false;
    region_begun_ = region_returns_ = region_leaves_ = region_apart_ = false;
    ++region_;
  }
  void emit() {
    std::vector<const Item*> begin;
    std::set<std::string> needed = region_words_;
    for (size_t k = items_.size(); k-- > 0;) {
      const Item& item = items_[k];
      if (!item.name.empty() && !needed.count(item.name)) continue;
      needed.insert(item.needs.begin(), item.needs.end());
      begin.push_back(&item);
      region_by_warps_ |= item.by_warps;
    }
    for (const Item& item : new_items_) region_by_warps_ |= item.by_warps && needed.count(item.name);
    const std::string live = "tenon_live_" + id(region_);
    const auto write_items = [&](bool of_block) {
      for (size_t k = begin.size(); k-- > 0;)
        if (begin[k]->of_block == of_block) out_ += begin[k]->text + "\n";
    };
    out_ += region_before_;
    if (!region_steps_.empty()) {
      out_ += "{ TENON_ANY_THREAD\n";
      for (size_t k = begin.size(); k-- > 0;) out_ += begin[k]->bind;
      out_ += region_steps_ + "}\n";
    }
    if (region_apart_) {
      out_ += "bool tenon_apart_" + id(region_) + " = false;\n";
      region_after_ += "if (tenon_apart_" + id(region_) + ") tenon_meet_elsewhere();\n";
    }
    if (region_returns_) out_ += "bool " + live + " = false;\n";
    out_ += "{\n";
    write_items(true);
    const std::string skip = !guards_.empty()          ? "if (" + guards_.back() + ".out[tenon_lane]) continue;\n"
                             : flags_ && each_.empty() ? "if (tenon_ended[tenon_lane]) continue;\n"
                                                       : "";
    const auto loop = [&] {
      const std::string each = each_thread();
      out_ += each + " { {\n" + (each == kByWarps ? "TENON_AT_LANE(tenon_w * TENON_WARP)" : "TENON_AT_THREAD") + "\n" +
              skip;
      write_items(false);
      out_ += region_text_ + "\n" + region_leave_;
      for (const Item* item : begin) out_ += item->leave;
      out_ += "}\n";
      if (region_returns_) out_ += live + " = true;\n";
      if (region_leaves_) out_ += "tenon_end_" + id(region_) + ": ;\n";
      out_ += "}\n";
    };
    const std::string all = usually();
    if (all.empty()) {
      if (!region_usual_.empty()) out_ += "const bool tenon_usual = false;\n";
      loop();
    } else {
      out_ += all + "if (tenon_usually.all) {\nconst bool tenon_usual = true;\n";
      loop();
      out_ += "} else {\nconst bool tenon_usual = false;\n";
      loop();
      out_ += "}\n";
    }
    out_ += "tenon_be_nobody();\n}\n" + region_after_;
    if (region_returns_) out_ += "if (!" + live + ") return;\n";
  }

  // If the region is written twice, for blocks in which its usual conditions hold for all threads and for others: the
  // decision. What is compared there grows along each axis of the block. So if it does not wrap around on the way
  // from the first thread to the last, and the condition holds for these two, it holds for all.
  std::string usually() const {
    if (region_usual_.empty() || region_returns_ || region_leaves_ || flags_ || !guards_.empty() || !each_.empty() ||
        !range_.high.empty() || region_text_.size() > kMostTwice)
      return "";
    for (const char* word : {"static", "asm", "__asm__"})
      if (region_words_.count(word)) return "";
    std::vector<const Item*> items;
    std::set<std::string> needed = region_usual_words_;
    for (const std::vector<Item>* list : {&new_items_, &items_})
      for (size_t k = list->size(); k-- > 0;) {
        const Item& item = (*list)[k];
        if (item.name.empty()) return "";  // threads may have ended before
        if (item.of_block || !needed.count(item.name)) continue;
        needed.insert(item.needs.begin(), item.needs.end());
        items.push_back(&item);
      }
    std::string out = "tenon_usual_conditions tenon_usually;\nunsigned long long tenon_first[" +
                      id(int(region_usual_.size())) +
                      "];\n"
                      "TENON_FIRST_AND_LAST_THREAD {\nTENON_AT_THREAD\n";
    for (size_t k = items.size(); k-- > 0;) out += items[k]->text + "\n";
    int k = 0;
    for (const auto& [condition, one] : region_usual_) {
      const std::string left = exact(one.left);
      out += "tenon_usually.holds(tenon_end, " + left + " " + one.operation + " " + exact(one.right) + ", " + left +
             ", " + range_of_block(*names_.place_in_grid(one.place)) + ", tenon_first[" + id(k++) + "]);\n";
    }
    return out + "}\n";
  }

  // How much a sum of places grows from the block's first thread to its last one.
  std::string range_of_block(const std::array<unsigned, 3>& counts) const {
    return sum_of(counts, {"(tenon_nx - 1)", "(tenon_ny - 1)", "(tenon_nz - 1)"});
  }
  std::string sum_of(const std::array<unsigned, 3>& counts, const std::array<const char*, 3>& axes) const {
    std::string out = "0u";
    for (size_t k = 0; k < 3; ++k)
      if (counts[k]) out += " + " + (counts[k] > 1 ? id(int(counts[k])) + " * " : "") + axes[k];
    return out;
  }

  // If the region only computes with variables of the threads and of the block, by operators: the types of the former.
  // If those are numbers, no code in it can tell which thread it is, and the block is a line of threads.
  std::string types_alone() const {
    std::string out;
    if (!exchanges_) return "";
    for (const std::string& word : region_words_) {
      if (region_groups_.count(word) || word == "const" || word == "unsigned" || word == "int" || word == "float" ||
          word == "double" || word.substr(0, 6) == "__shfl")
        continue;
      if (names_.all_uniform(word)) continue;
      const int number = names_.only(word);
      if (number < 0) return "";
      const RegionVariable& v = names_.list[size_t(number)];
      for (size_t i = v.type.from; i < v.type.to; ++i)  // not a pointer to a function
        if (!is_type_word(t_, i) && !t_.is(i, "const")) return "";
      if (v.repeated || v.reference || v.array || !v.outlives_region() || v.role != RegionVariable::own) return "";
      out += (out.empty() ? "" : ", ") + ("tenon_type_" + id(number));
    }
    return out.empty() ? "" : "(tenon_all_numbers<" + out + ">::value)";
  }
  std::string each_thread() const {
    if (!each_.empty()) return each_;
    const bool whole = range_.high.empty();
    if (const std::string types = types_alone(); !types.empty() && whole)
      return "TENON_EACH_LANE_OF(" + std::string(guards_.empty() ? "TENON_ALONG_ROW" : "TENON_FEW") + ", " + types +
             ", " + (guards_.empty() ? "0u, tenon_threads" : guards_.back() + ".first, " + guards_.back() + ".end") +
             ")";
    if (whole && guards_.empty()) return region_by_warps_ && !region_same_place_ ? kByWarps : "TENON_EACH_THREAD";
    if (range_.kind == Range::along_y) return "TENON_EACH_ROW_OF(" + range_.low + ", " + range_.high + ")";
    if (range_.kind == Range::one_lane) return "TENON_EACH_STEP_OF(" + range_.low + ", " + range_.high + ")";
    return "TENON_EACH_THREAD_OF(" +
           (guards_.empty() ? "0u, tenon_threads" : guards_.back() + ".first, " + guards_.back() + ".end") + ", " +
           (whole ? "0u, tenon_nx" : range_.low + ", " + range_.high) + ")";
  }

  const std::string& text_;
  const Tokens& t_;
  const KernelTree& tree_;
  const GroupSizes& groups_;
  RegionNames names_;
  std::vector<Item> items_, new_items_;
  std::string out_, region_text_, region_before_, region_steps_, region_after_, region_leave_, gone_;
  std::vector<std::string> guards_;  // the branches around what is being written
  std::vector<bool> guards_wait_;    // whether threads that do not take it may wait after it
  bool waits_later_ = false;         // whether something waits after what is being written
  Range range_;
  std::string each_;  // not "": the loop over threads that have not ended
  std::set<std::string> region_words_, region_groups_;
  std::map<std::string, Comparison> region_usual_;  // conditions that hold in most blocks
  std::set<std::string> region_usual_words_;
  std::vector<std::pair<int, int>> ends_;  // the region and depth of each return
  int region_ = 0, regions_ = 0;
  bool measuring_ = true, returns_ = false, flags_ = false;  // flags: threads that have ended must be recorded
  bool exchanges_ = false;                                   // lanes of warps exchange values
  bool region_same_place_ = false;                           // lanes of a warp may store to one element
  bool region_by_warps_ = false;                             // the region tells warps and their lanes apart
  bool region_begun_ = false, region_returns_ = false, region_leaves_ = false, region_apart_ = false;
};

}  // namespace

RegionText::RegionText(std::string text)
    : groups_(with_functions_inlined(with_dynamic_shared_plain(text))), text_(groups_.text()), tokens_(text_) {}

const RegionText::Made& RegionText::made(const std::string& name) {
  auto [at, fresh] = made_.try_emplace(name);
  Made& out = at->second;
  if (!fresh) return out;
  try {
    const KernelTree tree = read_kernel(tokens_, name);
    out.body = RegionWriter(text_, tokens_, tree, groups_.of(name)).run();
    out.from = tokens_[tree.open].begin;
    out.to = tokens_[tree.close].end();
    bool x = false, y = false, other = false;  // other: threadIdx.z, or threadIdx as a whole
    for (size_t i = tree.open; i < tree.close; ++i) {
      if (!tokens_.is(i, "threadIdx")) continue;
      const bool axis = tokens_.is(i + 1, ".");
      (axis && tokens_.is(i + 2, "x") ? x : axis && tokens_.is(i + 2, "y") ? y : other) = true;
    }
    if (!other && (x || y)) out.blocks = y ? Blocks::planes : Blocks::lines;
  } catch (const NoRegions& no) {
    out.refused = no.why;
  }
  return out;
}

const std::string& RegionText::refused(const std::string& name) { return made(name).refused; }

std::string RegionText::rewritten(const std::set<std::string>& names) {
  std::map<size_t, const Made*> places;
  for (const std::string& name : names)
    if (const Made& one = made(name); one.refused.empty()) places[one.from] = &one;
  std::string out;
  size_t from = 0;
  for (const auto& [at, one] : places) {
    out.append(text_, from, at - from);
    out += one->body;
    from = one->to;
  }
  return out.append(text_, from);
}

std::string function_of_kernel(const std::string& name) {
  const std::string within = kernel_within(name);
  std::string out = within.substr(0, within.find('<'));
  const size_t colon = out.rfind(':');
  if (colon != std::string::npos) out.erase(0, colon + 1);
  while (!out.empty() && out.front() == ' ') out.erase(0, 1);
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace tenon::cpu
