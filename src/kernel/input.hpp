// kernel/input.hpp: programs that are made of several sources and images, or of one image.
#pragma once
#include "core/backend.hpp"

namespace tenon {

// Checks the inputs of a request as far as that goes without a device, gives each source the kernels and variables that
// it defines, and writes the trailers.
void prepare_inputs(CompileRequest& request);

// An image that is loaded as it is?
bool is_one_image(const CompileRequest& request);

// What such an image is to be loaded as; the kernels of the request are all that it describes where none were listed.
// `tables`: the number of each kernel's and variable's description in it, -1 where it has none.
struct Adopted {
  Image image;
  std::vector<int> kernel_tables, variable_tables;
};
Adopted adopt_image(Device& device, CompileRequest& request);

}  // namespace tenon
