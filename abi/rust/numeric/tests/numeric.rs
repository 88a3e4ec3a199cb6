//! The numbers of the crates half and num-complex as elements of arrays and as arguments of kernels.
#![cfg(all(feature = "half", feature = "num-complex"))]
use half::{bf16, f16};
use num_complex::Complex as Number;
use tenon::*;

#[path = "../../tenon/tests/chosen/mod.rs"]
mod chosen;
use chosen::device;

const SOURCE: &str = r#"
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
extern "C" __global__ void scale(__half* x, __half a, __nv_bfloat16* y) {
  x[threadIdx.x] = __float2half(__half2float(x[threadIdx.x]) * __half2float(a));
  y[threadIdx.x] = __float2bfloat16(__half2float(x[threadIdx.x]));
}
extern "C" __global__ void turn(cuDoubleComplex* z, cuDoubleComplex by) { z[threadIdx.x] = cuCmul(z[threadIdx.x], by); }
"#;

#[test]
fn halves_are_elements_and_arguments() -> Result<()> {
    let program = unsafe { Program::compile(&device(), SOURCE, &["scale", "turn"]) }?;
    let numbers = [1.5f32, -2.0, 0.25].map(f16::from_f32);
    let mut x = Array::from_slice(&device(), &[3], &numbers)?;
    let mut y = Array::<bf16>::zeros(&device(), &[3])?;
    program.kernel("scale")?.launch(Grid::new(1, 3), args![&mut x, f16::from_f32(2.0), &mut y], None)?;
    assert_eq!(x.to_vec()?, [3.0, -4.0, 0.5].map(f16::from_f32));
    assert_eq!(y.to_vec()?, [3.0, -4.0, 0.5].map(bf16::from_f32));
    assert_eq!((format!("{x:?}"), format!("{y:?}")), ("float16[3]".into(), "bfloat16[3]".into()));
    assert_eq!(convert::<f32>(&x)?.to_vec()?, [3.0, -4.0, 0.5]);
    assert_eq!((f16::from(Half::from(numbers[0])), bf16::from(Bfloat16(0x4040))), (numbers[0], bf16::from_f32(3.0)));
    assert_eq!(Bfloat16::from(bf16::from_f32(3.0)), Bfloat16(0x4040));
    Ok(())
}

#[test]
fn complex_numbers_are_elements_and_arguments() -> Result<()> {
    let program = unsafe { Program::compile(&device(), SOURCE, &["scale", "turn"]) }?;
    let numbers = vec![Number::new(1.0f64, 2.0), Number::new(0.0, -1.0)];
    let mut z = Array::from_vec(&device(), numbers.clone())?;
    program.kernel("turn")?.launch(Grid::new(1, 2), args![&mut z, Number::new(0.0f64, 1.0)], None)?;
    assert_eq!(z.to_vec()?, numbers.iter().map(|z| z * Number::i()).collect::<Vec<_>>());
    let x = Array::from_slice(&device(), &[2], &[Number::new(1.0f32, 1.0), Number::new(3.0, -1.0)])?;
    let spectrum = fft(&x, 1)?.typed::<Number<f32>>()?.to_vec()?;
    assert_eq!(spectrum, [Number::new(4.0, 0.0), Number::new(-2.0, 2.0)]);
    assert_eq!(Number::<f64>::from(Complex { re: 1.0, im: 2.0 }), numbers[0]);
    assert_eq!(Complex::from(numbers[0]), Complex { re: 1.0, im: 2.0 });
    let small = Array::from_slice(&device(), &[1], &[Number::new(f16::ONE, f16::ZERO)])?;
    assert_eq!(format!("{small:?}"), "complex32[1]");
    Ok(())
}
