// backend/cpu/text/loop_state.hpp: what a loop's body leaves for its next iteration, as far as the text shows it.
#pragma once
#include <string>
#include <vector>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {

// The variables from around it that the statements of tokens [from, to) assign, by their names or to their members.
// None where something else is assigned (an element, what a pointer shows), where one is `loop_variable`, or where
// there are too many. What is missing here or too much is found by the proof, or by a text that does not compile.
std::vector<std::string> changed_names(const Tokens& tokens, size_t from, size_t to, const std::string& loop_variable);

// Whether the token at `at` is in the body of a function `void name(...) { }`, and in no other function or lambda
// within that.
bool in_void_function(const Tokens& tokens, size_t at);

}  // namespace tenon::cpu
