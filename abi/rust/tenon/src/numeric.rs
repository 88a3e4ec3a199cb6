//! The number types of the crates half and num-complex as elements.
#[cfg(feature = "half")]
mod half_types {
    use crate::array::{Bfloat16, Element, Half};
    use half::{bf16, f16};
    use tenon_sys::*;

    // Both types are u16 with #[repr(transparent)], and every bit pattern is a number or a NaN.
    unsafe impl Element for f16 {
        const DTYPE: u32 = TENON_FLOAT16;
    }
    unsafe impl Element for bf16 {
        const DTYPE: u32 = TENON_BFLOAT16;
    }

    impl From<f16> for Half {
        fn from(number: f16) -> Half {
            Half(number.to_bits())
        }
    }
    impl From<Half> for f16 {
        fn from(number: Half) -> f16 {
            f16::from_bits(number.0)
        }
    }
    impl From<bf16> for Bfloat16 {
        fn from(number: bf16) -> Bfloat16 {
            Bfloat16(number.to_bits())
        }
    }
    impl From<Bfloat16> for bf16 {
        fn from(number: Bfloat16) -> bf16 {
            bf16::from_bits(number.0)
        }
    }
}

#[cfg(feature = "num-complex")]
mod complex_types {
    use crate::array::{Complex, Element};
    use num_complex::Complex as Number;
    use tenon_sys::*;

    // num-complex has #[repr(C)] and the fields re and im, as C's complex numbers.
    unsafe impl Element for Number<f32> {
        const DTYPE: u32 = TENON_COMPLEX64;
    }
    unsafe impl Element for Number<f64> {
        const DTYPE: u32 = TENON_COMPLEX128;
    }
    #[cfg(feature = "half")]
    unsafe impl Element for Number<half::f16> {
        const DTYPE: u32 = TENON_COMPLEX32;
    }

    impl<T> From<Number<T>> for Complex<T> {
        fn from(number: Number<T>) -> Complex<T> {
            Complex { re: number.re, im: number.im }
        }
    }
    impl<T> From<Complex<T>> for Number<T> {
        fn from(number: Complex<T>) -> Number<T> {
            Number { re: number.re, im: number.im }
        }
    }
}
