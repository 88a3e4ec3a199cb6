/* abi/python/core/kernel.cpp: launches. _core.CompiledKernel is a kernel on one device, _core.Kernel one that runs
 * wherever its arguments are, _core.Call a bound call; the classes of the package are derived from them.
 *
 * Here is the common case: a grid and a block of integers, a list or tuple of arrays and numbers, the default stream or
 * one of Tenon. Anything else goes to the method _launch, in Python, as the whole call; nothing has been launched
 * then. */
#include "arguments.hpp"

#include <atomic>
#include <vector>

namespace tenon_python {

namespace {

struct KernelParameter {
  int32_t kind;
  uint32_t dtype;
  bool read_only, any_dtype; /* any_dtype: a pointer to void */
};

struct CompiledKernel {
  Handle base;
  std::vector<KernelParameter>* parameters; /* NULL: not described, so that Python launches it */
  int32_t device_kind, device_index;
};

struct Place {
  int32_t kind, index, memory;
  PyObject* kernel; /* owned */
};

struct Kernel {
  PyObject_HEAD std::vector<Place>* places; /* what it was compiled for; locked by the kernel */
};

struct BoundCall {
  Handle base;
  std::atomic<bool> plain; /* writes to no tensor of PyTorch, and its faults are not asked for after each launch */
};

PyTypeObject *compiled_type, *kernel_type, *call_type;
PyObject* kernel_launch_name;

// --- the parts of a call ---

bool take_extent(PyObject* value, uint32_t* out) {
  if (!PyLong_CheckExact(value)) return false;
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow || number < 1 || number > UINT32_MAX) return false;
  *out = static_cast<uint32_t>(number);
  return true;
}

bool take_extents(PyObject* value, uint32_t out[3]) {
  out[0] = out[1] = out[2] = 1;
  if (!PyTuple_CheckExact(value)) return take_extent(value, out);
  Py_ssize_t count = PyTuple_Size(value);
  if (count < 1 || count > 3) return false;
  for (Py_ssize_t i = 0; i < count; i++)
    if (!take_extent(PyTuple_GetItem(value, i), out + i)) return false;
  return true;
}

bool take_stream(PyObject* keywords, tenon_stream** out) {
  *out = nullptr;
  if (!keywords || PyDict_Size(keywords) == 0) return true;
  static PyObject* name = PyUnicode_InternFromString("stream");
  PyObject* stream = PyDict_Size(keywords) == 1 ? PyDict_GetItemWithError(keywords, name) : nullptr;
  if (stream == Py_None) return true;
  if (!stream || !is_handle(stream)) return false;
  Handle* handle = reinterpret_cast<Handle*>(stream);
  if (!handle->handle || handle->release != reinterpret_cast<Release>(api->stream_release)) return false;
  *out = static_cast<tenon_stream*>(handle->handle);
  return true;
}

struct Launch {
  tenon_launch geometry = {};
  tenon_stream* stream = nullptr;
  Elements given; /* the list may be changed while the library works: this keeps what is in it */
  PyObject* items[Arguments::most];
  Py_ssize_t count = 0;

  /* False: not the common case. */
  bool read(PyObject* arguments, PyObject* keywords) {
    Py_ssize_t parts = PyTuple_Size(arguments);
    if (parts != 2 && parts != 3) return false;
    geometry.struct_size = sizeof geometry;
    if (!take_extents(PyTuple_GetItem(arguments, 0), geometry.grid) ||
        !take_extents(PyTuple_GetItem(arguments, 1), geometry.block))
      return false;
    if (!take_stream(keywords, &stream)) return false;
    return parts == 2 || read_values(PyTuple_GetItem(arguments, 2));
  }

  bool read_values(PyObject* sequence) {
    if (!given.take(sequence) || given.count() > Arguments::most) return false;
    count = given.count();
    for (Py_ssize_t i = 0; i < count; i++) items[i] = given[i];
    return true;
  }

  /* The arrays among the arguments. False: something else has to be done in Python, or (with an exception) it
   * failed. The memory of plain tensors is borrowed where nothing but an address has to be passed. */
  bool take_arrays(Arguments& taken) const {
    bool asked = false;  // whether PyTorch has to see the call
    for (Py_ssize_t i = 0; i < count; i++) {
      if (PyLong_CheckExact(items[i]) || PyFloat_CheckExact(items[i])) continue;
      if (PyTypeObject* type = Py_TYPE(items[i]); counts_writes(type)) {
        if (!is_plain_tensor(type) || (!std::exchange(asked, true) && !is_left_alone())) return false;
        if (taken.borrow(i, items[i])) continue;
      }
      if (!take_array(taken, i)) return false;
    }
    return !taken.borrows || is_in_order(taken) || import_borrowed(taken);
  }

