// device/texts.hpp: the texts of this folder, to be compiled as CUDA C: kWorkText and kNumbersText first, then what they are for.
#pragma once

namespace tenon::device {

extern const char kWorkText[], kNumbersText[], kRandomText[], kRandomKernels[];

}  // namespace tenon::device
