// tool/run/run.cpp: `tenon run`: a kernel file, or an operation of a package, on arrays in files.
#include <algorithm>
#include <filesystem>
#include "tool/commands.hpp"
#include "tool/plugin/package.hpp"
#include "tool/run/program.hpp"
#include "tool/run/run_arguments.hpp"

namespace tool {
namespace {

// "256", "32x8" or, for threads, the name of an array, whose axes are used in reverse order.
void read_extents(const std::string& text, const char* option, const RunArguments& arguments, uint64_t (&out)[3]) {
  std::vector<int64_t> list;
  if (text[0] < '0' || text[0] > '9') {
    list = arguments.shape_of(arguments.find(text));
    std::reverse(list.begin(), list.end());
    for (; list.size() > 3; list.pop_back()) list[list.size() - 2] *= list.back();
  } else {
    list = parse_shape(text);
  }
  if (list.empty() || list.size() > 3)
    usage(std::string("--") + option + " is " + text + ": it must be one to three extents, as in 256 or 32x8");
  for (size_t i = 0; i < 3; ++i) out[i] = i < list.size() ? uint64_t(std::max<int64_t>(list[i], 0)) : 1;
}

tenon_launch geometry(const Arguments& given, tenon_kernel* kernel, const RunArguments& arguments) {
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  launch.shared_bytes = uint32_t(given.number("shared", 0, 0, 1 << 30));
  uint64_t extents[3] = {};
  if (given.flag("block")) {
    read_extents(given.text("block"), "block", arguments, extents);
    std::copy(extents, extents + 3, launch.block);
  }
  if (given.flag("grid")) {
    if (given.flag("threads")) usage("--grid and --threads exclude each other");
    read_extents(given.text("grid"), "grid", arguments, extents);
    std::copy(extents, extents + 3, launch.grid);
    uint32_t least = 0;
    if (!given.flag("block")) check(tenon_kernel_suggest(kernel, launch.shared_bytes, &launch.block[0], &least));
    return launch;
  }
  if (given.flag("threads")) {
    read_extents(given.text("threads"), "threads", arguments, extents);
  } else {  // one per element of the first array that is written
    const auto written = std::find_if(arguments.slots().begin(), arguments.slots().end(),
                                      [](const Slot& slot) { return slot.array && slot.written; });
    if (written == arguments.slots().end())
      usage("this kernel writes no array, so the number of threads is unknown: give --threads or --grid");
    extents[0] = extents[1] = extents[2] = 1;
    for (const int64_t extent : arguments.shape_of(size_t(written - arguments.slots().begin())))
      extents[0] *= uint64_t(extent);
  }
  const bool flat = extents[1] == 1 && extents[2] == 1;
  if (flat && launch.block[1] <= 1 && launch.block[2] <= 1) {
    check(tenon_launch_for(kernel, extents[0], &launch));
    return launch;
  }
  if (!launch.block[0]) launch.block[0] = 32, launch.block[1] = 8, launch.block[2] = 1;
  for (int i = 0; i < 3; ++i) {
    const uint64_t blocks = (extents[i] + launch.block[i] - 1) / std::max(launch.block[i], 1u);
    if (blocks > UINT32_MAX) usage("--threads is too large");
    launch.grid[i] = uint32_t(std::max<uint64_t>(blocks, 1));
  }
  return launch;
}

// -o FILE for the array that is written last, -o NAME=FILE for any; several may be stored in one .npz.
struct Saved {
  std::string path;
  std::vector<size_t> which;
};
std::vector<Saved> outputs_of(const Arguments& given, const RunArguments& arguments) {
  std::vector<Saved> out;
  for (const std::string& word : given.all("output")) {
    const size_t equals = word.find('=');
    const std::string path = equals == word.npos ? word : word.substr(equals + 1);
    check_writable_name(path);
    size_t index = arguments.slots().size();
    if (equals != word.npos) {
      index = arguments.find(word.substr(0, equals));
    } else {
      for (size_t i = 0; i < arguments.slots().size(); ++i)
        if (arguments.slots()[i].array && arguments.slots()[i].written) index = i;
      if (index == arguments.slots().size())
        usage("the kernel writes no array, so there is nothing to save in " + path);
    }
    const auto found = std::find_if(out.begin(), out.end(), [&](const Saved& one) { return one.path == path; });
    if (found == out.end()) {
      out.push_back({path, {index}});
      continue;
    }
    if (!path.ends_with(".npz")) usage(path + " is given twice: only .npz holds several arrays");
    found->which.push_back(index);
  }
  return out;
}

json finish(const std::vector<Saved>& saved, const RunArguments& arguments, Output& out) {
  for (const Saved& one : saved) {
    std::vector<NamedArray> arrays;
    for (const size_t index : one.which) {
      HostArray host = to_host(arguments.array(index));
      if (one.path.ends_with(".png") && host.dtype != TENON_UINT8 && host.dtype != TENON_UINT16)
        host = to_host(
            own<Array>(tenon_array_convert, arguments.array(index), uint32_t(TENON_FLOAT32), nullptr, nullptr).get());
      arrays.push_back(
          {arguments.slots()[index].name.empty() ? "array_" + std::to_string(index) : arguments.slots()[index].name,
           std::move(host)});
    }
    write_arrays(one.path, arrays);
  }
  json written = json::array();
  for (size_t i = 0; i < arguments.slots().size(); ++i) {
    const Slot& slot = arguments.slots()[i];
    if (!slot.array || !slot.written || !arguments.array(i)) continue;
    const std::string name = slot.name.empty() ? std::to_string(i) : slot.name;
    json row = {{"name", name},
                {"shape", arguments.shape_of(i)},
                {"dtype", tenon_dtype_name(to_host(arguments.array(i)).dtype)}};
    std::string where;
    for (const Saved& one : saved)
      if (std::count(one.which.begin(), one.which.end(), i)) {
        row["file"] = one.path;
        where += " -> " + one.path;
      }
    written.push_back(row);
    if (!out.as_json()) out.line(out.strong(name) + ": " + summary(arguments.array(i)) + where);
  }
  return written;
}

Kernel kernel_of(SourceFile& file, tenon_device* device, Program& program) {
  const std::string name = file.kernel().empty() ? file.stem() : file.kernel();
  const std::vector<std::string> names{name};
  try {
    const tenon_program_options options = file.options(names);
    program = own<Program>(tenon_program_create, device, file.text().data(), uint64_t(file.text().size()), &options);
    return own<Kernel>(tenon_program_kernel, program.get(), name.c_str());
  } catch (const Failure&) {
    if (!file.kernel().empty()) throw;
    const tenon_program_options options = file.options({});
    own<Program>(tenon_program_create, device, file.text().data(), uint64_t(file.text().size()),
                 &options);  // reports errors in the text
    usage(file.path() + " has no kernel \"" + name + "\" that can be compiled by that name: name one of them, as in " +
          file.path() + ":NAME or " + file.path() + ":NAME<float>");
  }
}

int run_kernel(const Arguments& given, Output& out) {
  SourceFile file(given[0], given);
  const Device device = device_named(given.text("device", "best"));
  Program program;
  const Kernel kernel = kernel_of(file, device.get(), program);
  int32_t count = 0;
  check(tenon_kernel_parameter_count(kernel.get(), &count));
  std::vector<Slot> slots;
  for (int32_t i = 0; i < count; ++i) {
    tenon_parameter_info info{};
    info.struct_size = sizeof info;
    check(tenon_kernel_get_parameter_info(kernel.get(), i, &info));
    Slot slot;
    const char* name = "";
    if (tenon_kernel_parameter_name(kernel.get(), i, &name) == TENON_OK) slot.name = name;
    if (info.kind != TENON_PARAMETER_POINTER && info.kind != TENON_PARAMETER_SCALAR)
      usage("parameter " + std::to_string(i) +
            " of the kernel is a struct by value, which cannot be given on the command line");
    slot.array = info.kind == TENON_PARAMETER_POINTER;
    slot.written = slot.array && !info.read_only;
    slot.dtype = info.dtype;
    slots.push_back(slot);
  }
  RunArguments arguments(device.get(), slots);
  arguments.read({given.positionals.begin() + 1, given.positionals.end()});
  const std::vector<Saved> saved = outputs_of(given, arguments);
  const tenon_launch launch = geometry(given, kernel.get(), arguments);
  double seconds = 0;
  check(tenon_kernel_time(kernel.get(), &launch, arguments.args(), arguments.count(), nullptr, &seconds));
  const double milliseconds = 1e3 * seconds;
  const json written = finish(saved, arguments, out);
  const std::string shape = format("%u x %u x %u blocks of %u x %u x %u threads", launch.grid[0],
                                   std::max(launch.grid[1], 1u), std::max(launch.grid[2], 1u), launch.block[0],
                                   std::max(launch.block[1], 1u), std::max(launch.block[2], 1u));
  out.line(out.quiet(format("%s, %.3f ms on %s", shape.c_str(), milliseconds, name_of(device.get()).c_str())));
  out.document({{"device", name_of(device.get())},
                {"grid", launch.grid},
                {"block", launch.block},
                {"milliseconds", milliseconds},
                {"written", written}});
  return kDone;
}

std::map<std::string, RunPlaceholder> placeholders_of(const json& description) {
  std::map<std::string, RunPlaceholder> out;
  for (const auto& [name, dtypes] : description["types"].items()) out[name].first = dtypes[0];
  const json follows = description.value("follows", json::object());
  for (const auto& [name, rule] : follows.items()) {
    out[name].from = rule["from"];
    for (const auto& [from, to] : rule["dtypes"].items()) out[name].follows[from] = to;
  }
  return out;
}

int run_operation(const Arguments& given, Output& out) {
  const Chosen chosen = choose(given[0], {});
  if (chosen.operations.size() != 1)
    usage(chosen.title + " has several operations: name one of them, as in " + given[0] + "/NAME");
  for (const char* option : {"grid", "block", "threads", "shared"})
    if (given.flag(option))
      usage(std::string("--") + option + " is for kernels: an operation's geometry comes from its contract");
  const Device device = device_named(given.text("device", "best"));
  tenon_operation* const operation = chosen.operations[0].second.get();
  const json description = json::parse(text_from(tenon_operation_describe, operation));
  std::vector<Slot> slots;
  for (const json& parameter : description["parameters"]) {
    tenon_operation_parameter_info info{};
    info.struct_size = sizeof info;
    check(tenon_operation_get_parameter_info(operation, int32_t(slots.size()), &info));
    Slot slot;
    slot.name = info.name;
    slot.array = info.role != TENON_ROLE_SCALAR;
    slot.written = info.role == TENON_ROLE_OUT || info.role == TENON_ROLE_INOUT;
    slot.made = info.role == TENON_ROLE_OUT;
    slot.optional = info.flags & (TENON_OPERAND_HAS_DEFAULT | TENON_OPERAND_OPTIONAL);
    slot.list = info.flags & TENON_OPERAND_LIST;
    slot.dtype = info.dtype;
    if (!slot.dtype) slot.type = parameter.value("type", "");
    for (const json& choice : parameter.value("choices", json::array())) slot.choices.push_back(choice);
    slots.push_back(slot);
  }
  RunArguments arguments(device.get(), slots, placeholders_of(description));
  arguments.read({given.positionals.begin() + 1, given.positionals.end()});
  const std::vector<Saved> saved = outputs_of(given, arguments);
  int32_t output = 0;
  std::vector<std::pair<size_t, Array>> made;
  for (size_t i = 0; i < slots.size(); ++i)
    if (slots[i].made) {
      Array array = own<Array>(tenon_operation_output, operation, static_cast<const tenon_arg*>(arguments.args()),
                               arguments.count(), output++, nullptr);
      if (!arguments.array(i)) made.emplace_back(i, std::move(array));
    }
  for (auto& [index, array] : made) arguments.set_array(index, std::move(array));
  check(tenon_operation_call(operation, arguments.args(), arguments.count(), nullptr));
  check(tenon_device_synchronize(device.get()));
  out.document(
      {{"device", name_of(device.get())}, {"operation", given[0]}, {"written", finish(saved, arguments, out)}});
  return kDone;
}

}  // namespace

int run_run(const Arguments& given, Output& out) {
  const std::string& what = given[0];
  return what.ends_with(".cu") || what.find(".cu:") != what.npos ? run_kernel(given, out) : run_operation(given, out);
}

}  // namespace tool
