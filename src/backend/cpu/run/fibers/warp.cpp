// backend/cpu/run/fibers/warp.cpp: operations of a warp. A lane that calls one waits until every live lane of its mask
// has called the same operation with the same mask; the last of them computes all results and continues.
#include <algorithm>
#include "backend/cpu/run/fibers/scheduler.hpp"

namespace tenon::cpu {
namespace {

unsigned long long reduced(int op, unsigned long long a, unsigned long long b) {
  switch (op) {
    case TENON_WARP_ADD: return a + b;
    case TENON_WARP_MIN: return (long long)a < (long long)b ? a : b;
    case TENON_WARP_MAX: return (long long)a > (long long)b ? a : b;
    case TENON_WARP_UMIN: return std::min(a, b);
    case TENON_WARP_UMAX: return std::max(a, b);
    case TENON_WARP_AND: return a & b;
    case TENON_WARP_OR: return a | b;
    default: return a ^ b;
  }
}

}  // namespace

unsigned long long Scheduler::wait_warp(int op, unsigned mask, unsigned long long value, unsigned argument,
                                        unsigned width, const void* site) {
  const unsigned at = current / TENON_WARP, bit = 1u << current % TENON_WARP;
  if (op != TENON_WARP_ACTIVE && !(mask & bit))
    fault(format("a warp operation was called with the mask 0x%08x, which leaves out the calling lane %u", mask,
                 current % TENON_WARP),
          int(current));
  if (width == 0 || width > TENON_WARP || (width & (width - 1)))
    fault(format("a shuffle was called with the width %u; it must be a power of two up to 32", width), int(current));
  tenon_warp_state& warp = warps[at];
  tenon_lane_state& lane = lanes[current];
  lane = {value, site, mask, argument, width, op};
  warp.in_warp_op |= bit;
  const bool last = (warp.in_warp_op & mask & warp.alive) == (mask & warp.alive);
  if (last && op != TENON_WARP_ACTIVE && try_warp(at, mask)) warp.ready &= ~bit;
  else suspend();
  return lane.value;
}

bool Scheduler::try_warp(unsigned at, unsigned mask) {
  tenon_warp_state& warp = warps[at];
  const unsigned need = mask & warp.alive;
  if (!need || (warp.in_warp_op & need) != need) return false;
  const tenon_lane_state* of_warp = &lanes[size_t(at) * TENON_WARP];
  const int op = of_warp[lowest(need)].op;
  if (op == TENON_WARP_ACTIVE) return false;
  unsigned differs = 0;
  if (need == ~0u) {
    for (unsigned i = 0; i < TENON_WARP; ++i) differs |= (of_warp[i].mask ^ mask) | unsigned(of_warp[i].op ^ op);
  } else {
    for (unsigned left = need; left; left &= left - 1)
      differs |= (of_warp[lowest(left)].mask ^ mask) | unsigned(of_warp[lowest(left)].op ^ op);
  }
  if (differs) return false;
  combine(at, need);
  warp.in_warp_op &= ~need;
  warp.ready |= need;
  return true;
}

// A lane ended: lanes that waited for it may continue without it.
void Scheduler::recheck_warp(unsigned at) {
  tenon_warp_state& warp = warps[at];
  for (unsigned left = warp.in_warp_op; left; left &= left - 1) {
    const tenon_lane_state& lane = lanes[size_t(at) * TENON_WARP + lowest(left)];
    if (lane.op != TENON_WARP_ACTIVE && try_warp(at, lane.mask)) {
      left &= warp.in_warp_op;
      if (!left) break;
    }
  }
}

// __activemask: when no lane of the warp can run, those that wait at the same place are the active ones.
bool Scheduler::resolve_active(unsigned at) {
  tenon_warp_state& warp = warps[at];
  tenon_lane_state* of_warp = &lanes[size_t(at) * TENON_WARP];
  bool any = false;
  for (unsigned left = warp.in_warp_op; left;) {
    const unsigned first = lowest(left);
    if (of_warp[first].op != TENON_WARP_ACTIVE) {
      left &= left - 1;
      continue;
    }
    unsigned set = 0;
    for (unsigned others = left; others; others &= others - 1) {
      const tenon_lane_state& lane = of_warp[lowest(others)];
      if (lane.op == TENON_WARP_ACTIVE && lane.site == of_warp[first].site) set |= 1u << lowest(others);
    }
    for (unsigned members = set; members; members &= members - 1) of_warp[lowest(members)].value = set;
    warp.in_warp_op &= ~set;
    warp.ready |= set;
    left &= ~set;
    any = true;
  }
  return any;
}

// The lane whose value lane i receives.
unsigned Scheduler::source_of(const tenon_lane_state& lane, unsigned i) {
  const int width = int(lane.width), segment = int(i) & ~(width - 1), here = int(i);
  const int distance = int(std::min(lane.argument, 64u));
  int from = here;
  switch (lane.op) {
    case TENON_WARP_SHUFFLE: return unsigned(segment) + (lane.argument & unsigned(width - 1));
    case TENON_WARP_UP: from = here - distance; return unsigned(from < segment ? here : from);
    case TENON_WARP_DOWN: from = here + distance; return unsigned(from >= segment + width ? here : from);
    default: from = here ^ int(lane.argument & 63u); return unsigned(from >= segment + width ? here : from);
  }
}

// A shuffle of all 32 lanes by the same distance. False: it is not such a shuffle.
bool Scheduler::shuffle_together(tenon_lane_state* of_warp) {
  const tenon_lane_state& first = of_warp[0];
  const unsigned width = first.width, distance = first.argument;
  unsigned long long values[TENON_WARP];
  unsigned differs = 0;
  for (unsigned i = 0; i < TENON_WARP; ++i) {
    values[i] = of_warp[i].value;
    differs |= (of_warp[i].width ^ width) | (of_warp[i].argument ^ distance);
  }
  if (differs || distance >= TENON_WARP) return false;
  const auto each = [&](auto from_of) {
    for (unsigned i = 0; i < TENON_WARP; ++i) of_warp[i].value = values[from_of(i)];
    return true;
  };
  const unsigned inside = width - 1;
  switch (first.op) {
    case TENON_WARP_SHUFFLE: return each([=](unsigned i) { return (i & ~inside) + (distance & inside); });
    case TENON_WARP_UP: return each([=](unsigned i) { return (i & inside) < distance ? i : i - distance; });
    case TENON_WARP_DOWN: return each([=](unsigned i) { return (i & inside) + distance > inside ? i : i + distance; });
    case TENON_WARP_XOR: return distance <= inside && each([=](unsigned i) { return i ^ distance; });
    default: return false;
  }
}

void Scheduler::look_at_source(unsigned thread, unsigned from) {
  if (!launch->check || launch->module->flags & TENON_MODULE_ANY_LANE) return;
  const bool ended = lanes[thread].mask >> from & 1;
  fault(format("a shuffle reads from lane %u, which %s: the result is undefined (mask 0x%08x)", from,
               ended ? "has ended" : "is not in the mask", lanes[thread].mask),
        int(thread));
}

void Scheduler::combine(unsigned at, unsigned set) {
  tenon_lane_state* of_warp = &lanes[size_t(at) * TENON_WARP];
  const int op = of_warp[lowest(set)].op;
  if (launch->check) worker.races.warp_met(at, set);
  unsigned long long results[TENON_WARP], common = of_warp[lowest(set)].value;
  switch (op) {
    case TENON_WARP_SYNC: return;
    case TENON_WARP_SHUFFLE:
    case TENON_WARP_UP:
    case TENON_WARP_DOWN:
    case TENON_WARP_XOR:
      if (set == ~0u && shuffle_together(of_warp)) return;
      for (unsigned left = set; left; left &= left - 1) {
        const unsigned i = lowest(left), from = source_of(of_warp[i], i);
        if (!(set >> from & 1)) look_at_source(at * TENON_WARP + i, from);
        results[i] = of_warp[set >> from & 1 ? from : i].value;  // of a lane that does not participate: undefined
      }
      for (unsigned left = set; left; left &= left - 1) of_warp[lowest(left)].value = results[lowest(left)];
      return;
    case TENON_WARP_MATCH_ANY:
      for (unsigned left = set; left; left &= left - 1) {
        unsigned equal = 0;
        for (unsigned others = set; others; others &= others - 1)
          if (of_warp[lowest(others)].value == of_warp[lowest(left)].value) equal |= 1u << lowest(others);
        results[lowest(left)] = equal;
      }
      for (unsigned left = set; left; left &= left - 1) of_warp[lowest(left)].value = results[lowest(left)];
      return;
    case TENON_WARP_MATCH_ALL: {
      bool all = true;
      for (unsigned left = set; left; left &= left - 1) all &= of_warp[lowest(left)].value == common;
      common = all ? 1ull << 32 | set : 0;
      break;
    }
    case TENON_WARP_BALLOT:
      common = 0;
      for (unsigned left = set; left; left &= left - 1)
        if (of_warp[lowest(left)].value) common |= 1u << lowest(left);
      break;
    default:
      for (unsigned left = set & (set - 1); left; left &= left - 1)
        common = reduced(op, common, of_warp[lowest(left)].value);
      break;
  }
  for (unsigned left = set; left; left &= left - 1) of_warp[lowest(left)].value = common;
}

}  // namespace tenon::cpu
