"""Structs in ctypes are laid out as in C. Derived from the headers by abi/generate.py."""
import ctypes
import importlib.util

import pytest

from conftest import ROOT

STRUCTS = ROOT / "abi/python/tenon/_structs.py"

# Name, size, offsets of the fields.
RECORDS = (
    ("tenon_allocator", 40, (0, 4, 8, 16, 24, 32)),
    ("tenon_context_options", 96, (0, 4, 8, 16, 24, 28, 32, 40, 48, 56, 64, 72, 80, 88)),
    ("tenon_device_info", 104, (0, 4, 8, 12, 16, 20, 24, 28, 32, 44, 56, 64, 72, 80, 88, 96, 100)),
    ("tenon_memory_info", 48, (0, 4, 8, 16, 24, 32, 40)),
    ("tenon_stream_options", 8, (0, 4)),
    ("tenon_arg_value", 16, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ("tenon_arg", 32, (0, 4, 8, 16)),
    ("tenon_array_info", 72, (0, 4, 8, 12, 16, 24, 32, 40, 48, 56, 60, 64, 68)),
    ("tenon_program_options", 96, (0, 4, 8, 16, 24, 28, 32, 40, 48, 56, 60, 64, 72, 80, 84, 88)),
    ("tenon_parameter_info", 32, (0, 4, 8, 12, 16, 20, 24, 28)),
    ("tenon_kernel_info", 64, (0, 4, 8, 12, 16, 24, 32, 40, 48, 52, 56, 60)),
    ("tenon_launch", 48, (0, 4, 8, 20, 32, 44)),
    ("tenon_program_input", 32, (0, 4, 8, 16, 24)),
    ("tenon_texture_options", 72, (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56)),
    ("tenon_texture_info", 80, (0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72)),
    ("tenon_random_options", 64, (0, 4, 8, 16, 24, 32, 40, 48, 56)),
    ("tenon_moving_options", 8, (0, 4)),
    ("tenon_pad_options", 24, (0, 4, 8, 16)),
    ("tenon_take_options", 16, (0, 4, 8, 12)),
    ("tenon_range_options", 48, (0, 4, 8, 16, 24, 32, 40)),
    ("tenon_diagonal_options", 16, (0, 4, 8)),
    ("tenon_sort_options", 8, (0, 4)),
    ("tenon_top_k_options", 8, (0, 4)),
    ("tenon_search_options", 8, (0, 4)),
    ("tenon_interpolate_options", 32, (0, 4, 8, 12, 16, 24)),
    ("tenon_unique_options", 8, (0, 4)),
    ("tenon_bincount_options", 8, (0, 4)),
    ("tenon_quantile_options", 32, (0, 4, 8, 16, 20, 24, 28)),
    ("tenon_cache_info", 120, (0, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112)),
    ("tenon_cache_tally", 40, (0, 4, 8, 16, 24, 32)),
    ("tenon_generated_options", 48, (0, 4, 8, 16, 24, 32, 36, 40)),
    ("tenon_step", 24, (0, 4, 8, 12, 16, 20)),
    ("tenon_graph_node_info", 24, (0, 4, 8, 16, 20)),
    ("tenon_compute_options", 8, (0, 4)),
    ("tenon_reduce_options", 48, (0, 4, 8, 16, 20, 24, 28, 32, 40, 44)),
    ("tenon_accumulate_options", 24, (0, 4, 8, 12, 16, 20)),
    ("tenon_segment_options", 32, (0, 4, 8, 12, 16, 20, 24)),
    ("tenon_gemm_options", 40, (0, 4, 8, 16, 20, 24, 32, 36)),
    ("tenon_svd_options", 40, (0, 4, 8, 12, 16, 24, 32)),
    ("tenon_blas_options", 48, (0, 4, 8, 12, 16, 20, 24, 28, 32, 40)),
    ("tenon_solve_options", 16, (0, 4, 8, 12)),
    ("tenon_lu_options", 12, (0, 4, 8)),
    ("tenon_cholesky_options", 12, (0, 4, 8)),
    ("tenon_qr_options", 12, (0, 4, 8)),
    ("tenon_rank_options", 16, (0, 4, 8)),
    ("tenon_ldl_options", 16, (0, 4, 8, 12)),
    ("tenon_eigh_options", 48, (0, 4, 8, 16, 24, 32, 40, 44)),
    ("tenon_eig_options", 8, (0, 4)),
    ("tenon_norm_options", 12, (0, 4, 8)),
    ("tenon_power_options", 8, (0, 4)),
    ("tenon_fft_options", 24, (0, 4, 8, 12, 16)),
    ("tenon_dct_options", 24, (0, 4, 8, 12, 16, 20)),
    ("tenon_convolve_options", 16, (0, 4, 8, 12)),
    ("tenon_shift_options", 12, (0, 4, 8)),
    ("tenon_frequencies_options", 12, (0, 4, 8)),
    ("tenon_sparse_options", 12, (0, 4, 8)),
    ("tenon_sparse_product_options", 40, (0, 4, 8, 12, 16, 20, 24, 32)),
    ("tenon_package_options", 32, (0, 4, 8, 16, 24, 28)),
    ("tenon_operation_info", 24, (0, 4, 8, 12, 16, 20)),
    ("tenon_operation_parameter_info", 40, (0, 4, 8, 12, 16, 20, 24, 32)),
    ("tenon_measure_options", 40, (0, 4, 8, 16, 24, 32)),
    ("tenon_host_call", 24, (0, 4, 8, 16)),
    ("tenon_host_function", 40, (0, 4, 8, 16, 24, 32)),
    ("tenon_registry", 24, (0, 4, 8, 16)),
)


@pytest.fixture(scope="module")
def raw():
    """The raw layer by itself: no library is opened."""
    spec = importlib.util.spec_from_file_location("tenon_structs", STRUCTS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name, size, offsets", RECORDS, ids=[row[0] for row in RECORDS])
def test_struct_is_laid_out_as_in_c(raw, name, size, offsets):
    record = getattr(raw, name)
    assert ctypes.sizeof(record) == size
    assert tuple(getattr(record, field[0]).offset for field in record._fields_) == offsets


def test_struct_knows_its_size(raw):
    assert raw.tenon_launch(grid=(4, 1, 1)).struct_size == ctypes.sizeof(raw.tenon_launch)
