// plugin/contract/dtype_set.cpp: lists and names of sets of dtypes, and placeholders that follow another one.
#include "plugin/contract/dtype_set.hpp"
#include <algorithm>

namespace tenon::plugin {
namespace {

struct Set {
  const char* name;
  std::vector<Dtype> dtypes;
};

const std::vector<Set>& sets() {
  static const std::vector<Set> all = {
      {"floating", {TENON_FLOAT32, TENON_FLOAT64, TENON_FLOAT16, TENON_BFLOAT16}},
      {"signed", {TENON_INT8, TENON_INT16, TENON_INT32, TENON_INT64}},
      {"unsigned", {TENON_UINT8, TENON_UINT16, TENON_UINT32, TENON_UINT64}},
      {"integer",
       {TENON_INT8, TENON_INT16, TENON_INT32, TENON_INT64, TENON_UINT8, TENON_UINT16, TENON_UINT32, TENON_UINT64}},
      {"complex", {TENON_COMPLEX64, TENON_COMPLEX128}},
  };
  return all;
}

void add(const Source& source, const Value& value, std::vector<Dtype>& out) {
  if (value.kind != Value::Kind::text)
    fault(source, value.place, "found %s where a dtype should be, as in \"float32\"", kind_name(value.kind));
  const auto put = [&](Dtype dtype) {
    if (std::find(out.begin(), out.end(), dtype) != out.end())
      fault(source, value.place, "%s is listed twice", dtype_name(dtype).c_str());
    out.push_back(dtype);
  };
  for (const Set& set : sets())
    if (value.text == set.name) {
      for (const Dtype dtype : set.dtypes) put(dtype);
      return;
    }
  const Dtype dtype = dtype_named(value.text);
  if (!dtype)
    fault(source, value.place,
          "\"%s\" is neither a dtype (float32, int64 ...) nor a set: floating, integer, signed, unsigned, complex",
          value.text.c_str());
  put(dtype);
}

void follow(const Source& source, const Value& value, const std::vector<Placeholder>& earlier, Placeholder& out) {
  for (const auto& [key, entry] : value.entries) {
    if (key != "from") continue;
    for (size_t i = 0; i < earlier.size(); ++i)
      if (entry.kind == Value::Kind::text && earlier[i].name == entry.text) out.from = int32_t(i);
    if (out.from < 0)
      fault(source, entry.place, "`from` must name a placeholder declared before this one, which follows it");
  }
  if (out.from < 0)
    fault(source, value.place, "the type %s must follow another one: { from = \"T\", float16 = \"float32\" }",
          out.name.c_str());
  for (size_t i = 0; i < value.entries.size(); ++i) {
    const auto& [key, entry] = value.entries[i];
    if (key == "from") continue;
    const Dtype from = dtype_named(key), to = entry.kind == Value::Kind::text ? dtype_named(entry.text) : 0;
    const std::vector<Dtype>& may = earlier[size_t(out.from)].dtypes;
    if (std::find(may.begin(), may.end(), from) == may.end())
      fault(source, value.keys[i], "`%s` is not a dtype that %s may be", key.c_str(),
            earlier[size_t(out.from)].name.c_str());
    if (!to) fault(source, entry.place, "the dtype that %s gets for %s must be a dtype", out.name.c_str(), key.c_str());
    out.map.emplace_back(from, to);
  }
  for (const Dtype dtype : earlier[size_t(out.from)].dtypes) {  // dtypes that are not listed map to themselves
    const auto said =
        std::find_if(out.map.begin(), out.map.end(), [&](const auto& pair) { return pair.first == dtype; });
    if (said == out.map.end()) out.map.emplace_back(dtype, dtype);
  }
  for (const auto& [from, to] : out.map)
    if (std::find(out.dtypes.begin(), out.dtypes.end(), to) == out.dtypes.end()) out.dtypes.push_back(to);
}

}  // namespace

Placeholder read_placeholder(const Source& source, const std::string& name, const Value& value,
                             const std::vector<Placeholder>& earlier) {
  Placeholder out;
  out.name = name;
  if (value.kind == Value::Kind::table) {
    follow(source, value, earlier, out);
    return out;
  }
  if (value.kind == Value::Kind::list) {
    for (const Value& item : value.items) add(source, item, out.dtypes);
  } else {
    add(source, value, out.dtypes);
  }
  if (out.dtypes.empty())
    fault(source, value.place, "the type %s may be nothing: list at least one dtype", name.c_str());
  return out;
}

}  // namespace tenon::plugin
