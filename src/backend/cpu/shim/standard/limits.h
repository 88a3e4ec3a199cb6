// shim/standard/limits.h: ranges of the integer types.
#pragma once
#include "tenon_limits.h"
