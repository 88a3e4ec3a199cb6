// backend/cpu/compile/source/shim.hpp: the shim headers, as text in the library (made from shim/ by embed.py).
#pragma once

namespace tenon::cpu {

struct ShimHeader {
  const char* name;  // relative to the include directory
  const char* text;
};
extern const ShimHeader shim_headers[];
extern const int shim_header_count;
extern const char writers_digest[];  // of the sources that write what the compiler gets: text, ptx, compile

}  // namespace tenon::cpu