  bool take_array(Arguments& taken, Py_ssize_t i) const {
    if (!taken.take_array(i, items[i])) return false;
    if (taken.own[i]) return true;
    // another library's without axes: for most parameters it is a number
    const tenon_array_info* info = taken.info(i);
    return info && info->rank != 0;
  }

  /* Whether borrowed memory needs no order but that of PyTorch's current stream, on which the launch then is: no array
   * of another owner takes part, all are on one device, and no other stream was asked for. On the CPU there is one
   * order for all. */
  bool is_in_order(const Arguments& taken) const {
    const Tensor* known = nullptr;
    bool others = false;
    for (Py_ssize_t i = 0; i < count; i++) {
      others = others || taken.own[i] || taken.imported[i];
      if (!taken.borrowed[i]) continue;
      const Tensor& one = taken.views[i];
      if (known && (known->device_type != one.device_type || known->device_id != one.device_id)) return false;
      known = &one;
    }
    return known->device_type == dl_cpu || (!others && !stream);
  }

  /* Makes arrays of the tensors whose memory was borrowed. */
  bool import_borrowed(Arguments& taken) const {
    taken.borrows = false;
    for (Py_ssize_t i = 0; i < count; i++)
      if (taken.borrowed[i] && !take_array(taken, i)) return false;
    return true;
  }

  /* Passes borrowed memory by its address, where the library would take an array of it for the parameter. */
  bool take_borrowed(Arguments& taken, const CompiledKernel& kernel) const {
    if (!taken.borrows) return true;
    for (Py_ssize_t i = 0; i < count; i++) {
      if (!taken.borrowed[i]) continue;
      const Tensor& one = taken.views[i];
      const KernelParameter* parameter =
          i < static_cast<Py_ssize_t>(kernel.parameters->size()) ? &(*kernel.parameters)[i] : nullptr;
      if (!parameter || parameter->kind != TENON_PARAMETER_POINTER ||
          !(parameter->any_dtype || parameter->dtype == TENON_DTYPE(one.code, one.bits, one.lanes)) ||
          one.device_type != kernel.device_kind || (one.device_type == dl_cuda && one.device_id != kernel.device_index))
        return import_borrowed(taken);  // the library takes more, or says what is wrong
      taken.values[i] = {TENON_ARG_POINTER, 0, 0, {}};
      taken.values[i].value.pointer = static_cast<char*>(one.data) + one.byte_offset;
    }
    return true;
  }

  bool take_numbers(Arguments& taken, const std::vector<KernelParameter>& parameters) const {
    for (Py_ssize_t i = 0; i < count; i++) {
      if (taken.is_array(i)) continue;
      if (i >= static_cast<Py_ssize_t>(parameters.size()) || parameters[i].kind != TENON_PARAMETER_SCALAR) return false;
      if (!take_number(&taken.values[i], parameters[i].dtype, items[i])) return false;
    }
    return true;
  }

