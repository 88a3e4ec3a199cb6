"""A pipeline of image operations on a photograph: filters of the package kernels/image, low rank by SVD, a filter of frequencies.

Usage: gallery.py [DEVICE] [FOLDER]. The photograph (Eileen Collins, NASA, public domain) comes with scikit-image. Saves gallery.png
into FOLDER (build/ by default) and prints what was done, with the times of second calls.
"""

import pathlib
import sys

import numpy
import skimage.data
from PIL import Image, ImageDraw

import tenon
from report import check, exit_code, timed

ROOT = pathlib.Path(__file__).resolve().parents[2]
pictures = []


def show(title, planes):
    """One picture of the gallery: [3, h, w] or [h, w], where 0 is black and 1 is white."""
    values = planes.numpy()
    values = numpy.repeat(values[None], 3, axis=0) if values.ndim == 2 else values
    pictures.append((title, (255 * numpy.clip(values, 0, 1) + 0.5).astype("uint8").transpose(1, 2, 0)))


def distance(a, b):
    """Root mean square."""
    return float(numpy.sqrt(numpy.mean((a.numpy().astype("float64") - b.numpy()) ** 2)))


def blur(image, colours):
    result, took = timed(lambda: image.gaussian_filter(colours, 4.0, axes=2))
    means = abs(result.numpy().mean(dtype="float64") - colours.numpy().mean(dtype="float64"))
    check(f"Gaussian blur, sigma 4, {took}", means < 1e-5, f"mean kept to {means:.0e}")
    show("gaussian_filter, sigma 4", result)


def edges(image, gray):
    length = tenon.elementwise("float32 x, float32 y", "float32 z", "z = sqrt(x * x + y * y) / 2")
    result, took = timed(lambda: length(image.sobel(gray, "x"), image.sobel(gray, "y")))
    p = numpy.pad(gray.numpy().astype("float64"), 1, mode="symmetric")
    gx, gy = p[:, 2:] - p[:, :-2], p[2:] - p[:-2]
    expected = numpy.hypot(gx[:-2] + 2 * gx[1:-1] + gx[2:], gy[:, :-2] + 2 * gy[:, 1:-1] + gy[:, 2:]) / 2
    error = numpy.abs(result.numpy() - expected).max()
    check(f"edges by Sobel, {took}", error < 1e-5, f"error {error:.0e}")
    show("sobel", result)
    add = tenon.elementwise("float32 x, float32 y", "float32 z", "z = x + y")
    spots, took = timed(lambda: add(image.gaussian_filter(gray, 2.0, (2, 0)), image.gaussian_filter(gray, 2.0, (0, 2))))
    check(f"Laplacian of the Gaussian, {took}", abs(spots.numpy().mean()) < 1e-3, f"mean {spots.numpy().mean():.0e}")
    show("second derivatives of gaussian_filter", tenon.asarray(0.5 - 8 * spots.numpy()))


def denoise(image, colours, random):
    spoilt = colours.numpy().copy()
    spoilt[:, random.random(spoilt.shape[1:]) < 0.08] = 0
    spoilt[:, random.random(spoilt.shape[1:]) < 0.08] = 1
    noisy = tenon.asarray(spoilt).to_device(colours.device)
    result, took = timed(lambda: image.median_filter(noisy, 3))
    before, after = distance(noisy, colours), distance(result, colours)
    check(f"median of 3 x 3, {took}", after < 0.3 * before, f"error {before:.3f} -> {after:.3f}")
    show("16 % of the pixels lost", noisy)
    show("median_filter", result)


def low_rank(colours, rank):
    u, s, vh = tenon.svd(colours, full_matrices=False)
    scaled = tenon.elementwise("float32 u, float32 s", "float32 z", "z = u * s")(u[:, :, :rank], s[:, None, :rank])
    result = scaled @ vh[:, :rank]
    left_out = float(numpy.sqrt((s.numpy()[:, rank:].astype("float64") ** 2).sum()))
    is_ = distance(result, colours) * colours.size**0.5
    check(f"rank {rank} of {s.shape[1]} by SVD", abs(is_ - left_out) < 1e-3 * left_out, f"leaves out {left_out / numpy.linalg.norm(s.numpy()):.1%}")
    show(f"rank {rank} by SVD", result)


