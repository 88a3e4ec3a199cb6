//! Textures and surfaces: memory that kernels read by coordinates, with filtering, and write by texel.
use crate::array::{Array, AsArray, DynArray, Element};
use crate::device::{raw_stream, Device, Stream};
use crate::error::{check, Result};
use crate::handle::Handle;
use std::marker::PhantomData;
use tenon_sys::*;

/// What a coordinate outside of the texture reads. `Wrap` and `Mirror` need normalized coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Address {
    /// The nearest texel.
    #[default]
    Clamp,
    /// The texture repeats.
    Wrap,
    /// It repeats, every other time reversed.
    Mirror,
    /// The colour of [`TextureOptions::border`].
    Border,
}

impl Address {
    fn code(self) -> i32 {
        match self {
            Address::Clamp => TENON_ADDRESS_CLAMP,
            Address::Wrap => TENON_ADDRESS_WRAP,
            Address::Mirror => TENON_ADDRESS_MIRROR,
            Address::Border => TENON_ADDRESS_BORDER,
        }
    }
}

/// How a texture is made and read: `TextureOptions::new().linear().create(&pixels, None)`.
///
/// The axes of the source are, from the slowest to the fastest: the layers (`layered`), the six faces (`cube`), depth,
/// height, width, and the channels (`channels`). Without further options all axes are dimensions, and a read gives the
/// texel at the coordinate, in texels, or the nearest one.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextureOptions {
    raw: tenon_texture_options,
    address: [Address; 3],
    every_axis: bool,
}

impl TextureOptions {
    pub fn new() -> TextureOptions {
        TextureOptions::default()
    }

    /// The last axis of the source has the 1, 2 or 4 channels of a texel.
    pub fn channels(mut self, count: i32) -> Self {
        self.raw.channels = count;
        self
    }

    /// The first axis of the source counts layers, of 1 or 2 dimensions.
    pub fn layered(mut self) -> Self {
        self.raw.layered = 1;
        self
    }

    /// A cube map: the axis before height and width has 6 faces, in CUDA's order.
    pub fn cube(mut self) -> Self {
        self.raw.cube = 1;
        self
    }

    /// Coordinates go from 0 to 1 over the extent.
    pub fn normalized_coordinates(mut self) -> Self {
        self.raw.normalized_coordinates = 1;
        self
    }

    /// Integers of 8 and 16 bits are read as floats of [0, 1] or [-1, 1].
    pub fn normalized_reads(mut self) -> Self {
        self.raw.normalized_reads = 1;
        self
    }

    /// Kernels may also write the texture, as a [`Surface`].
    pub fn surface(mut self) -> Self {
        self.raw.surface = 1;
        self
    }

    /// Kernels may call tex2Dgather; for 2 dimensions.
    pub fn gather(mut self) -> Self {
        self.raw.gather = 1;
        self
    }

    /// Interpolates between the nearest 2, 4 or 8 texels; for reads that give floats.
    pub fn linear(mut self) -> Self {
        self.raw.filter = TENON_FILTER_LINEAR;
        self
    }

    /// What coordinates outside of the texture read, along each of its dimensions.
    pub fn address(mut self, address: Address) -> Self {
        self.address = [address; 3];
        self.every_axis = true;
        self
    }

    /// The same for x, y and z apart.
    pub fn address_of(mut self, x: Address, y: Address, z: Address) -> Self {
        self.address = [x, y, z];
        self.every_axis = false;
        self
    }

    /// The value of each channel outside of the texture, for [`Address::Border`]; 0 where reads give integers.
    pub fn border(mut self, channels: [f32; 4]) -> Self {
        self.raw.border = channels;
        self
    }

    /// A texture on the source's device with memory of its own, to which the elements are copied in the order of the
    /// stream (`None`: the default stream). `Status::Shape`: the axes are not those of the options, or an extent is 0
    /// or too large; `Status::Dtype`: such texels do not exist, or cannot be read that way; `Status::Unsupported`: the
    /// device has no textures.
    pub fn create(&self, source: &impl AsArray, stream: Option<&Stream>) -> Result<Texture<'static>> {
        self.make(source, 0, stream)
    }

    /// A texture that reads the source's own memory, which stays borrowed: for 1 dimension, which kernels then read by
    /// tex1Dfetch only, and for 2 dimensions, without layers, faces, gathering and surface. `Status::Layout`: the
    /// address or the strides do not allow it (see tenon/texture.h); nothing is copied instead.
    pub fn share<'a>(&self, source: &'a impl AsArray, stream: Option<&Stream>) -> Result<Texture<'a>> {
        self.make(source, 1, stream)
    }

    fn make<'a>(&self, source: &impl AsArray, share: i32, stream: Option<&Stream>) -> Result<Texture<'a>> {
        let mut options = self.raw;
        options.share = share;
        let mut codes = self.address.map(Address::code);
        if self.every_axis {
            let others = options.layered + options.cube + i32::from(options.channels != 0);
            let dimensions = source.shape()?.len().saturating_sub(others as usize);
            for code in codes.iter_mut().skip(dimensions) {
                *code = TENON_ADDRESS_CLAMP; // axes that the texture does not have
            }
        }
        [options.address_x, options.address_y, options.address_z] = codes;
        Handle::made(|out| unsafe { tenon_texture_create(source.raw(), &options, raw_stream(stream), out) })
            .map(|handle| Texture { handle, borrowed: PhantomData })
    }
}

