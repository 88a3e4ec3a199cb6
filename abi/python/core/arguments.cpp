/* abi/python/core/arguments.cpp: Python's values as the arguments of kernels and operations. */
#include "arguments.hpp"

#include <cmath>
#include <limits>

#include "direct.hpp"
#include "torch_facts.hpp"

namespace tenon_python {

bool Arguments::take_array(Py_ssize_t index, PyObject* value) { return take(index, value, false); }

bool Arguments::take(Py_ssize_t index, PyObject* value, bool reads) {
  tenon_array* array;
  if (tenon_python::is_array(value)) {
    own[index] = reinterpret_cast<Array*>(value);
    array = own[index]->get();
  } else {
    if (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) return false;
    array = imported[index] = import_array(value, resolved, &wants_gradient, reads ? &views[index] : nullptr);
    if (!array) return false;
    lent[index] = reads && views[index].device_type;
    behind = index + 1;
  }
  borrowed[index] = false;
  if (first < 0) first = index;
  values[index] = {TENON_ARG_ARRAY, 0, 0, {array}};
  return true;
}

bool Arguments::borrow(Py_ssize_t index, PyObject* value) {
  if (!tenon_python::borrow(value, &views[index])) return false;
  borrowed[index] = borrows = true;
  if (first < 0) first = index;
  return true;
}

const tenon_array_info* Arguments::info(Py_ssize_t index) {
  if (own[index]) return info_of(own[index]);
  info_ = {};
  info_.struct_size = sizeof info_;
  int32_t status = api->array_get_info(imported[index], &info_);
  if (status) fail(status);
  return status ? nullptr : &info_;
}

uint32_t Arguments::dtype(Py_ssize_t index) {
  if (lent[index]) return TENON_DTYPE(views[index].code, views[index].bits, views[index].lanes);
  const tenon_array_info* found = info(index);
  return found ? found->dtype : 0;
}

void Arguments::release() {
  for (Py_ssize_t i = 0; i < behind; i++)
    if (imported[i]) api->array_release(std::exchange(imported[i], nullptr));
  behind = 0;
}

Arguments::~Arguments() {
  if (behind == 0) return;
  Unlocked unlocked;
  release();
}

namespace {

template <class T> bool take_integer(tenon_arg* out, PyObject* value, T* place) {
  if (!PyLong_CheckExact(value)) return false;
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow || number < static_cast<long long>(std::numeric_limits<T>::min())) return false;
  if constexpr (sizeof(T) < 8)
    if (number > static_cast<long long>(std::numeric_limits<T>::max())) return false;
  *place = static_cast<T>(number);
  out->size = sizeof(T);
  return true;
}

bool real_of(PyObject* value, double* out) {
  if (!PyFloat_CheckExact(value) && !PyLong_CheckExact(value)) return false;
  *out = PyFloat_AsDouble(value);
  if (*out != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

bool take_float(tenon_arg* out, PyObject* value) {
  double number;
  if (!real_of(value, &number)) return false;
  out->value.f32 = static_cast<float>(number);
  out->size = 4;
  return !std::isinf(out->value.f32) || std::isinf(number);
}

bool take_double(tenon_arg* out, PyObject* value) {
  out->size = 8;
  return real_of(value, &out->value.f64);
}

}  // namespace

bool take_number(tenon_arg* out, uint32_t dtype, PyObject* value) {
  out->kind = TENON_ARG_SCALAR;
  out->dtype = dtype;
  switch (dtype) {
    case TENON_INT8: return take_integer(out, value, &out->value.i8);
    case TENON_INT16: return take_integer(out, value, &out->value.i16);
    case TENON_INT32: return take_integer(out, value, &out->value.i32);
    case TENON_INT64: return take_integer(out, value, &out->value.i64);
    case TENON_UINT8: return take_integer(out, value, &out->value.u8);
    case TENON_UINT16: return take_integer(out, value, &out->value.u16);
    case TENON_UINT32: return take_integer(out, value, &out->value.u32);
    case TENON_UINT64: return take_integer(out, value, &out->value.u64);  // from 2^63 on: Python's
    case TENON_FLOAT32: return take_float(out, value);
    case TENON_FLOAT64: return take_double(out, value);
    default: return false;
  }
}

namespace {

/* PyTorch's own functions for it; NULL each where this version has none, and Python knows another way. */
struct Counter {
  PyObject* increment = nullptr;
  Method is_inference;

  static Counter& get() {
    static Counter known = [] {
      Counter found;
      Ref torch(PyImport_ImportModule("torch")), core(PyImport_ImportModule("torch._C"));
      Ref type(torch ? PyObject_GetAttrString(torch.get(), "Tensor") : nullptr);
      found.increment = core ? PyObject_GetAttrString(core.get(), "_increment_version") : nullptr;
      if (type) found.is_inference = Method(type.get(), "is_inference");
      PyErr_Clear();
      return found;
    }();
    return known;
  }
};

}  // namespace

void Written::add(PyObject* tensor) {
  if (const TorchFacts* facts = is_plain_tensor(Py_TYPE(tensor)) ? TorchFacts::get() : nullptr) {
    if (!facts->is_inference(tensor)) facts->count_write(tensor);
    return;
  }
  Counter& counter = Counter::get();
  if (counter.is_inference) {  // such tensors have no counter
    Ref inference(counter.is_inference(tensor));
    if (!inference || inference.get() == Py_True) return;
  }
  if (!tensors_) tensors_ = Ref(PyList_New(0));
  if (tensors_) PyList_Append(tensors_.get(), tensor);
}

bool Written::count() {
  if (PyErr_Occurred()) return false;
  if (!tensors_) return true;
  const Counter& counter = Counter::get();
  if (counter.increment && counter.is_inference) {
    if (Ref(PyObject_CallFunctionObjArgs(counter.increment, tensors_.get(), nullptr))) return true;
    PyErr_Clear();  // an older version, which takes one tensor
  }
  return static_cast<bool>(Ref(PyObject_CallFunctionObjArgs(hook(Hook::written), tensors_.get(), nullptr)));
}

bool is_recording() { return PyDict_Size(hook(Hook::recording)) != 0; }

PyObject* in_python(PyObject* self, PyObject* name, PyObject* arguments, PyObject* keywords) {
  Ref method(PyObject_GetAttr(self, name));
  return method ? PyObject_Call(method.get(), arguments, keywords) : nullptr;
}

}  // namespace tenon_python
