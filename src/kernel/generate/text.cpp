// kernel/generate/text.cpp: writing a kernel's text: the user's code, and the structs and accessors of the operands.
#include <cstdarg>
#include "functions/table.hpp"
#include "kernel/generate/generate.hpp"

namespace tenon::generate {

Text& Text::add(const char* text, ...) {
  va_list list;
  va_start(list, text);
  out_ += format_list(text, list);
  va_end(list);
  return *this;
}

Text& Text::user(const std::string& text, const std::string& what) {
  std::string quoted;
  for (char c : what)
    if (c != '"' && c != '\\' && c != '\n') quoted += c;
  out_ += "\n#line 1 \"" + quoted + "\"\n" + text + "\n#line 1 \"tenon: generated\"\n";
  return *this;
}

Dtype dtype_in(const Shape& shape, int32_t parameter) {
  const DeclaredParameter& p = shape.declared->parameters[size_t(parameter)];
  return p.placeholder >= 0 ? shape.placeholders[p.placeholder] : p.dtype;
}

namespace {

const char* type_in(const Shape& shape, int32_t parameter) { return cuda_type(dtype_in(shape, parameter)); }
bool walked(Access access) { return access != Access::scalar && access != Access::raw; }
bool read(const DeclaredParameter& p) { return !p.output || p.update; }
bool is_table(const Shape& shape, int32_t i) { return shape.declared->parameters[size_t(i)].table; }

bool needs(const Shape& shape, const std::string& text, std::initializer_list<const char*> words,
           std::initializer_list<Dtype> dtypes) {
  for (const char* word : words)
    if (mentions(text, word)) return true;
  for (int32_t i = 0; i < shape.declared->count(); ++i)
    for (Dtype dtype : dtypes)
      if (dtype_in(shape, i) == dtype) return true;
  return false;
}

// struct tenon_g_in: has the layout of the host's ArgumentBlock.
void write_struct(Text& text, const Shape& shape) {
  text.raw("struct tenon_g_in {\n");
  for (int32_t i = shape.first; i < shape.last; ++i) {
    const DeclaredParameter& p = shape.declared->parameters[size_t(i)];
    const bool pointer = shape.access[i] != Access::scalar;
    if (p.table) {
      text.add("  alignas(16) const %s* p%d; long long e%d; alignas(16) long long s%d; tenon_finding* b%d;\n",
               type_in(shape, i), i, i, i, i);
      continue;
    }
    text.add("  alignas(16) %s%s%s p%d;\n", pointer && !p.output ? "const " : "", type_in(shape, i), pointer ? "*" : "",
             i);
  }
  text.raw("  alignas(16) long long tenon_g_end;\n};\n");
}

// tenon_g_values: registers for V elements; tenon_g_at: element offsets.
void write_values(Text& text, const Shape& shape) {
  text.raw("template <int tenon_g_V> struct tenon_g_values {\n");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (is_table(shape, i)) text.add("  const %s* p%d;\n", type_in(shape, i), i);
    else if (walked(shape.access[i]))
      text.add("  tenon_g_pack<%s, %s> p%d;\n", type_in(shape, i), shape.access[i] == Access::same ? "1" : "tenon_g_V",
               i);
  text.raw("  char tenon_g_end;\n};\nstruct tenon_g_at {\n");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (walked(shape.access[i])) text.add("  tenon_g_offset o%d;\n", i);
  text.raw("  char tenon_g_end;\n};\n");
}

void write_fetch(Text& text, const Shape& shape) {
  text.raw(
      "template <int tenon_g_V> TENON_G_DEVICE void tenon_g_fetch(const tenon_g_in& in, const tenon_g_at& at, "
      "tenon_g_values<tenon_g_V>& v) {\n");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (is_table(shape, i)) text.add("  v.p%d = in.p%d + at.o%d;\n", i, i, i);
    else if (walked(shape.access[i]) && shape.access[i] != Access::transposed &&
             read(shape.declared->parameters[size_t(i)]))
      text.add("  tenon_g_load(v.p%d, in.p%d + at.o%d);\n", i, shape.same_as ? shape.same_as[i] : i, i);
  text.raw(
      "}\ntemplate <int tenon_g_V> TENON_G_DEVICE void tenon_g_put(const tenon_g_in& in, const tenon_g_at& at, const "
      "tenon_g_values<tenon_g_V>& v) {\n");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (shape.declared->parameters[size_t(i)].output && walked(shape.access[i]))
      text.add("  tenon_g_store(in.p%d + at.o%d, v.p%d);\n", i, i, i);
  text.raw("}\n");
}

// A tile of the transposed operands: TENON_G_TILE elements in each direction, and a column of padding against bank
// conflicts.
void write_room(Text& text, const Shape& shape) {
  text.raw("struct tenon_g_room {\n");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (shape.access[i] == Access::transposed)
      text.add("  %s p%d[TENON_G_TILE][TENON_G_TILE + 1];\n", type_in(shape, i), i);
  text.raw(
      "};\nTENON_G_DEVICE void tenon_g_stage(const tenon_g_in& in, const tenon_g_layout& layout, const tenon_g_at& at, "
      "tenon_g_room& room, int a, int b) {\n");
  for (int32_t i = shape.first, k = 0; i < shape.last; ++i) {
    if (!walked(shape.access[i])) continue;
    if (shape.access[i] == Access::transposed)
      text.add("  room.p%d[a][b] = in.p%d[at.o%d + (tenon_g_offset)a * (tenon_g_offset)layout.stride[%d][%d] + b];\n",
               i, i, i, k, shape.rank - 1);
    ++k;
  }
  text.raw(
      "}\ntemplate <int tenon_g_V> TENON_G_DEVICE void tenon_g_unstage(const tenon_g_room& room, "
      "tenon_g_values<tenon_g_V>& v, int a, int b) {\n");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (shape.access[i] == Access::transposed) text.add("  v.p%d.v[0] = room.p%d[a][b];\n", i, i);
  text.raw("}\n");
}

// tenon_g_decode: offsets of element `linear` of axes [0, axes); tenon_g_along: steps along the innermost axis.
void write_walk(Text& text, const Shape& shape) {
  int32_t operands = 0;
  for (int32_t i = shape.first; i < shape.last; ++i) operands += walked(shape.access[i]);
  const int32_t rank = shape.rank > 0 ? shape.rank : 1;
  text.add("struct tenon_g_layout { long long extent[%d]; long long stride[%d][%d]; tenon_g_magic magic[%d]; };\n",
           rank, operands > 0 ? operands : 1, rank, rank);
  text.raw("TENON_G_DEVICE tenon_g_at tenon_g_origin() { tenon_g_at at;");
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (walked(shape.access[i])) text.add(" at.o%d = 0;", i);
  text.raw(" at.tenon_g_end = 0; return at; }\n");
  text.raw(
      "TENON_G_DEVICE void tenon_g_step(const tenon_g_layout& layout, int axis, tenon_g_linear by, tenon_g_at& at) {\n");
  for (int32_t i = shape.first, k = 0; i < shape.last; ++i)
    if (walked(shape.access[i]))
      text.add("  at.o%d += (tenon_g_offset)by * (tenon_g_offset)layout.stride[%d][axis];\n", i, k++);
  text.raw("}\nTENON_G_DEVICE void tenon_g_along(const tenon_g_layout& layout, long long by, tenon_g_at& at) {\n");
  for (int32_t i = shape.first, k = 0; i < shape.last; ++i) {
    if (!walked(shape.access[i])) continue;
    if (shape.access[i] == Access::contiguous) text.add("  at.o%d += (tenon_g_offset)by;\n", i);
    if (shape.access[i] == Access::strided)
      text.add("  at.o%d += (tenon_g_offset)by * (tenon_g_offset)layout.stride[%d][%d];\n", i, k, rank - 1);
    ++k;
  }
  text.raw("}\n");
}

}  // namespace

void write_head(Text& text, const Shape& shape, const GeneratedOptions& options, const std::string& all_user_text) {
  text.add("#define TENON_G_WIDE %d\n#define TENON_G_BLOCKS %d\n", shape.wide ? 1 : 0, shape.blocks ? 1 : 0);
  text.raw(kFindingText);
  text.raw(kReportText);
  text.raw(kCommonText);
  if (needs(shape, all_user_text, {"float16", "bfloat16"}, {TENON_FLOAT16, TENON_BFLOAT16})) text.raw(kHalfText);
  if (needs(shape, all_user_text, {"complex", "complex64", "complex128"}, {TENON_COMPLEX64, TENON_COMPLEX128})) {
    text.raw(functions::kComplexText);
    if (shape.aligned)
      text.raw(
          "template <class tenon_g_R> struct alignas(2 * sizeof(tenon_g_R)) tenon_g_pack<complex<tenon_g_R>, 1> { "
          "complex<tenon_g_R> v[1]; };\n");
  }
  for (size_t p = 0; p < shape.declared->placeholders.size(); ++p)
    text.add("typedef %s %s;\n", cuda_type(shape.placeholders[p]), shape.declared->placeholders[p].c_str());
  if (!options.preamble.empty()) text.user(options.preamble, "preamble of " + options.name);
}

void write_operands(Text& text, const Shape& shape) {
  write_struct(text, shape);
  write_values(text, shape);
  write_fetch(text, shape);
  write_walk(text, shape);
  for (int32_t i = shape.first; i < shape.last; ++i)
    if (shape.access[i] == Access::transposed) {
      write_room(text, shape);
      break;
    }
}

std::string function_parameters(const Shape& shape) {
  std::string out;
  for (int32_t i = shape.first; i < shape.last; ++i) {
    const DeclaredParameter& p = shape.declared->parameters[size_t(i)];
    if (!out.empty()) out += ", ";
    if (p.table) {
      out += "const tenon_g_table<" + std::string(type_in(shape, i)) + ">& " + p.name;
    } else if (p.raw) {
      out += (p.output ? "" : "const ") + std::string(type_in(shape, i)) + "* const " + p.name;
    } else {
      out += (p.output ? "" : "const ") + std::string(type_in(shape, i)) + "& " + p.name;
    }
  }
  return out;
}

std::string function_arguments(const Shape& shape, const char* values, const char* lane) {
  std::string out;
  for (int32_t i = shape.first; i < shape.last; ++i) {
    if (!out.empty()) out += ", ";
    const std::string member = "p" + std::to_string(i);
    const std::string number = std::to_string(i);
    if (is_table(shape, i)) {
      out += "tenon_g_table<" + std::string(type_in(shape, i)) + ">{" + values + "." + member +
             (shape.access[i] == Access::contiguous ? std::string(" + ") + lane : "") + ", in.e" + number + ", in.s" +
             number + ", in.b" + number + "}";
    } else if (!walked(shape.access[i])) {
      out += "in." + member;
    } else {
      out += std::string(values) + "." + member + ".v[" + (shape.access[i] == Access::same ? "0" : lane) + "]";
    }
  }
  return out;
}

std::string accumulator_type(const Arguments& arguments, const GeneratedOptions& options, Dtype& dtype) {
  dtype = 0;
  const std::string& requested = options.accumulator;
  if (requested.empty()) {
    dtype = output_dtype(arguments, arguments.declared->inputs);
    if (dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16) dtype = TENON_FLOAT32;
    return cuda_type(dtype);
  }
  if (type_of(requested, dtype)) return cuda_type(dtype);
  for (size_t p = 0; p < arguments.declared->placeholders.size(); ++p)
    if (arguments.declared->placeholders[p] == requested) dtype = arguments.placeholders[p];
  return requested;
}

void write_map(Text& text, const Shape& shape, const std::string& map, const std::string& name) {
  Shape inputs = shape;
  inputs.last = shape.declared->inputs;
  std::string parameters = function_parameters(inputs), values = function_arguments(inputs, "v", "k");
  for (const char* extra : {"i", "n"}) {
    bool hidden = false;
    for (int32_t p = 0; p < inputs.last; ++p) hidden = hidden || shape.declared->parameters[size_t(p)].name == extra;
    if (hidden) continue;
    parameters += std::string(", const long long ") + extra;
    values += std::string(", ") + extra;
  }
  text.raw("TENON_G_DEVICE tenon_g_acc tenon_g_user_map(" + parameters + ") { return (tenon_g_acc)(");
  text.user(map, "map of " + name).raw(");\n}\n");
  text.raw(
      "template <int tenon_g_V> TENON_G_DEVICE tenon_g_acc tenon_g_map(const tenon_g_in& in, const "
      "tenon_g_values<tenon_g_V>& v, const int k, const long long i, const long long n) {\n  return tenon_g_user_map(" +
      values + ");\n}\n");
}

}  // namespace tenon::generate