  PyObject* run(CompiledKernel* kernel, Arguments& taken) const {
    int32_t status = TENON_OK;
    FrameworkStream current;
    if (taken.borrows && kernel->device_kind != TENON_DEVICE_CPU)
      status = current.open(Py_TYPE(items[taken.first]), kernel->device_index);
    if (!status) {
      Unlocked unlocked;
      status = api->kernel_launch(static_cast<tenon_kernel*>(kernel->base.handle), &geometry, taken.values,
                                  static_cast<int32_t>(count), current.get() ? current.get() : stream);
      if (!status) taken.release();
    }
    if (status) return fail(status);
    Written written;
    const std::vector<KernelParameter>& parameters = *kernel->parameters;
    for (Py_ssize_t i = 0; i < count && i < static_cast<Py_ssize_t>(parameters.size()); i++)
      if ((taken.values[i].kind == TENON_ARG_ARRAY || taken.borrowed[i]) && !taken.own[i] &&
          parameters[i].kind == TENON_PARAMETER_POINTER && !parameters[i].read_only && counts_writes(Py_TYPE(items[i])))
        written.add(items[i]);
    if (!written.count()) return nullptr;
    Py_RETURN_NONE;
  }
};

bool can_launch(CompiledKernel* kernel) { return kernel->base.handle && kernel->parameters && !is_recording(); }

// --- _core.CompiledKernel ---

PyObject* call_compiled(PyObject* self, PyObject* arguments, PyObject* keywords) {
  CompiledKernel* kernel = reinterpret_cast<CompiledKernel*>(self);
  Launch launch;
  Arguments taken;
  if (can_launch(kernel) && launch.read(arguments, keywords) && launch.take_arrays(taken) &&
      launch.take_borrowed(taken, *kernel) && launch.take_numbers(taken, *kernel->parameters))
    return launch.run(kernel, taken);
  return PyErr_Occurred() ? nullptr : in_python(self, kernel_launch_name, arguments, keywords);
}

/* _describe(): from here on it can be launched without Python. */
PyObject* describe_kernel(PyObject* self, PyObject*) {
  CompiledKernel* kernel = reinterpret_cast<CompiledKernel*>(self);
  auto handle = static_cast<tenon_kernel*>(kernel->base.handle);
  int32_t count = 0;
  if (int32_t status = api->kernel_parameter_count(handle, &count)) return fail(status);
  std::vector<KernelParameter> parameters;
  for (int32_t i = 0; i < count; i++) {
    tenon_parameter_info info = {};
    info.struct_size = sizeof info;
    if (int32_t status = api->kernel_get_parameter_info(handle, i, &info)) return fail(status);
    parameters.push_back({info.kind, info.dtype, info.read_only != 0, info.dtype == 0 && info.element_size == 0});
  }
  tenon_device* device = nullptr;
  tenon_device_info its = {};
  its.struct_size = sizeof its;
  int32_t status = api->kernel_device(handle, &device);
  if (!status) status = api->device_get_info(device, &its);
  api->device_release(device);
  if (status) return fail(status);
  kernel->device_kind = its.kind, kernel->device_index = its.index;
  delete kernel->parameters;
  kernel->parameters = new std::vector<KernelParameter>(std::move(parameters));
  Py_RETURN_NONE;
}

void dealloc_compiled(PyObject* self) {
  delete std::exchange(reinterpret_cast<CompiledKernel*>(self)->parameters, nullptr);
  reinterpret_cast<destructor>(PyType_GetSlot(handle_type, Py_tp_dealloc))(self);
}

PyMethodDef compiled_methods[] = {
    {"_describe", describe_kernel, METH_NOARGS, "Reads its parameters, so that it can be launched without Python."},
    {}};
PyType_Slot compiled_slots[] = {{Py_tp_methods, compiled_methods},
                                {Py_tp_call, reinterpret_cast<void*>(call_compiled)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_compiled)},
                                {Py_tp_doc, const_cast<char*>("The compiled part of tenon.CompiledKernel.")},
                                {}};
PyType_Spec compiled_spec = {"tenon._core.CompiledKernel", sizeof(CompiledKernel), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, compiled_slots};

// --- _core.Kernel ---

/* An owned CompiledKernel, or nothing. */
Ref kernel_for(Kernel* self, Arguments& taken) {
  int32_t kind, index, memory;
  if (taken.first < 0) return Ref();
  if (taken.borrowed[taken.first]) {
    const Tensor& view = taken.views[taken.first];
    kind = view.device_type, index = kind == TENON_DEVICE_CPU ? 0 : view.device_id, memory = TENON_MEMORY_DEVICE;
  } else {
    const tenon_array_info* info = taken.info(taken.first);
    if (!info) return Ref();
    kind = info->device_kind, index = info->device_index, memory = info->memory_kind;
  }
  Locked locked(reinterpret_cast<PyObject*>(self));
  if (self->places)
    for (const Place& place : *self->places)
      if (place.kind == kind && place.index == index && place.memory == memory) return Ref::borrowed(place.kernel);
  return Ref();
}

PyObject* call_kernel(PyObject* self, PyObject* arguments, PyObject* keywords) {
  Launch launch;
  Arguments taken;
  if (launch.read(arguments, keywords) && launch.take_arrays(taken)) {
    Ref found = kernel_for(reinterpret_cast<Kernel*>(self), taken);
    CompiledKernel* kernel = reinterpret_cast<CompiledKernel*>(found.get());
    if (kernel && can_launch(kernel) && launch.take_borrowed(taken, *kernel) &&
        launch.take_numbers(taken, *kernel->parameters))
      return launch.run(kernel, taken);
  }
  return PyErr_Occurred() ? nullptr : in_python(self, kernel_launch_name, arguments, keywords);
}

