// backend/cpu/run/switch.cpp: switching between stacks on x86-64 (System V).
#include "backend/cpu/run/switch.hpp"
#include <cstdint>

#if defined(__x86_64__)

// tenon_cpu_switch is an ordinary function for its callers. tenon_cpu_leave may be reached from anywhere in a kernel:
// the direction flag and the x87 stack may then be in the state of an interrupted copy or calculation, and
// tenon_cpu_run sets the control words.
asm(R"(
.text
.p2align 4
.globl tenon_cpu_run
.hidden tenon_cpu_run
.type tenon_cpu_run,@function
tenon_cpu_run:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rdx, %rdi
  call *%rsi
  xorl %eax, %eax
.Ltenon_cpu_back:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size tenon_cpu_run, .-tenon_cpu_run

.p2align 4
.globl tenon_cpu_leave
.hidden tenon_cpu_leave
.type tenon_cpu_leave,@function
tenon_cpu_leave:
  movq %rdi, %rsp
  leaq 48(%rsp), %rbp
  movl %esi, %eax
  cld
  emms
  jmp .Ltenon_cpu_back
.size tenon_cpu_leave, .-tenon_cpu_leave

.p2align 4
.globl tenon_cpu_switch
.hidden tenon_cpu_switch
.type tenon_cpu_switch,@function
tenon_cpu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  leaq .Ltenon_cpu_resumed(%rip), %rax
  pushq %rax
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %rax
  jmpq *%rax
.Ltenon_cpu_resumed:
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tenon_cpu_switch, .-tenon_cpu_switch

.p2align 4
.globl tenon_cpu_jump
.hidden tenon_cpu_jump
.type tenon_cpu_jump,@function
tenon_cpu_jump:
  movq %rdi, %rsp
  popq %rax
  jmpq *%rax
.size tenon_cpu_jump, .-tenon_cpu_jump

.p2align 4
.type tenon_cpu_begin,@function
tenon_cpu_begin:
  .cfi_startproc
  .cfi_undefined rip
  popq %rax
  popq %rdi
  call *%rax
  ud2
  .cfi_endproc
.size tenon_cpu_begin, .-tenon_cpu_begin
.globl tenon_cpu_begin
.hidden tenon_cpu_begin
)");

extern "C" void tenon_cpu_begin();

namespace tenon::cpu {

// Above the returned place are, from low addresses: the address to jump to, the function that tenon_cpu_begin calls,
// and its argument. At that call, the stack is aligned as the ABI requires.
void* switch_start(void* top, void (*entry)(void*), void* argument) {
  auto* at = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(63)) - 2;
  *--at = reinterpret_cast<uint64_t>(argument);
  *--at = reinterpret_cast<uint64_t>(entry);
  *--at = reinterpret_cast<uint64_t>(&tenon_cpu_begin);
  return at;
}

}  // namespace tenon::cpu

#else

// Kernels cannot be compiled here (kernel_compile refuses), so these are never called.
extern "C" {
int tenon_cpu_run(void**, void (*)(void*), void*) { __builtin_trap(); }
void tenon_cpu_leave(void*, int) { __builtin_trap(); }
void tenon_cpu_switch(void**, void*) { __builtin_trap(); }
void tenon_cpu_jump(void*, tenon_fiber*) { __builtin_trap(); }
}
namespace tenon::cpu {
void* switch_start(void*, void (*)(void*), void*) { return nullptr; }
}  // namespace tenon::cpu

#endif
