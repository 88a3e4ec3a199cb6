"""Tenon from Python, on a photograph: one memory shared by NumPy, PyTorch, JAX and Tenon, a CUDA kernel, SVD and FFT.

Usage: main.py [DEVICE] [FOLDER]. The photograph (Eileen Collins, NASA, public domain) comes with scikit-image. Saves
example.png into FOLDER (build/ by default): the photograph, what rank 30 leaves of it, blurred, and its edges.
"""

import importlib.util
import pathlib
import sys
import time

import numpy
import skimage.data
from PIL import Image

import tenon
from report import check, exit_code, timed

EDGES = r"""
// Sobel: the length of the gradient of each colour, clamped at the border. One thread a pixel, rgb interleaved.
extern "C" __global__ void edges(const float* picture, float* out, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int left = max(x - 1, 0), right = min(x + 1, width - 1), up = max(y - 1, 0), down = min(y + 1, height - 1);
  for (int c = 0; c < 3; c++) {
    #define AT(row, column) picture[((row) * width + (column)) * 3 + c]
    float gx = AT(up, right) + 2 * AT(y, right) + AT(down, right) - AT(up, left) - 2 * AT(y, left) - AT(down, left);
    float gy = AT(down, left) + 2 * AT(down, x) + AT(down, right) - AT(up, left) - 2 * AT(up, x) - AT(up, right);
    out[(y * width + x) * 3 + c] = fminf(sqrtf(gx * gx + gy * gy) / 2, 1.0f);
  }
}
"""


def share_with_numpy(photograph):
    """NumPy's memory is Tenon's, and the other way round."""
    host = photograph.copy()
    array = tenon.from_dlpack(host)
    check("NumPy -> Tenon: the same address", array.data_ptr == host.ctypes.data, hex(array.data_ptr))
    host[7, 11, 2] = 0.125
    check("  written by NumPy, read by Tenon", array[7, 11, 2].item() == 0.125)
    array[100:120, 200] = 0.75
    check("  written by Tenon, read by NumPy", bool((host[100:120, 200] == 0.75).all()))
    back = numpy.from_dlpack(tenon.zeros((4, 5), "float32", device="cpu:0"))
    check("Tenon -> NumPy: writable, of its own lifetime", back.flags.writeable and not back.any())


