// plugin/contract/host_names.cpp: keywords of C, C++, Python, Rust and Julia, and names that the bindings use
// themselves.
#include "plugin/contract/host_names.hpp"
#include <string_view>

namespace tenon::plugin {
namespace {

struct Words {
  const char* what;
  std::string_view words;  // separated by spaces
};

constexpr Words kKernels[] = {
    {"a keyword of C",
     " auto bool break case char const constexpr continue default do double else enum extern false float for goto if "
     "inline int long nullptr register restrict return short signed sizeof static static_assert struct switch "
     "thread_local true typedef typeof typeof_unqual union unsigned void volatile while "},
    {"a keyword of C++",
     " alignas alignof and and_eq asm bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield "
     "compl concept const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable "
     "namespace new noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires "
     "static_cast template this throw try typeid typename using virtual wchar_t xor xor_eq "},
};

constexpr Words kHosts[] = {
    {"a keyword of Python",
     " and as assert async await break class continue def del elif else except finally for from global if import in is "
     "lambda nonlocal not or pass raise return try while with yield "},
    {"a keyword of Rust",
     " abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if "
     "impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try "
     "type typeof unsafe unsized use virtual where while yield "},
    {"a keyword of Julia",
     " baremodule begin break catch const continue do else elseif end export false finally for function global if "
     "import let local macro module quote return struct true try using while "},
};

constexpr Words kParameters[] = {{"an argument that calls have in Python", " self stream out device "}};
constexpr Words kOperations[] = {
    {"a method of packages in Python", " description file name prepare reload unload version "}};

template <size_t N> std::string found(const Words (&lists)[N], const std::string& name) {
  const std::string word = " " + name + " ";
  for (const Words& list : lists)
    if (list.words.find(word) != list.words.npos) return list.what;
  return "";
}

std::string first_of(const std::string& one, const std::string& other) { return one.empty() ? other : one; }

}  // namespace

std::string taken_in_kernels(const std::string& name) { return found(kKernels, name); }
std::string taken_in_hosts(const std::string& name) { return first_of(taken_in_kernels(name), found(kHosts, name)); }
std::string taken_for_parameters(const std::string& name) {
  return first_of(taken_in_hosts(name), found(kParameters, name));
}
std::string taken_for_operations(const std::string& name) {
  return first_of(taken_in_hosts(name), found(kOperations, name));
}

}  // namespace tenon::plugin
