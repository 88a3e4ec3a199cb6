//! Textures and surfaces: what they own, what they borrow, and what kernels read and write.
use tenon::*;

mod chosen;
use chosen::device;

const SOURCE: &str = r#"
extern "C" __global__ void read(cudaTextureObject_t t, float x, float y, float* out) { *out = tex2D<float>(t, x, y); }
extern "C" __global__ void row(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
extern "C" __global__ void color(cudaTextureObject_t t, float x, float4* out) { *out = tex2D<float4>(t, x, 0.5f); }
extern "C" __global__ void layer(cudaTextureObject_t t, int n, float* out) { *out = tex2DLayered<float>(t, 1.5f, 0.5f, n); }
extern "C" __global__ void put(cudaSurfaceObject_t s, float value) { surf2Dwrite(value, s, threadIdx.x * 4, threadIdx.y); }
"#;

fn program() -> Program {
    let kernels = ["read", "row", "color", "layer", "put"];
    unsafe { Program::compile(&device(), SOURCE, &kernels) }.expect("it compiles")
}

fn pixels() -> Array<f32> {
    Array::from_slice(&device(), &[2, 3], &[1.0, 10.0, 100.0, 2.0, 20.0, 200.0]).expect("memory for six floats")
}

fn one_read(program: &Program, texture: &Texture, x: f32, y: f32) -> Result<f32> {
    let mut out = Array::<f32>::zeros(&device(), &[1])?;
    program.kernel("read")?.launch(Grid::new(1, 1), args![texture, x, y, &mut out], None)?;
    Ok(out.to_vec()?[0])
}

#[test]
fn reads_follow_filter_and_address() -> Result<()> {
    let program = program();
    let linear = TextureOptions::new().linear().create(&pixels(), None)?;
    assert_eq!(one_read(&program, &linear, 1.0, 1.0)?, (1.0 + 10.0 + 2.0 + 20.0) / 4.0);
    let point = TextureOptions::new().create(&pixels(), None)?;
    assert_eq!((one_read(&program, &point, 1.9, 1.1)?, one_read(&program, &point, 9.0, -9.0)?), (20.0, 100.0));
    let border = TextureOptions::new().address(Address::Border).border([7.0; 4]).create(&pixels(), None)?;
    assert_eq!((one_read(&program, &border, 2.5, 1.5)?, one_read(&program, &border, 3.5, 1.5)?), (200.0, 7.0));
    let across = TextureOptions::new().normalized_coordinates();
    let wrapped = across.address(Address::Wrap).create(&pixels(), None)?;
    assert_eq!(one_read(&program, &wrapped, 1.5 / 3.0 + 2.0, 0.25 - 1.0)?, 10.0);
    let mirrored = across.address_of(Address::Mirror, Address::Clamp, Address::Clamp).create(&pixels(), None)?;
    assert_eq!(one_read(&program, &mirrored, 3.5 / 3.0, 5.0)?, 200.0);
    assert_eq!(TextureOptions::new().address(Address::Wrap).create(&pixels(), None).unwrap_err().status,
               Status::InvalidArgument);
    Ok(())
}

#[test]
fn axes_are_channels_and_layers() -> Result<()> {
    let program = program();
    let bytes = Array::from_slice(&device(), &[1, 2, 4], &[0u8, 51, 102, 255, 255, 0, 0, 51])?;
    let image = TextureOptions::new().channels(4).normalized_reads().create(&bytes, None)?;
    let mut out = Array::<f32>::zeros(&device(), &[4])?;
    program.kernel("color")?.launch(Grid::new(1, 1), args![&image, 0.5f32, &mut out], None)?;
    for (read, exact) in out.to_vec()?.iter().zip([0.0, 0.2, 0.4, 1.0]) {
        assert!((read - exact).abs() < 1e-6, "{read} and {exact}");
    }
    let info = image.info()?;
    assert_eq!((info.dtype, info.channels, info.dimensions), (u8::DTYPE, 4, 2));
    assert_eq!((info.extents, info.layers, info.shared, info.surface), ([2, 1, 1], 1, false, false));
    assert_eq!(image.device()?.name()?, device().name()?);
    assert_eq!(image.read(None)?.typed::<u8>()?.to_vec()?, bytes.to_vec()?);

    let stack = Array::from_slice(&device(), &[2, 1, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let layers = TextureOptions::new().layered().create(&stack, None)?;
    let mut out = Array::<f32>::zeros(&device(), &[1])?;
    program.kernel("layer")?.launch(Grid::new(1, 1), args![&layers, 1i32, &mut out], None)?;
    assert_eq!((out.to_vec()?, layers.info()?.layers, layers.info()?.layered), (vec![5.0], 2, true));

    let doubles = Array::<f64>::zeros(&device(), &[2, 2])?;
    assert_eq!(TextureOptions::new().create(&doubles, None).unwrap_err().status, Status::Dtype);
    let error = TextureOptions::new().channels(4).create(&pixels(), None).unwrap_err();
    assert_eq!(error.status, Status::Shape, "{error}");
    Ok(())
}

#[test]
fn kernels_write_surfaces() -> Result<()> {
    let program = program();
    let put = program.kernel("put")?;
    let mut image = TextureOptions::new().surface().create(&pixels(), None)?;
    let stream = Stream::new(&device())?;
    let corner = Grid { threads: [2, 1, 1], ..Grid::new(1, 1) };
    put.launch(corner, args![image.surface(), 7.0f32], Some(&stream))?;
    assert_eq!(one_read(&program, &image, 1.5, 0.5)?, 7.0); // ordered behind the launch on the other stream
    let mut whole = Array::<f32>::zeros(&device(), &[2, 3])?;
    image.read_into(&mut whole, None)?;
    assert_eq!(whole.to_vec()?, [7.0, 7.0, 100.0, 2.0, 20.0, 200.0]);
    let mut call = put.bind(corner, args![image.surface(), 8.0f32])?;
    call.launch(None)?;
    drop(call);
    image.update(&pixels(), Some(&stream))?;
    assert_eq!(image.read(None)?.typed::<f32>()?.to_vec()?, pixels().to_vec()?);
    assert_eq!(image.update(&Array::<f32>::zeros(&device(), &[3, 2])?, None).unwrap_err().status, Status::Shape);
    let mut plain = TextureOptions::new().create(&pixels(), None)?;
    let error = put.launch(corner, args![plain.surface(), 7.0f32], None).unwrap_err();
    assert_eq!(error.status, Status::InvalidArgument, "{error}");
    Ok(())
}

#[test]
fn a_shared_texture_reads_the_arrays_own_memory() -> Result<()> {
    fn sent_and_shared<T: Send + Sync>() {}
    sent_and_shared::<Texture<'static>>();
    let program = program();
    let row = program.kernel("row")?;
    let line = Array::from_slice(&device(), &[4], &[1.0f32, 2.0, 3.0, 4.0])?;
    let mut out = Array::<f32>::zeros(&device(), &[4])?;
    let mut texture = TextureOptions::new().share(&line, None)?;
    row.launch(Grid::new(1, 4), args![&texture, &mut out], None)?;
    assert_eq!((out.to_vec()?, texture.info()?.shared), (line.to_vec()?, true));
    assert_eq!(texture.update(&line, None).unwrap_err().status, Status::InvalidArgument);
    assert_eq!(TextureOptions::new().surface().share(&line, None).unwrap_err().status, Status::InvalidArgument);
    drop(texture);
    drop(line);
    Ok(())
}
