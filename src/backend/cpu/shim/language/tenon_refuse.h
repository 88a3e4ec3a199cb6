// shim/language/tenon_refuse.h: names that are not available on the CPU, each with its error text. The last header of
// the shim.
#ifndef TENON_REFUSE_H
#define TENON_REFUSE_H

#define asm _Pragma("GCC error \"inline PTX (asm) is not available on the CPU device\"") __asm__
#define __asm _Pragma("GCC error \"inline PTX (asm) is not available on the CPU device\"") __asm__
#define __asm__ _Pragma("GCC error \"inline PTX (asm) is not available on the CPU device\"") __asm__

#endif
