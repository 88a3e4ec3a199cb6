// tool/suggest.cpp: optimal string alignment distance: letters that are missing, extra, wrong, or swapped with their
// neighbour.
#include "tool/suggest.hpp"
#include <algorithm>

namespace tool {
namespace {

size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> row(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) row[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) row[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      row[i][j] = std::min({row[i - 1][j] + 1, row[i][j - 1] + 1, row[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[i][j] = std::min(row[i][j], row[i - 2][j - 2] + 1);
    }
  return row[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  std::string best;
  size_t least = std::max<size_t>(1, std::min<size_t>(3, word.size() / 2)) + 1;
  for (const std::string& one : words) {
    const bool begins = word.size() >= 2 && one.compare(0, word.size(), word) == 0;
    const size_t far = begins ? 1 : distance(word, one);
    if (far < least) best = one, least = far;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const std::string best = nearest(word, words);
  return best.empty() ? "" : ": did you mean \"" + best + "\"?";
}

}  // namespace tool
