/* abi/python/core/operation.hpp: what a description of parameters becomes, and one call by it. */
#pragma once

#include <vector>

#include "arguments.hpp"

namespace tenon_python {

enum class Role { in, inout, scalar, out, any /* an array or a number */ };

struct Parameter {
  PyObject* name; /* interned; owned */
  Role role;
  PyObject* type;                 /* of a placeholder: its name, interned and owned; else NULL */
  uint32_t dtype;                 /* of a number; 0: the placeholder decides */
  bool optional, here;            /* may be left out, an array as None; a number of it can be packed in this file */
  bool several;                   /* a list of numbers, or one number for all entries */
  std::vector<PyObject*> choices; /* the words that stand for the numbers 0, 1 ...; interned and owned */
};

/* The functions of the library that a kind of description is called by. */
struct Functions {
  int32_t (*output)(void* self, const tenon_arg* args, int32_t count, int32_t index, tenon_stream* stream,
                    tenon_array** out);
  int32_t (*call)(void* self, const tenon_arg* args, int32_t count, tenon_stream* stream);
  bool inputs_only; /* `output` is told the inputs alone, which come before the outputs */
};

struct Plan {
  std::vector<Parameter> parameters;
  std::vector<int> positional; /* parameters by their place in a call */
  std::vector<int> outputs;
  int first = -1; /* the array whose library the results are of; -1: of any input */
  Functions functions;

  ~Plan() {
    for (const Parameter& one : parameters) {
      Py_XDECREF(one.name);
      Py_XDECREF(one.type);
      for (PyObject* choice : one.choices) Py_XDECREF(choice);
    }
  }

  int find(PyObject* name) const {
    for (size_t i = 0; i < parameters.size(); i++)
      if (parameters[i].name == name && parameters[i].role != Role::out) return static_cast<int>(i);
    for (size_t i = 0; i < parameters.size(); i++)
      if (parameters[i].role != Role::out && PyUnicode_Compare(parameters[i].name, name) == 0)
        return static_cast<int>(i);
    return -1;
  }
};

struct Operation {
  Handle base;
  Plan* plan; /* NULL: not described, so that Python calls it */
};

/* The numbers of the lists of one call. */
struct Lists {
  static constexpr Py_ssize_t most = 4, longest = 16; /* others are packed in Python */
  uint64_t numbers[most][longest];
  Py_ssize_t taken = 0;
};

struct Call {
  const Plan& plan;
  PyObject* given[Arguments::most] = {}; /* borrowed, by parameter */
  PyObject* out = nullptr;
  bool none_is_absent = false; /* of any parameter, as in PyTorch's schemas */
  bool writes_tensors = false; /* an `inout` argument is one of PyTorch's tensors */
  Arguments taken;
  Lists lists;

  explicit Call(const Plan& described) : plan(described), taken(static_cast<Py_ssize_t>(described.parameters.size())) {}

  /* Each of these is false where Python has to do the call, or (with an exception) failed. */
  bool read(PyObject* arguments, PyObject* keywords, Py_ssize_t start = 0); /* start: the first of the arguments */
  bool read_outputs_behind(PyObject* arguments, Py_ssize_t inputs);
  bool is_complete(); /* read() asks for it */
  bool take_arrays();
  bool take_numbers();

  bool take_choice(size_t index);
  bool take_list(size_t index);

  bool take_number(size_t index) {
    const Parameter& one = plan.parameters[index];
    if (!one.choices.empty() && PyUnicode_CheckExact(given[index])) return take_choice(index);
    if (one.several) return take_list(index);
    uint32_t dtype = one.dtype;
    for (size_t i = 0; !dtype && i < plan.parameters.size(); i++)  // what an array with the same placeholder is
      if (plan.parameters[i].type == one.type && taken.is_array(i)) dtype = taken.dtype(static_cast<Py_ssize_t>(i));
    return one.here && dtype && tenon_python::take_number(&taken.values[index], dtype, given[index]);
  }

  /* The array whose library new outputs are of; NULL: they are Tenon's. Elementwise functions take it from any
   * input. */
  PyObject* like() const {
    if (plan.first >= 0) return given[plan.first];
    for (size_t i = 0; i < plan.parameters.size(); i++)
      if (given[i] && !taken.own[i] && counts_writes(Py_TYPE(given[i]))) return given[i];
    return nullptr;
  }

  bool count_writes();
  PyObject* run(void* handle);
  void find_stream(FrameworkStream& stream);
  int32_t launch(void* handle, tenon_array* (&made)[Arguments::most]);
};

/* An operation as PyTorch's dispatcher calls it. */
struct TorchKernel {
  PyObject_HEAD PyObject* operation;
  PyObject* otherwise; /* what calls go to that are not the common case; with None for keys that are plain */
  PyObject* raw_keys;  /* DispatchKeySet.raw_repr, or NULL: it gets no keys */
  PyObject* tracked; /* like otherwise, for plain calls without keywords that want a derivative; NULL: none is known */
  std::vector<unsigned long long>* plain; /* sets of keys that leave nothing to do but the operation */
};
extern PyTypeObject* torch_kernel_type;

/* (None, the arguments from `start` on): what a node of PyTorch's graph of derivatives is called with. */
Ref behind_none(PyObject* arguments, Py_ssize_t start);

/* The methods of _core.Operation that torch_operation.cpp and torch_call.cpp have. */
PyObject* called_from_torch(PyObject* self, PyObject* arguments);
PyObject* in_torch(PyObject* self, PyObject* arguments);
PyObject* make_forward(PyObject* self, PyObject* arguments);
PyObject* make_backward(PyObject* self, PyObject* arguments);

int add_torch_types();
int add_torch_call_type();

}  // namespace tenon_python
