//! Arrays of the crate ndarray: lent, given away, and viewed, with strides in every direction.
#![cfg(feature = "ndarray")]
use ndarray::{arr0, s, Array1, Array2, Array3, ArrayD, ArrayView1, ArrayView2, ArrayViewD, Axis};
use std::ptr::null_mut;
use tenon::*;

#[path = "../../tenon/tests/chosen/mod.rs"]
mod chosen;
use chosen::{device, on_host};

fn cpu() -> Device {
    Device::named("cpu").expect("there is a CPU")
}

fn counted(shape: (usize, usize, usize)) -> Array3<f64> {
    Array3::from_shape_fn(shape, |(i, j, k)| (100 * i + 10 * j + k) as f64)
}

#[test]
fn views_with_any_strides_are_lent() -> Result<()> {
    let all = counted((4, 5, 6));
    let mut out = Array2::<f64>::zeros((3, 2));
    let address = out.as_ptr();
    lend(&cpu(), |scope| {
        let (back, empty) = (all.slice(s![.., ..;-1, 1..;2]), all.slice(s![1..3, ..0, ..]));
        for view in [all.view(), back, empty, all.view().reversed_axes()] {
            let lent = scope.ndarray(view)?;
            assert_eq!(lent.strides()?.len(), 3);
            assert_eq!(lent.to_vec()?, view.iter().copied().collect::<Vec<_>>());
            assert_eq!(lent.as_ndarray::<ndarray::Ix3>()?, view);
        }
        let part = scope.ndarray(all.slice(s![3, 1..4, 2..;-3]))?;
        assert_eq!(part.shape()?, [3, 2]);
        let mut into = scope.ndarray_mut(out.slice_mut(s![..;-1, ..]))?;
        assert_eq!(into.address()?, unsafe { address.add(4) }.cast());
        into.copy_from(&part)?;
        into.as_ndarray_mut::<ndarray::Ix2>()?[[0, 0]] += 0.5;
        Ok(())
    })?;
    let mut expected = all.slice(s![3, 1..4;-1, 2..;-3]).to_owned();
    expected[[2, 0]] += 0.5;
    assert_eq!(out, expected);
    let scalar = arr0(7i32);
    assert_eq!(lend(&cpu(), |scope| scope.ndarray(scalar.view())?.to_vec())?, [7]);
    // What the library writes through the view that was lent for reading is refused.
    lend(&cpu(), |scope| {
        let lent = scope.ndarray(all.view())?;
        let program = unsafe { Program::compile(&cpu(), "__global__ void w(double* x) { *x = 1; }", &["w"]) }?;
        let error = program.kernel("w")?.launch(Grid::new(1, 1), args![&lent], None).unwrap_err();
        assert_eq!(error.status, Status::ReadOnly);
        Ok(())
    })
}

#[test]
fn arrays_are_given_away() -> Result<()> {
    let matrix = counted((2, 3, 4)).index_axis_move(Axis(0), 1).reversed_axes();
    let (expected, address) = (matrix.clone(), matrix.as_ptr());
    let mut array = Array::from_ndarray(&device(), matrix)?;
    assert_eq!(array.to_ndarray::<ndarray::Ix2>()?, expected);
    assert_eq!(array.to_vec()?, expected.iter().copied().collect::<Vec<_>>());
    if on_host() {
        assert_eq!((array.address()?, array.strides()?), (address.cast(), vec![1, 4]));
        let mut view = array.as_ndarray_mut::<ndarray::Ix2>()?;
        view[[3, 2]] = -1.0;
        view.row_mut(0).fill(2.0);
        let view: ArrayView2<f64> = array.as_ndarray()?;
        assert_eq!((view[[3, 2]], view.row(0).sum()), (-1.0, 6.0));
    } else {
        assert_eq!(array.as_ndarray::<ndarray::Ix2>().unwrap_err().status, Status::Device);
        assert_eq!(array.as_ndarray_mut::<ndarray::Ix2>().unwrap_err().status, Status::Device);
    }
    let copy = Array::from_ndarray_view(&device(), expected.view())?;
    assert_eq!((copy.strides()?, copy.to_ndarray::<ndarray::IxDyn>()?), (vec![3, 1], expected.into_dyn()));
    assert!(Array::from_ndarray(&device(), Array1::<f32>::zeros(0))?.to_ndarray::<ndarray::Ix1>()?.is_empty());
    let product = matmul(&copy, &copy.view().transpose()?)?.typed::<f64>()?.to_ndarray::<ndarray::Ix2>()?;
    let host: Array2<f64> = copy.to_ndarray()?;
    assert_eq!(product, host.dot(&host.t()));
    Ok(())
}

fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number of pages") * 4096
}

#[test]
fn memory_given_away_lives_as_long_as_its_last_use() -> Result<()> {
    let before = resident();
    for turn in 0..10_000 {
        let array = Array::from_ndarray(&cpu(), Array2::<u8>::from_elem((64, 2048), turn as u8).reversed_axes())?;
        let tensor = array.into_dlpack()?; // only the library refers to the ndarray now
        let back = DynArray::from_dlpack(tensor)?.typed::<u8>()?;
        assert_eq!(back.view().index(0, 2047)?.to_vec()?, [turn as u8; 64]);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 128 << 20, "{grown} bytes more after arrays of 1.3 GB together"); // other tests run meanwhile
    Ok(())
}

#[test]
fn views_have_the_right_dimension_or_are_an_error() -> Result<()> {
    let array = Array::from_slice(&cpu(), &[2, 3], &[1, 2, 3, 4, 5, 6i32])?;
    let view: ArrayViewD<i32> = array.as_ndarray()?;
    assert_eq!(view.shape(), [2, 3]);
    let error = array.as_ndarray::<ndarray::Ix3>().unwrap_err();
    assert_eq!(error.status, Status::Shape);
    assert!(error.to_string().contains("the array has the shape [2, 3], and the view 3 axes"), "{error}");
    assert_eq!(array.to_ndarray::<ndarray::Ix1>().unwrap_err().status, Status::Shape);
    let turned = array.view().transpose()?;
    let part = turned.index(0, 2)?;
    let column: ArrayView1<i32> = part.as_ndarray()?;
    assert_eq!(column.to_vec(), [3, 6]);
    let kept: ArrayD<i32> = turned.to_ndarray()?;
    assert_eq!(kept, view.t());
    Ok(())
}

/// An array with negative strides, or with indices that share elements, as it comes from another library.
fn foreign(strides: &[i64], shape: &[i64], offset: u64) -> Result<Array<f32>> {
    let whole = Array::from_slice(&cpu(), &[6], &[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0])?;
    let (tensor, mut buffer, mut array) = (whole.into_dlpack()?, null_mut(), null_mut());
    use tenon_sys::*;
    unsafe {
        assert_eq!(tenon_array_from_dlpack_versioned(null_mut(), tensor.into_raw(), null_mut(), &mut array), 0);
        assert_eq!(tenon_array_buffer(array, &mut buffer), 0);
        tenon_array_release(array);
        let rank = shape.len() as i32;
        assert_eq!(
            tenon_array_from_buffer(buffer, TENON_FLOAT32, rank, shape.as_ptr(), strides.as_ptr(), offset, &mut array),
            0
        );
        tenon_buffer_release(buffer);
        let mut out = null_mut();
        assert_eq!(tenon_array_to_dlpack_versioned(array, 0, null_mut(), &mut out), 0);
        tenon_array_release(array);
        DynArray::from_dlpack(Tensor::from_raw(out).expect("it is not null"))?.typed()
    }
}

#[test]
fn foreign_strides_are_kept_and_repeated_elements_not_written() -> Result<()> {
    let mut back = foreign(&[-3, -1], &[2, 3], 20)?;
    assert_eq!(back.as_ndarray::<ndarray::Ix2>()?.iter().copied().collect::<Vec<_>>(), [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    back.as_ndarray_mut::<ndarray::Ix2>()?[[1, 2]] = 9.0;
    assert_eq!(back.to_vec()?, [5.0, 4.0, 3.0, 2.0, 1.0, 9.0]);
    for (strides, shape) in [([0, 1], [4, 3]), ([1, 1], [2, 5]), ([2, 3], [2, 2])] {
        let mut array = foreign(&strides, &shape, 0)?;
        let read: Vec<f32> = array.as_ndarray::<ndarray::Ix2>()?.iter().copied().collect();
        assert_eq!(read, array.to_vec()?);
        let written = array.as_ndarray_mut::<ndarray::Ix2>().map(|view| view.len());
        match strides {
            [2, 3] => assert_eq!(written?, 4),
            _ => assert_eq!(written.unwrap_err().status, Status::Layout),
        }
    }
    Ok(())
}
