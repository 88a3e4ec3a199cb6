/* abi/python/core/arguments.hpp: Python's values as the arguments of kernels and operations. */
#pragma once

#include <algorithm>
#include <array>

#include "exchange.hpp"
#include "handle.hpp"

namespace tenon_python {

/* The arguments of one call, and what has to live until it is over. Whatever is not an array, a number that its
 * parameter takes without a question, or a tensor that comes in by a table is left to Python, which also has the words
 * for what is wrong. */
struct Arguments {
  static constexpr Py_ssize_t most = 32;
  tenon_arg values[most];
  Array* own[most];                  /* Tenon's arrays; borrowed from the caller */
  tenon_array* imported[most];       /* others', made for this call: no Python object stands for them */
  Tensor views[most];                /* of tensors whose memory the call borrows; not set for other arguments */
  bool borrowed[most];               /* without an array */
  bool lent[most];                   /* `imported` is of memory on the CPU that it does not keep */
  bool borrows = false;              /* there are such arguments */
  Py_ssize_t first = -1, behind = 0; /* the first array; one behind the last that was imported */
  bool resolved = false;             /* given: PyTorch's dispatcher has made real what is_neg() and is_conj() ask for */
  bool wants_gradient = false;       /* a tensor was not taken, as PyTorch wants a derivative of it */

  /* Room for `count` of them; the rest is not even cleared. */
  explicit Arguments(Py_ssize_t count = most) {
    std::fill_n(values, count, tenon_arg{});
    std::fill_n(own, count, nullptr);
    std::fill_n(imported, count, nullptr);
    std::fill_n(borrowed, count, false);
    std::fill_n(lent, count, false);
  }
  Arguments(const Arguments&) = delete;
  ~Arguments();

  /* Takes the value as argument `index` if it is an array, of Tenon's or of a library with an exchange table. False: it
   * is something else, or (with an exception) it failed. */
  bool take_array(Py_ssize_t index, PyObject* value);
  /* The same for a call that only reads it, has no stream that is being recorded, and returns none of its memory. */
  bool read_array(Py_ssize_t index, PyObject* value) { return take(index, value, true); }
  /* The same for a plain tensor, without making an array of it; false without an exception. */
  bool borrow(Py_ssize_t index, PyObject* value);
  bool is_array(Py_ssize_t index) const { return own[index] || imported[index] || borrowed[index]; }
  /* What the array is, until the next question; NULL with an exception on failure. */
  const tenon_array_info* info(Py_ssize_t index);
  /* Its dtype; 0 with an exception on failure. */
  uint32_t dtype(Py_ssize_t index);
  /* Gives back what was imported; without the GIL, as its owners' deleters take it themselves. */
  void release();

 private:
  bool take(Py_ssize_t index, PyObject* value, bool reads);

  tenon_array_info info_;
};

/* Writes a Python int or float as a number of the dtype; false when it does not fit, or another kind of number is
 * needed. */
bool take_number(tenon_arg* out, uint32_t dtype, PyObject* value);

/* Counts a write into PyTorch's tensors, as its own in-place operations do. */
class Written {
 public:
  void add(PyObject* tensor);
  bool count(); /* false with an exception */

 private:
  Ref tensors_;
};

/* Whether a graph is being recorded: then Python keeps account of what is launched. */
bool is_recording();

/* The object's own method of that (interned) name does it in Python. */
PyObject* in_python(PyObject* self, PyObject* name, PyObject* arguments, PyObject* keywords);

int add_kernel_types(PyObject* module);
int add_operation_type(PyObject* module);

}  // namespace tenon_python
