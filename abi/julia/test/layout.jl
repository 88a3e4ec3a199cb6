# The layout of every struct is the one the C headers have. Derived from the headers by abi/generate.py.
using Test
import Tenon: Raw

offsets(T) = [Int(fieldoffset(T, i)) for i in 1:fieldcount(T)]

@test sizeof(Raw.tenon_allocator) == 40
@test offsets(Raw.tenon_allocator) == [0, 4, 8, 16, 24, 32]
@test sizeof(Raw.tenon_context_options) == 96
@test offsets(Raw.tenon_context_options) == [0, 4, 8, 16, 24, 28, 32, 40, 48, 56, 64, 72, 80, 88]
@test sizeof(Raw.tenon_device_info) == 104
@test offsets(Raw.tenon_device_info) == [0, 4, 8, 12, 16, 20, 24, 28, 32, 44, 56, 64, 72, 80, 88, 96, 100]
@test sizeof(Raw.tenon_memory_info) == 48
@test offsets(Raw.tenon_memory_info) == [0, 4, 8, 16, 24, 32, 40]
@test sizeof(Raw.tenon_stream_options) == 8
@test offsets(Raw.tenon_stream_options) == [0, 4]
@test sizeof(Raw.tenon_arg_value) == 16
@test sizeof(Raw.tenon_arg) == 32
@test offsets(Raw.tenon_arg) == [0, 4, 8, 16]
@test sizeof(Raw.tenon_array_info) == 72
@test offsets(Raw.tenon_array_info) == [0, 4, 8, 12, 16, 24, 32, 40, 48, 56, 60, 64, 68]
@test sizeof(Raw.tenon_program_options) == 96
@test offsets(Raw.tenon_program_options) == [0, 4, 8, 16, 24, 28, 32, 40, 48, 56, 60, 64, 72, 80, 84, 88]
@test sizeof(Raw.tenon_parameter_info) == 32
@test offsets(Raw.tenon_parameter_info) == [0, 4, 8, 12, 16, 20, 24, 28]
@test sizeof(Raw.tenon_kernel_info) == 64
@test offsets(Raw.tenon_kernel_info) == [0, 4, 8, 12, 16, 24, 32, 40, 48, 52, 56, 60]
@test sizeof(Raw.tenon_launch) == 48
@test offsets(Raw.tenon_launch) == [0, 4, 8, 20, 32, 44]
@test sizeof(Raw.tenon_program_input) == 32
@test offsets(Raw.tenon_program_input) == [0, 4, 8, 16, 24]
@test sizeof(Raw.tenon_texture_options) == 72
@test offsets(Raw.tenon_texture_options) == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56]
@test sizeof(Raw.tenon_texture_info) == 80
@test offsets(Raw.tenon_texture_info) == [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72]
@test sizeof(Raw.tenon_random_options) == 64
@test offsets(Raw.tenon_random_options) == [0, 4, 8, 16, 24, 32, 40, 48, 56]
@test sizeof(Raw.tenon_moving_options) == 8
@test offsets(Raw.tenon_moving_options) == [0, 4]
@test sizeof(Raw.tenon_pad_options) == 24
@test offsets(Raw.tenon_pad_options) == [0, 4, 8, 16]
@test sizeof(Raw.tenon_take_options) == 16
@test offsets(Raw.tenon_take_options) == [0, 4, 8, 12]
@test sizeof(Raw.tenon_range_options) == 48
@test offsets(Raw.tenon_range_options) == [0, 4, 8, 16, 24, 32, 40]
@test sizeof(Raw.tenon_diagonal_options) == 16
@test offsets(Raw.tenon_diagonal_options) == [0, 4, 8]
@test sizeof(Raw.tenon_sort_options) == 8
@test offsets(Raw.tenon_sort_options) == [0, 4]
@test sizeof(Raw.tenon_top_k_options) == 8
@test offsets(Raw.tenon_top_k_options) == [0, 4]
@test sizeof(Raw.tenon_search_options) == 8
@test offsets(Raw.tenon_search_options) == [0, 4]
@test sizeof(Raw.tenon_interpolate_options) == 32
@test offsets(Raw.tenon_interpolate_options) == [0, 4, 8, 12, 16, 24]
@test sizeof(Raw.tenon_unique_options) == 8
@test offsets(Raw.tenon_unique_options) == [0, 4]
@test sizeof(Raw.tenon_bincount_options) == 8
@test offsets(Raw.tenon_bincount_options) == [0, 4]
@test sizeof(Raw.tenon_quantile_options) == 32
@test offsets(Raw.tenon_quantile_options) == [0, 4, 8, 16, 20, 24, 28]
@test sizeof(Raw.tenon_cache_info) == 120
@test offsets(Raw.tenon_cache_info) == [0, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112]
@test sizeof(Raw.tenon_cache_tally) == 40
@test offsets(Raw.tenon_cache_tally) == [0, 4, 8, 16, 24, 32]
@test sizeof(Raw.tenon_generated_options) == 48
@test offsets(Raw.tenon_generated_options) == [0, 4, 8, 16, 24, 32, 36, 40]
@test sizeof(Raw.tenon_step) == 24
@test offsets(Raw.tenon_step) == [0, 4, 8, 12, 16, 20]
@test sizeof(Raw.tenon_graph_node_info) == 24
@test offsets(Raw.tenon_graph_node_info) == [0, 4, 8, 16, 20]
@test sizeof(Raw.tenon_compute_options) == 8
@test offsets(Raw.tenon_compute_options) == [0, 4]
@test sizeof(Raw.tenon_reduce_options) == 48
@test offsets(Raw.tenon_reduce_options) == [0, 4, 8, 16, 20, 24, 28, 32, 40, 44]
@test sizeof(Raw.tenon_accumulate_options) == 24
@test offsets(Raw.tenon_accumulate_options) == [0, 4, 8, 12, 16, 20]
@test sizeof(Raw.tenon_segment_options) == 32
@test offsets(Raw.tenon_segment_options) == [0, 4, 8, 12, 16, 20, 24]
@test sizeof(Raw.tenon_gemm_options) == 40
@test offsets(Raw.tenon_gemm_options) == [0, 4, 8, 16, 20, 24, 32, 36]
@test sizeof(Raw.tenon_svd_options) == 40
@test offsets(Raw.tenon_svd_options) == [0, 4, 8, 12, 16, 24, 32]
@test sizeof(Raw.tenon_blas_options) == 48
@test offsets(Raw.tenon_blas_options) == [0, 4, 8, 12, 16, 20, 24, 28, 32, 40]
@test sizeof(Raw.tenon_solve_options) == 16
@test offsets(Raw.tenon_solve_options) == [0, 4, 8, 12]
@test sizeof(Raw.tenon_lu_options) == 12
@test offsets(Raw.tenon_lu_options) == [0, 4, 8]
@test sizeof(Raw.tenon_cholesky_options) == 12
@test offsets(Raw.tenon_cholesky_options) == [0, 4, 8]
@test sizeof(Raw.tenon_qr_options) == 12
@test offsets(Raw.tenon_qr_options) == [0, 4, 8]
@test sizeof(Raw.tenon_rank_options) == 16
@test offsets(Raw.tenon_rank_options) == [0, 4, 8]
@test sizeof(Raw.tenon_ldl_options) == 16
@test offsets(Raw.tenon_ldl_options) == [0, 4, 8, 12]
@test sizeof(Raw.tenon_eigh_options) == 48
@test offsets(Raw.tenon_eigh_options) == [0, 4, 8, 16, 24, 32, 40, 44]
@test sizeof(Raw.tenon_eig_options) == 8
@test offsets(Raw.tenon_eig_options) == [0, 4]
@test sizeof(Raw.tenon_norm_options) == 12
@test offsets(Raw.tenon_norm_options) == [0, 4, 8]
@test sizeof(Raw.tenon_power_options) == 8
@test offsets(Raw.tenon_power_options) == [0, 4]
@test sizeof(Raw.tenon_fft_options) == 24
@test offsets(Raw.tenon_fft_options) == [0, 4, 8, 12, 16]
@test sizeof(Raw.tenon_dct_options) == 24
@test offsets(Raw.tenon_dct_options) == [0, 4, 8, 12, 16, 20]
@test sizeof(Raw.tenon_convolve_options) == 16
@test offsets(Raw.tenon_convolve_options) == [0, 4, 8, 12]
@test sizeof(Raw.tenon_shift_options) == 12
@test offsets(Raw.tenon_shift_options) == [0, 4, 8]
@test sizeof(Raw.tenon_frequencies_options) == 12
@test offsets(Raw.tenon_frequencies_options) == [0, 4, 8]
@test sizeof(Raw.tenon_sparse_options) == 12
@test offsets(Raw.tenon_sparse_options) == [0, 4, 8]
@test sizeof(Raw.tenon_sparse_product_options) == 40
@test offsets(Raw.tenon_sparse_product_options) == [0, 4, 8, 12, 16, 20, 24, 32]
@test sizeof(Raw.tenon_package_options) == 32
@test offsets(Raw.tenon_package_options) == [0, 4, 8, 16, 24, 28]
@test sizeof(Raw.tenon_operation_info) == 24
@test offsets(Raw.tenon_operation_info) == [0, 4, 8, 12, 16, 20]
@test sizeof(Raw.tenon_operation_parameter_info) == 40
@test offsets(Raw.tenon_operation_parameter_info) == [0, 4, 8, 12, 16, 20, 24, 32]
@test sizeof(Raw.tenon_measure_options) == 40
@test offsets(Raw.tenon_measure_options) == [0, 4, 8, 16, 24, 32]
@test sizeof(Raw.tenon_host_call) == 24
@test offsets(Raw.tenon_host_call) == [0, 4, 8, 16]
@test sizeof(Raw.tenon_host_function) == 40
@test offsets(Raw.tenon_host_function) == [0, 4, 8, 16, 24, 32]
@test sizeof(Raw.tenon_registry) == 24
@test offsets(Raw.tenon_registry) == [0, 4, 8, 16]
