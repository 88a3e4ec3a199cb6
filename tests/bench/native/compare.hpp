// tests/bench/native/compare.hpp: what Tenon takes beside what does the same without it.
#pragma once
#include <tenon/tenon.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace bench {

inline void check(int32_t status) {
  if (status == TENON_OK) return;
  std::fprintf(stderr, "%s: %s\n", tenon_status_name(status), tenon_error_last_message());
  std::exit(1);
}

inline double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Row {
  std::string name, alone_name;
  double tenon, alone;
};
inline std::vector<Row> rows;

// Runs for about a second.
inline void compare(const std::string& name, const std::string& alone_name, const std::function<void()>& tenon,
                    const std::function<void()>& alone) {
  Row row{name, alone_name, 1e9, 1e9};
  double spent = 0;
  for (int round = 0; round < 3 || (spent < 1 && round < 2000); ++round) {
    const double a = alone ? seconds(alone) : 0, t = seconds(tenon);
    spent += a + t;
    if (round == 0) continue;
    row.tenon = std::min(row.tenon, t);
    if (alone) row.alone = std::min(row.alone, a);
  }
  if (alone)
    std::printf("%-34s %10.3f ms   %-26s %10.3f ms   %5.2fx\n", name.c_str(), row.tenon * 1e3, alone_name.c_str(),
                row.alone * 1e3, row.alone / row.tenon);
  else std::printf("%-34s %10.3f ms\n", name.c_str(), row.tenon * 1e3);
  std::fflush(stdout);
  rows.push_back(row);
}

}  // namespace bench
