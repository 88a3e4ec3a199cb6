// backend/list.hpp: the backends of this build; list.cpp is the only file that names them.
#pragma once
#include <span>
#include "core/device/backend.hpp"

namespace tenon {
std::span<const Backend> backends();
}
