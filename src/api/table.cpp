// api/table.cpp: the function table. Its rows come from the headers; see abi/generate.py.
#include <tenon/api.h>

static const tenon_api table = {
    .struct_size = sizeof(tenon_api),
    .abi_level = TENON_ABI_LEVEL,
#include "api/generated_table.inc"
};

// Minor levels only append rows, so one table serves every caller of this major.
extern "C" const tenon_api* tenon_get_api(uint32_t) { return &table; }