def notch(gray):
    """Stripes over the picture, and their frequency taken out again."""
    h, w = gray.shape
    stripes = 0.25 * numpy.sin(2 * numpy.pi * (numpy.arange(h)[:, None] * 32 / h + numpy.arange(w) * 48 / w))
    spoilt = tenon.asarray((gray.numpy() + stripes).astype("float32")).to_device(gray.device)
    fy, fx = h * numpy.fft.fftfreq(h)[:, None], numpy.arange(w // 2 + 1)[None, :]
    keep = tenon.asarray((numpy.hypot(fy - 32, fx - 48) > 2).astype("float32")).to_device(gray.device)
    multiply = tenon.elementwise("complex64 s, float32 k", "complex64 z", "z = s * k")
    result, took = timed(lambda: tenon.irfft2(multiply(tenon.rfft2(spoilt), keep), s=(h, w)))
    before, after = distance(spoilt, gray), distance(result, gray)
    check(f"one frequency taken out by FFT, {took}", after < 0.05 * before, f"error {before:.3f} -> {after:.4f}")
    show("stripes", spoilt)
    show("filter of frequencies by FFT", result)


def shapes(image, gray):
    opened, took = timed(lambda: image.opening(gray, 9))
    check(f"opening by 9 x 9, {took}", (opened.numpy() <= gray.numpy()).all(), "never brighter")
    show("opening, 9 x 9", opened)
    bars = image.histogram(gray, 64, 0.0, 1.0)
    check("histogram", int(bars.numpy().sum()) == gray.size, f"{gray.size} pixels")
    heights = bars.numpy() / (1.1 * numpy.sort(bars.numpy())[-2])  # black, which most pixels of the shadows are, would leave no room for the others
    rows = numpy.arange(gray.shape[0])[::-1, None] / gray.shape[0]
    show("histogram of the brightness", tenon.asarray(numpy.where(numpy.repeat(heights, gray.shape[1] // 64)[None] > rows, 0.2, 0.95).astype("float32")))


def smaller(image, colours):
    h, w = colours.shape[1:]
    little, took = timed(lambda: image.resize(colours, h // 8, w // 8, "area"))
    back = image.resize(little, h, w, "bicubic")
    means = abs(little.numpy().mean(dtype="float64") - colours.numpy().mean(dtype="float64"))
    check(f"an eighth of the size by area, {took}", means < 1e-5, f"mean kept to {means:.0e}")
    show("resize to 1/8 by area, back by bicubic", back)


def save(path, columns=4):
    h, w = pictures[0][1].shape[:2]
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * w, rows * (h + 24)), "white")
    draw = ImageDraw.Draw(sheet)
    for i, (title, values) in enumerate(pictures):
        x, y = i % columns * w, i // columns * (h + 24)
        draw.text((x + 6, y + 5), title, fill="black", font_size=14)
        sheet.paste(Image.fromarray(values), (x, y + 24))
    sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS).save(path)


def main():
    device = tenon.Device(sys.argv[1] if len(sys.argv) > 1 else "best")
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "build")
    image = tenon.plugins.load(ROOT / "kernels" / "image")
    print(f"Tenon {tenon.__version__}, {image.name} {image.version} on {device} ({device.description})")
    photograph = tenon.asarray(skimage.data.astronaut()).to_device(device)
    planes = photograph.transpose(2, 0, 1).astype("float32")
    colours = tenon.elementwise("float32 x", "float32 y", "y = x / 255")(planes)
    gray = image.rgb_to_gray(colours)
    show("the photograph", colours)
    blur(image, colours)
    edges(image, gray)
    denoise(image, colours, numpy.random.default_rng(7))
    low_rank(colours, 30)
    shapes(image, gray)
    notch(gray)
    smaller(image, colours)
    save(folder / "gallery.png")
    print(f"  saved {folder / 'gallery.png'}")
    return exit_code()


if __name__ == "__main__":
    sys.exit(main())
