// device/finding.hpp: what the device finds while it works, such as an index out of range. Placed before the sources of
// kernels, too: one layout for host and device.
#pragma once

// Two words in the device's memory, all of whose bits are set before the work.
struct tenon_finding {
  unsigned long long least;    // the smallest number found; all bits set: none
  unsigned long long* notice;  // becomes 1 when a number is found, in memory that the host reads; all bits set: none
};
