// kernel/source/input.hpp: programs that are made of several sources and images, or of one image.
#pragma once
#include "core/device/backend.hpp"

namespace tenon {

// Checks the inputs of a request as far as possible without a device, assigns the kernels and variables to the
// sources that define them, and writes the trailers.
void prepare_inputs(CompileRequest& request);

// Is the input an image that is loaded unchanged?
bool is_one_image(const CompileRequest& request);

// The request for loading such an image; if no kernels were listed, it gets all that the image describes.
// `tables`: the index of each kernel's and variable's description in the image; -1: it has none.
struct Adopted {
  Image image;
  std::vector<int> kernel_tables, variable_tables;
};
Adopted adopt_image(Device& device, CompileRequest& request);

}  // namespace tenon
