//! Products, decompositions and transforms, with the names of the C functions.
use crate::array::{Array, AsArray, DynArray, Element};
use crate::error::Result;
use crate::handle::Handle;
use std::ptr::{null, null_mut};
use tenon_sys::*;

/// The product a b of matrices, or of batches of matrices.
pub fn matmul(a: &impl AsArray, b: &impl AsArray) -> Result<DynArray> {
    Handle::made(|out| unsafe { tenon_gemm(null(), a.raw(), b.raw(), null(), null(), null_mut(), out) })
        .map(DynArray::adopt)
}

/// c = a b, in existing memory.
pub fn matmul_into<T: Element>(a: &impl AsArray, b: &impl AsArray, c: &mut Array<T>) -> Result<()> {
    let mut into = c.raw();
    crate::error::check(unsafe { tenon_gemm(null(), a.raw(), b.raw(), null(), null(), null_mut(), &mut into) })
}

/// Solves a x = b for x.
pub fn solve(a: &impl AsArray, b: &impl AsArray) -> Result<DynArray> {
    Handle::made(|out| unsafe { tenon_solve(a.raw(), b.raw(), null(), null_mut(), out) }).map(DynArray::adopt)
}

/// The singular values of a in descending order.
pub fn singular_values(a: &impl AsArray) -> Result<DynArray> {
    let mut options = tenon_svd_options::new();
    options.mode = TENON_SVD_MODE_VALUES;
    Handle::made(|out| unsafe { tenon_svd(a.raw(), &options, null_mut(), null_mut(), out, null_mut()) })
        .map(DynArray::adopt)
}

/// The Fourier transform of complex numbers over the last `axes` axes.
pub fn fft(a: &impl AsArray, axes: usize) -> Result<DynArray> {
    let count = i32::try_from(axes).unwrap_or(i32::MAX);
    Handle::made(|out| unsafe { tenon_fft(a.raw(), null(), count, null(), null_mut(), out) }).map(DynArray::adopt)
}

/// A copy with another element type.
pub fn convert<T: Element>(a: &impl AsArray) -> Result<Array<T>> {
    Handle::made(|out| unsafe { tenon_array_convert(a.raw(), T::DTYPE, null_mut(), null_mut(), out) })
        .map(Array::adopt)
}

type Made = Handle<tenon_array>;

/// Calls a function with two results.
pub(crate) fn two(
    make: impl FnOnce(*mut *mut tenon_array, *mut *mut tenon_array) -> i32,
) -> Result<(DynArray, DynArray)> {
    let mut second = null_mut();
    let first = Made::made(|out| make(out, &mut second)).map(DynArray::adopt)?;
    Ok((first, Made::made(|out| unsafe { *out = second; TENON_OK }).map(DynArray::adopt)?))
}

/// u, s and vh of a = u diag(s) vh; u has as many columns, and vh as many rows, as there are singular values.
pub fn svd(a: &impl AsArray) -> Result<(DynArray, DynArray, DynArray)> {
    let mut options = tenon_svd_options::new();
    options.mode = TENON_SVD_MODE_ECONOMY;
    let mut values = null_mut();
    let (u, vh) = two(|u, vh| unsafe { tenon_svd(a.raw(), &options, null_mut(), u, &mut values, vh) })?;
    let s = Made::made(|out| unsafe { *out = values; TENON_OK }).map(DynArray::adopt)?;
    Ok((u, s, vh))
}

/// The factors of a = p l u in one array, and the pivots, counted from 1 as in LAPACK.
pub fn lu(a: &impl AsArray) -> Result<(DynArray, DynArray)> {
    two(|factors, pivots| unsafe { tenon_lu(a.raw(), null(), null_mut(), factors, pivots) })
}

/// q and r of a = q r; q has orthonormal columns.
pub fn qr(a: &impl AsArray) -> Result<(DynArray, DynArray)> {
    two(|q, r| unsafe { tenon_qr(a.raw(), null(), null_mut(), q, r) })
}

/// The eigenvalues in ascending order, and the eigenvectors as columns, of a symmetric or Hermitian a; only its lower
/// triangle is read.
pub fn eigh(a: &impl AsArray) -> Result<(DynArray, DynArray)> {
    two(|values, vectors| unsafe { tenon_eigh(a.raw(), null(), null_mut(), values, vectors) })
}

/// The lower triangular l of a positive definite a = l l^H.
pub fn cholesky(a: &impl AsArray) -> Result<DynArray> {
    Made::made(|out| unsafe { tenon_cholesky(a.raw(), null(), null_mut(), out) }).map(DynArray::adopt)
}

pub fn inverse(a: &impl AsArray) -> Result<DynArray> {
    Made::made(|out| unsafe { tenon_inverse(a.raw(), null(), null_mut(), out) }).map(DynArray::adopt)
}

/// The determinants of the matrices in the last two axes.
pub fn det(a: &impl AsArray) -> Result<DynArray> {
    Made::made(|out| unsafe { tenon_det(a.raw(), null(), null_mut(), out) }).map(DynArray::adopt)
}