def share_with_torch(photograph, device):
    if importlib.util.find_spec("torch") is None:
        print("  PyTorch is not installed: left out")
        return
    import torch

    if device.kind == "cuda" and not torch.cuda.is_available():
        print("  this PyTorch has no CUDA: shared on the CPU instead")
        device = tenon.Device("cpu:0")
    tensor = torch.from_numpy(photograph.copy()).to(device.kind)
    array = tenon.from_dlpack(tensor)
    check("PyTorch -> Tenon: the same address", array.data_ptr == tensor.data_ptr(), hex(array.data_ptr))
    out = torch.empty_like(tensor)
    height, width, _ = tensor.shape
    tenon.Kernel(EDGES, "edges")((width // 32, height // 8), (32, 8), [tensor, out, height, width])
    device.synchronize()
    same = torch.from_dlpack(tenon.from_dlpack(out))
    check("  a CUDA C kernel wrote into a tensor", float(out.mean()) > 0.01, f"mean {float(out.mean()):.4f}")
    check("Tenon -> PyTorch: the same address", same.data_ptr() == out.data_ptr(), hex(out.data_ptr()))


def share_with_jax(device):
    if importlib.util.find_spec("jax") is None:
        print("  JAX is not installed: left out")
        return
    import jax

    theirs = jax.device_put(jax.numpy.arange(4096, dtype="float32"), jax.devices("cpu")[0])
    array = tenon.from_dlpack(theirs)
    check("JAX -> Tenon: the same address", array.data_ptr == theirs.unsafe_buffer_pointer(), hex(array.data_ptr))
    ours = tenon.full((64, 64), 3, "float32", device="cpu:0")
    theirs = jax.dlpack.from_dlpack(ours)
    check("Tenon -> JAX: the same address", theirs.unsafe_buffer_pointer() == ours.data_ptr and float(theirs.sum()) == 3 * 4096)


def find_edges(picture):
    """The kernel above on the picture, compared with the same in NumPy."""
    height, width, _ = picture.shape
    out = tenon.empty_like(picture)
    kernel = tenon.Kernel(EDGES, "edges")

    def run():
        kernel((-(-width // 32), -(-height // 8)), (32, 8), [picture, out, height, width])
        return out

    _, took = timed(run)
    p = numpy.pad(picture.numpy().astype("float64"), ((1, 1), (1, 1), (0, 0)), mode="edge")
    gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    error = numpy.abs(out.numpy() - numpy.minimum(numpy.hypot(gx, gy) / 2, 1)).max()
    check(f"edges by a CUDA C kernel, {took}", error < 1e-6, f"error {error:.1e}")
    return out


def approximate(picture, rank):
    """The nearest picture of that rank, colour by colour: the colours are a batch of matrices."""
    colours = picture.transpose(2, 0, 1)
    start = time.perf_counter()
    u, s, vh = tenon.svd(colours, full_matrices=False)
    took = 1e3 * (time.perf_counter() - start)
    scaled = u[:, :, :rank].copy()
    scaled[...] = u[:, :, :rank].numpy() * s[:, None, :rank].numpy()
    result = (scaled @ vh[:, :rank]).transpose(1, 2, 0)
    # Eckart and Young: the squared distance is the sum of the squares of what was left out.
    values = s.numpy().astype("float64")
    expected = numpy.sqrt((values[:, rank:] ** 2).sum())
    distance = numpy.linalg.norm(result.numpy().astype("float64") - picture.numpy())
    check(f"rank {rank} of {values.shape[1]} by SVD, {took:.0f} ms", abs(distance - expected) < 1e-4 * expected,
          f"leaves out {distance / numpy.linalg.norm(values):.1%}")
    return result


def blur(picture, width):
    """A Gaussian blur: the transform times the Gaussian's, and back."""
    height, length, _ = picture.shape
    fy, fx = numpy.fft.fftfreq(height)[:, None], numpy.fft.fftfreq(length)[None, :]
    response = numpy.exp(-2 * (numpy.pi * width) ** 2 * (fx**2 + fy**2)).astype("float32")
    multiply = tenon.Kernel("""__global__ void filter(float2* spectrum, const float* response, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) { float2 s = spectrum[i]; float r = response[i % (n / 3)]; spectrum[i] = make_float2(s.x * r, s.y * r); }
    }""", "filter")
    weights = tenon.asarray(response).to_device(picture.device)

    def run():
        spectrum = tenon.fft2(picture.transpose(2, 0, 1))
        multiply(-(-spectrum.size // 256), 256, [spectrum, weights, spectrum.size])
        return tenon.ifft2(spectrum, out=spectrum).astype("float32").transpose(1, 2, 0)

    result, took = timed(run)
    host = picture.numpy().astype("float64")
    expected = numpy.fft.ifft2(numpy.fft.fft2(host, axes=(0, 1)) * response[..., None], axes=(0, 1)).real
    error = numpy.abs(result.numpy() - expected).max()
    check(f"blur by FFT, width {width} pixels, {took}", error < 1e-5, f"error {error:.1e}")
    return result


def main():
    device = tenon.Device(sys.argv[1] if len(sys.argv) > 1 else "best")
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2] / "build")
    photograph = (skimage.data.astronaut() / 255).astype("float32")
    print(f"Tenon {tenon.__version__} from Python on {device} ({device.description})")
    share_with_numpy(photograph)
    share_with_torch(photograph, device)
    share_with_jax(device)

    picture = tenon.asarray(photograph).to_device(device)
    pictures = [picture, approximate(picture, 30), blur(picture, 6), find_edges(picture)]
    side_by_side = numpy.concatenate([numpy.clip(p.numpy(), 0, 1) for p in pictures], axis=1)
    Image.fromarray((255 * side_by_side + 0.5).astype("uint8")).save(folder / "example.png")
    print(f"  saved {folder / 'example.png'}: the photograph, rank 30, blurred, edges")
    return exit_code()


if __name__ == "__main__":
    sys.exit(main())