void forget_places(Kernel* self) {
  std::vector<Place>* places;
  {
    Locked locked(reinterpret_cast<PyObject*>(self));
    places = std::exchange(self->places, nullptr);
  }
  if (!places) return;
  for (const Place& place : *places) Py_DECREF(place.kernel);
  delete places;
}

/* _remember(device kind, index, memory kind, kernel): arrays of that place are launched with it from here on. */
PyObject* remember(PyObject* self, PyObject* arguments) {
  Place place;
  if (!PyArg_ParseTuple(arguments, "iiiO", &place.kind, &place.index, &place.memory, &place.kernel)) return nullptr;
  if (!PyType_IsSubtype(Py_TYPE(place.kernel), compiled_type))
    return PyErr_Format(PyExc_TypeError, "a CompiledKernel is needed, not %R", place.kernel);
  Kernel* kernel = reinterpret_cast<Kernel*>(self);
  Locked locked(self);
  if (!kernel->places) kernel->places = new std::vector<Place>;
  Py_INCREF(place.kernel);
  kernel->places->push_back(place);
  Py_RETURN_NONE;
}

PyObject* forget(PyObject* self, PyObject*) {
  forget_places(reinterpret_cast<Kernel*>(self));
  Py_RETURN_NONE;
}

void dealloc_kernel(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  forget_places(reinterpret_cast<Kernel*>(self));
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(as_object(type));
}

PyMethodDef kernel_methods[] = {
    {"_remember", remember, METH_VARARGS, "_remember(device kind, index, memory kind, kernel)"},
    {"_forget_places", forget, METH_NOARGS, "Forgets what it was compiled for."},
    {}};
PyType_Slot kernel_slots[] = {{Py_tp_methods, kernel_methods},
                              {Py_tp_call, reinterpret_cast<void*>(call_kernel)},
                              {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_kernel)},
                              {Py_tp_doc, const_cast<char*>("The compiled part of tenon.Kernel.")},
                              {}};
PyType_Spec kernel_spec = {"tenon._core.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           kernel_slots};

// --- _core.Call ---

PyObject* call_bound(PyObject* self, PyObject* arguments, PyObject* keywords) {
  BoundCall* call = reinterpret_cast<BoundCall*>(self);
  tenon_stream* stream;
  if (!call->plain || !call->base.handle || PyTuple_Size(arguments) != 0 || !take_stream(keywords, &stream) ||
      is_recording())
    return in_python(self, kernel_launch_name, arguments, keywords);
  int32_t status;
  {
    Unlocked unlocked;
    status = api->call_launch(static_cast<tenon_call*>(call->base.handle), stream);
  }
  if (status) return fail(status);
  Py_RETURN_NONE;
}

PyObject* get_plain(PyObject* self, void*) { return PyBool_FromLong(reinterpret_cast<BoundCall*>(self)->plain); }

int set_plain(PyObject* self, PyObject* value, void*) {
  int plain = value ? PyObject_IsTrue(value) : 0;
  if (plain < 0) return -1;
  reinterpret_cast<BoundCall*>(self)->plain = plain;
  return 0;
}

PyGetSetDef call_properties[] = {
    {"_plain", get_plain, set_plain, "Whether nothing has to be done in Python at a launch.", nullptr}, {}};
PyType_Slot call_slots[] = {{Py_tp_getset, call_properties},
                            {Py_tp_call, reinterpret_cast<void*>(call_bound)},
                            {Py_tp_doc, const_cast<char*>("The compiled part of bound calls.")},
                            {}};
PyType_Spec call_spec = {"tenon._core.Call", sizeof(BoundCall), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                         call_slots};

}  // namespace

int add_kernel_types(PyObject* module) {
  kernel_launch_name = PyUnicode_InternFromString("_launch");
  Ref bases(Py_BuildValue("(O)", handle_type));
  if (!kernel_launch_name || !bases) return -1;
  compiled_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&compiled_spec, bases.get()));
  call_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&call_spec, bases.get()));
  kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&kernel_spec));
  return !compiled_type || !call_type || !kernel_type || PyModule_AddType(module, compiled_type) ||
                 PyModule_AddType(module, call_type) || PyModule_AddType(module, kernel_type)
             ? -1
             : 0;
}

}  // namespace tenon_python
