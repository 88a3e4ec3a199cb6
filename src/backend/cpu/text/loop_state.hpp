// backend/cpu/text/loop_state.hpp: the state that a loop's body passes to its next iteration, as far as the text shows
// it.
#pragma once
#include <string>
#include <vector>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {

// The variables declared outside of the statements in tokens [from, to) that these assign, directly or through members.
// Empty if they assign something else (an element, the target of a pointer), assign `loop_variable`, or assign too
// many. A variable too many or too few is detected by the proof, or by a text that does not compile.
std::vector<std::string> changed_names(const Tokens& tokens, size_t from, size_t to, const std::string& loop_variable);

// The position of the name of the function `void name(...) { }` that contains the token at `at`; npos if the innermost
// function is another one. With `directly` also npos if the token is in a lambda such as [&] { }: a `return` there
// would only leave the lambda.
size_t void_function_of(const Tokens& tokens, size_t at, bool directly);

}  // namespace tenon::cpu
