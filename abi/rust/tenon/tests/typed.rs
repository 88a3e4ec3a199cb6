//! The operations of shipped packages as typed functions: operations/mod.rs is the output of tenon::typed_operations.
use tenon::{Array, Status};

mod chosen;
mod operations;
use operations::{Clamp, Sigmoid};

#[test]
fn the_source_is_what_the_contract_says() {
    let source = tenon::typed_operations("elementwise", &["sigmoid", "clamp"]).unwrap();
    assert_eq!(source, include_str!("operations/mod.rs"), "write this into tests/operations/mod.rs");
    assert_eq!(tenon::typed_operations("elementwise", &["nonsense"]).unwrap_err().status, Status::NotFound);
}

#[test]
fn typed_operations_run() -> tenon::Result<()> {
    let device = chosen::device();
    let x = Array::from_slice(&device, &[3], &[-1.0f32, 0.0, 5.0])?;
    let mut y = Array::<f32>::zeros(&device, &[3])?;
    Sigmoid::find()?.call(&x, &mut y, None)?;
    assert_eq!(y.to_vec()?[1], 0.5);
    Clamp::find()?.call(&x.view(), -0.5, 2.0, &mut y.view_mut(), None)?;
    assert_eq!(y.to_vec()?, [-0.5, 0.0, 2.0]);
    Ok(())
}