/// What a texture is: see [`Texture::info`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextureInfo {
    /// Of a channel: one of `tenon_sys::TENON_FLOAT32` etc.
    pub dtype: u32,
    pub dimensions: i32,
    pub channels: i32,
    pub layered: bool,
    pub cube: bool,
    pub surface: bool,
    /// Whether it reads the memory of an array.
    pub shared: bool,
    /// Width, height and depth in texels; 1 for dimensions that it does not have.
    pub extents: [i64; 3],
    /// Layers times faces; 1 for neither.
    pub layers: i64,
}

/// A texture, the argument of a kernel for a parameter of type `cudaTextureObject_t`: `args![&texture, &mut out]`.
///
/// It owns its memory, or borrows that of an array (`'a`). Launches are ordered behind the copies into that memory.
///
/// ```
/// # use tenon::{args, Array, Device, Grid, Program, TextureOptions};
/// # fn main() -> tenon::Result<()> {
/// let device = Device::named("cpu")?;
/// let program = unsafe { Program::compile(&device, r#"
///     extern "C" __global__ void between(cudaTextureObject_t image, float* out) {
///         *out = tex2D<float>(image, 1.0f, 1.0f);
///     }"#, &["between"]) }?;
/// let pixels = Array::from_slice(&device, &[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
/// let image = TextureOptions::new().linear().create(&pixels, None)?;
/// let mut out = Array::<f32>::zeros(&device, &[1])?;
/// program.kernel("between")?.launch(Grid::new(1, 1), args![&image, &mut out], None)?;
/// assert_eq!(out.to_vec()?, [2.5]);
/// # Ok(()) }
/// ```
///
/// What a texture shares cannot be written while it exists:
///
/// ```compile_fail
/// # use tenon::{Array, TextureOptions};
/// # fn shared(mut line: Array<f32>) -> tenon::Result<()> {
/// let texture = TextureOptions::new().share(&line, None)?;
/// line.as_mut_slice()?[0] = 1.0;
/// texture.read(None).map(drop)
/// # }
/// ```
///
/// A launch that writes a texture does not read it:
///
/// ```compile_fail
/// # use tenon::{args, Grid, Kernel, Texture};
/// # fn both(kernel: &Kernel, mut image: Texture) -> tenon::Result<()> {
/// kernel.launch(Grid::new(1, 1), args![&image, image.surface()], None)
/// # }
/// ```
pub struct Texture<'a> {
    handle: Handle<tenon_texture>,
    borrowed: PhantomData<&'a ()>,
}

/// A texture that was made with [`TextureOptions::surface`], borrowed as the argument of a kernel that writes it: for a
/// parameter of type `cudaSurfaceObject_t`.
pub struct Surface<'a> {
    pub(crate) texture: *mut tenon_texture,
    borrowed: PhantomData<&'a mut ()>,
}

impl Texture<'_> {
    /// Copies an array of the first source's dtype and shape into the texture, in the order of the stream.
    /// `Status::InvalidArgument`: the texture shares an array's memory.
    pub fn update(&mut self, source: &impl AsArray, stream: Option<&Stream>) -> Result<()> {
        check(unsafe { tenon_texture_update(self.raw(), source.raw(), raw_stream(stream)) })
    }

    /// The elements as a new array of the first source's dtype and shape, copied in the order of the stream.
    pub fn read(&self, stream: Option<&Stream>) -> Result<DynArray> {
        Handle::made(|out| unsafe { tenon_texture_read(self.raw(), raw_stream(stream), out) }).map(DynArray::adopt)
    }

    /// Copies the elements into an array of the first source's dtype and shape, in the order of the stream.
    pub fn read_into<T: Element>(&self, array: &mut Array<T>, stream: Option<&Stream>) -> Result<()> {
        let mut into = array.raw();
        check(unsafe { tenon_texture_read(self.raw(), raw_stream(stream), &mut into) })
    }

    /// The argument for a kernel that writes the texture. The launch fails if it was not made with
    /// [`TextureOptions::surface`].
    pub fn surface(&mut self) -> Surface<'_> {
        Surface { texture: self.raw(), borrowed: PhantomData }
    }

    pub fn info(&self) -> Result<TextureInfo> {
        let mut info = tenon_texture_info::new();
        check(unsafe { tenon_texture_get_info(self.raw(), &mut info) })?;
        Ok(TextureInfo {
            dtype: info.dtype,
            dimensions: info.dimensions,
            channels: info.channels,
            layered: info.layered != 0,
            cube: info.cube != 0,
            surface: info.surface != 0,
            shared: info.shared != 0,
            extents: [info.width, info.height, info.depth],
            layers: info.layers,
        })
    }

    pub fn device(&self) -> Result<Device> {
        Handle::made(|out| unsafe { tenon_texture_device(self.raw(), out) }).map(Device)
    }

    pub(crate) fn raw(&self) -> *mut tenon_texture {
        self.handle.raw()
    }
}

impl std::fmt::Debug for Texture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.info() {
            Ok(info) => write!(f, "Texture({info:?})"),
            Err(error) => write!(f, "Texture({error})"),
        }
    }
}
