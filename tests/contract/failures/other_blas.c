/* tests/contract/failures/other_blas.c: stands for a BLAS and LAPACK that the program itself is linked with, as those
 * with 32-bit integers that Fortran programs bring. None of these may ever be called by another library that has
 * functions of these names itself. */
#define EXPORT __attribute__((visibility("default")))

static int calls;
EXPORT int other_blas_calls(void) { return calls; }

#define ROUTINE(name) \
  EXPORT void name(void) { ++calls; }
#define TYPES(name) ROUTINE(s##name) ROUTINE(d##name) ROUTINE(c##name) ROUTINE(z##name)
TYPES(gemm_) TYPES(gemv_) TYPES(trsm_) TYPES(trmm_) TYPES(trmv_) TYPES(scal_) TYPES(copy_) TYPES(swap_) TYPES(axpy_)
TYPES(getrf_) TYPES(getrs_) TYPES(potrf_) TYPES(geqrf_) TYPES(gebrd_) TYPES(laset_) TYPES(lacpy_) TYPES(lascl_) TYPES(larfg_) TYPES(larf_)
ROUTINE(dlamch_) ROUTINE(slamch_) ROUTINE(ilaenv_) ROUTINE(lsame_) ROUTINE(xerbla_)
