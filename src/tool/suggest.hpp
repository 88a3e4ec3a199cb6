// tool/suggest.hpp: suggestions for misspelt words.
#pragma once
#include <string>
#include <vector>

namespace tool {

// The nearest of the words; "" if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& words);
// ": did you mean "plugin"?", or "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& words);

}  // namespace tool
