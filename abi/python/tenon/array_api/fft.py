"""The standard's extension for Fourier transforms, with Tenon's own functions."""

from .._fft import (fft, fftfreq, fftn, fftshift, hfft, ifft, ifftn, ifftshift, ihfft, irfft, irfftn, rfft, rfftfreq,
                    rfftn)

NAMES = ("fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
         "rfftfreq", "rfftn")
__all__ = list(NAMES)
