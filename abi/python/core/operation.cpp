/* abi/python/core/operation.cpp: calls of functions that are described by their parameters. _core.Operation is the base
 * of the operations of packages and of elementwise functions.
 *
 * Here is the common case: arrays and numbers, on the default stream, outputs made here or given as arrays of Tenon.
 * Anything else goes to the method _launch, in Python, as the whole call; nothing has been launched then. */
#include "operation.hpp"

#include <cstring>

namespace tenon_python {

namespace {

PyObject *launch_name, *out_name, *stream_name, *tracked_name;

}  // namespace

bool Call::read(PyObject* arguments, PyObject* keywords, Py_ssize_t start) {
  Py_ssize_t count = PyTuple_Size(arguments) - start, places = static_cast<Py_ssize_t>(plan.positional.size());
  if (count > places && !read_outputs_behind(arguments, places)) return false;
  for (Py_ssize_t i = 0; i < count && i < places; i++)
    given[plan.positional[i]] = PyTuple_GetItem(arguments, start + i);
  PyObject *name, *value;
  Py_ssize_t position = 0;
  while (keywords && PyDict_Next(keywords, &position, &name, &value)) {
    if (name == stream_name && value == Py_None) continue;
    if (name == out_name && value == Py_None) continue;
    if (name == out_name && !out && plan.outputs.size() == 1 && Py_TYPE(value) == array_type) {
      out = value;
      given[plan.outputs[0]] = value;
      continue;
    }
    int index = plan.find(name);
    if (index < 0 || given[index]) return false;
    given[index] = value;
  }
  return is_complete();
}

bool Call::is_complete() {
  for (size_t i = 0; i < plan.parameters.size(); i++) {
    const Parameter& one = plan.parameters[i];
    if (given[i] == Py_None && one.optional && (one.role == Role::in || none_is_absent)) given[i] = nullptr;
    if (!given[i] && !one.optional && one.role != Role::out) return false;
    if (given[i] && one.role == Role::scalar && !one.here) return false;  // known before anything is imported
  }
  return true;
}

/* Of elementwise functions: all outputs as arguments after the inputs. */
bool Call::read_outputs_behind(PyObject* arguments, Py_ssize_t inputs) {
  Py_ssize_t count = PyTuple_Size(arguments);
  if (!plan.functions.inputs_only || count != inputs + static_cast<Py_ssize_t>(plan.outputs.size())) return false;
  for (Py_ssize_t i = inputs; i < count; i++) {
    PyObject* value = PyTuple_GetItem(arguments, i);
    if (Py_TYPE(value) != array_type) return false;
    given[plan.outputs[i - inputs]] = value;
  }
  return true;
}

bool Call::take_arrays() {
  for (size_t i = 0; i < plan.parameters.size(); i++) {
    Role role = plan.parameters[i].role;
    if (!given[i] || role == Role::scalar) continue;
    // such as a FakeTensor, which has no memory
    if (counts_writes(Py_TYPE(given[i])) && !is_plain_tensor(Py_TYPE(given[i]))) return false;
    if (role == Role::any && (PyLong_CheckExact(given[i]) || PyFloat_CheckExact(given[i]))) continue;
    Py_ssize_t index = static_cast<Py_ssize_t>(i);
    if (!(role == Role::in || role == Role::any ? taken.read_array(index, given[i])
                                                : taken.take_array(index, given[i])))
      return false;
    if ((role != Role::inout && role != Role::out) || taken.own[i]) continue;
    // a write into another library's memory is counted there
    if (role == Role::out || !is_plain_tensor(Py_TYPE(given[i]))) return false;
    writes_tensors = true;
  }
  return true;
}

bool Call::take_choice(size_t index) {
  const std::vector<PyObject*>& choices = plan.parameters[index].choices;
  tenon_arg& made = taken.values[index];
  made.kind = TENON_ARG_SCALAR, made.dtype = TENON_INT32, made.size = sizeof made.value.i32;
  for (size_t i = 0; i < choices.size(); i++) {
    if (choices[i] != given[index] && PyUnicode_Compare(choices[i], given[index]) != 0) continue;
    made.value.i32 = static_cast<int32_t>(i);
    return true;
  }
  return false;
}

bool Call::take_list(size_t index) {
  const uint32_t dtype = plan.parameters[index].dtype;
  PyObject* value = given[index];
  const Elements items(value);
  const Py_ssize_t count = items ? items.count() : 1;
  if (!dtype || count > Lists::longest || lists.taken == Lists::most) return false;
  char* numbers = reinterpret_cast<char*>(lists.numbers[lists.taken++]);
  tenon_arg one = {};
  Py_ssize_t bytes = 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    if (!tenon_python::take_number(&one, dtype, items ? items[i] : value)) return false;
    std::memcpy(numbers + bytes, &one.value, one.size);
    bytes += static_cast<Py_ssize_t>(one.size);
  }
  taken.values[index] = {TENON_ARG_BYTES, 0, static_cast<uint64_t>(bytes), {}};
  taken.values[index].value.bytes = numbers;
  return true;
}

/* Counts the writes into PyTorch's tensors. False with an exception. */
bool Call::count_writes() {
  if (!writes_tensors) return true;
  Written written;
  for (size_t i = 0; i < plan.parameters.size(); i++)
    if (plan.parameters[i].role == Role::inout && given[i] && !taken.own[i]) written.add(given[i]);
  return written.count();
}

bool Call::take_numbers() {
  for (size_t i = 0; i < plan.parameters.size(); i++)
    if (given[i] && !taken.is_array(i) && !take_number(i)) return false;
  return true;
}

/* PyTorch's current stream, where all arrays are its own on one CUDA device: the library then need not look for a
 * stream, nor for others that share the arrays. Otherwise nothing, so that it does. */
void Call::find_stream(FrameworkStream& stream) {
  PyTypeObject* type = nullptr;
  int32_t device = -1;
  for (size_t i = 0; i < plan.parameters.size(); i++) {
    if (taken.own[i] || taken.lent[i]) return;
    if (!taken.imported[i]) continue;
    const tenon_array_info* info = is_plain_tensor(Py_TYPE(given[i])) ? taken.info(i) : nullptr;
    if (!info || info->device_kind == TENON_DEVICE_CPU || info->memory_kind != TENON_MEMORY_DEVICE ||
        (type && device != info->device_index)) {
      PyErr_Clear();
      return;
    }
    type = Py_TYPE(given[i]), device = info->device_index;
  }
  if (type) stream.open(type, device);
}

int32_t Call::launch(void* handle, tenon_array* (&made)[Arguments::most]) {
  FrameworkStream stream;
  find_stream(stream);
  Unlocked unlocked;
  int32_t all = static_cast<int32_t>(plan.parameters.size());
  int32_t told = plan.functions.inputs_only ? all - static_cast<int32_t>(plan.outputs.size()) : all;
  for (size_t i = 0; i < plan.outputs.size(); i++) {
    if (taken.own[plan.outputs[i]]) continue;
    if (int32_t status =
            plan.functions.output(handle, taken.values, told, static_cast<int32_t>(i), stream.get(), &made[i]))
      return status;
  }
  for (size_t i = 0; i < plan.outputs.size(); i++)
    if (made[i]) taken.values[plan.outputs[i]] = {TENON_ARG_ARRAY, 0, 0, {made[i]}};
  int32_t status = plan.functions.call(handle, taken.values, all, stream.get());
  if (!status) taken.release();
  return status;
}

PyObject* Call::run(void* handle) {
  tenon_array* made[Arguments::most] = {};
  int32_t status = launch(handle, made);
  if (status) {
    for (tenon_array* one : made) api->array_release(one);
    return fail(status);
  }
  if (!count_writes()) {
    for (tenon_array* one : made) api->array_release(one);
    return nullptr;
  }
  size_t count = plan.outputs.size();
  if (count == 0) Py_RETURN_NONE;
  PyObject* tensor = like();  // of the other classes that come here the results are Tenon's
  if (tensor && !is_plain_tensor(Py_TYPE(tensor))) tensor = nullptr;
  bool on_cpu = plan.first >= 0 && taken.lent[plan.first];
  auto result = [&](size_t i) {
    return !made[i] ? Py_NewRef(given[plan.outputs[i]])
           : tensor ? export_new(Py_TYPE(tensor), made[i], on_cpu)
                    : own_array(made[i]);
  };
  if (count == 1) return result(0);
  Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(count)));
  bool good = static_cast<bool>(tuple);
  for (size_t i = 0; i < count; i++) {  // also after a failure: the arrays are owned by nothing else
    PyObject* one = good ? result(i) : nullptr;
    if (!good) api->array_release(made[i]);
    good = one && good;
    if (one) PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), one);
  }
  return good ? tuple.release() : nullptr;
}

namespace {

bool is_tensor(const Call& call, int parameter) {
  return parameter >= 0 && call.given[parameter] && is_plain_tensor(Py_TYPE(call.given[parameter]));
}

PyObject* call(PyObject* self, PyObject* arguments, PyObject* keywords) {
  Plan* plan = reinterpret_cast<Operation*>(self)->plan;
  if (plan) {
    Call one(*plan);
    bool taken = one.read(arguments, keywords) && one.take_arrays() && one.take_numbers();
    PyTypeObject* like = taken && one.like() ? Py_TYPE(one.like()) : nullptr;
    bool seen = (like && is_plain_tensor(like)) || one.writes_tensors;
    if (taken && (!seen || is_left_alone())) {
      void* handle = handle_of(self);
      return handle ? one.run(handle) : nullptr;
    }
    if (PyErr_Occurred()) return nullptr;
    if (one.taken.wants_gradient && !keywords && is_tensor(one, plan->first)) {
      Ref node(PyObject_GetAttr(self, tracked_name));  // which Python made at an earlier call
      if (!node) return nullptr;
      if (node.get() != Py_None && is_left_alone() && !has_forward_level()) {
        Ref all = behind_none(arguments, 0);
        return all ? PyObject_CallObject(node.get(), all.get()) : nullptr;
      }
    }
  }
  return in_python(self, launch_name, arguments, keywords);
}

// --- its description ---

PyObject* interned(PyObject* text) {
  PyObject* copy = Py_NewRef(text);
  PyUnicode_InternInPlace(&copy);
  return copy;
}

bool read_parameters(PyObject* rows, Plan& plan) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(rows); i++) {
    PyObject *name, *type, *choices = nullptr;
    int role, optional, here, several = 0;
    unsigned int dtype;
    if (!PyArg_ParseTuple(PyTuple_GetItem(rows, i), "UiOIpp|pO!", &name, &role, &type, &dtype, &optional, &here,
                          &several, &PyTuple_Type, &choices))
      return false;
    plan.parameters.push_back({interned(name),
                               static_cast<Role>(role),
                               type == Py_None ? nullptr : interned(type),
                               dtype,
                               optional != 0,
                               here != 0,
                               several != 0,
                               {}});
    for (Py_ssize_t word = 0; choices && word < PyTuple_Size(choices); word++)
      plan.parameters.back().choices.push_back(interned(PyTuple_GetItem(choices, word)));
    if (plan.parameters.back().role == Role::out) plan.outputs.push_back(static_cast<int>(i));
  }
  return true;
}

/* _describe(elementwise, rows, positional, first): a row for each parameter: (name, role, placeholder or None, dtype,
 * optional, here), and, of some, (several, choices); positional: their numbers by the place in a call; first: the
 * number of the array whose library the results are of, or -1 where any of them says it, as for an elementwise
 * function. */
PyObject* describe_operation(PyObject* self, PyObject* arguments) {
  int elementwise;
  PyObject *rows, *positional;
  Plan* plan = new Plan;
  bool good = PyArg_ParseTuple(arguments, "pO!O!i", &elementwise, &PyTuple_Type, &rows, &PyTuple_Type, &positional,
                               &plan->first) &&
              read_parameters(rows, *plan);
  for (Py_ssize_t i = 0; good && i < PyTuple_Size(positional); i++)
    plan->positional.push_back(static_cast<int>(PyLong_AsLong(PyTuple_GetItem(positional, i))));
  if (!good || PyErr_Occurred() || plan->parameters.size() > Arguments::most) {
    delete plan;
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NONE;  // so many parameters are Python's
  }
  if (elementwise) {
    plan->functions = {reinterpret_cast<decltype(Functions::output)>(api->elementwise_output),
                       reinterpret_cast<decltype(Functions::call)>(api->elementwise_call), true};
  } else {
    plan->functions = {reinterpret_cast<decltype(Functions::output)>(api->operation_output),
                       reinterpret_cast<decltype(Functions::call)>(api->operation_call), false};
  }
  delete std::exchange(reinterpret_cast<Operation*>(self)->plan, plan);
  Py_RETURN_NONE;
}

/* _reduce(array, axes, keepdims): of a reduction of one array, over the axes of a tuple (none: all), which are
 * numbers of an array's axes or not far from it. */
PyObject* reduce_operation(PyObject* self, PyObject* arguments) {
  PyObject *array, *axes;
  int keepdims;
  if (!PyArg_ParseTuple(arguments, "OO!p", &array, &PyTuple_Type, &axes, &keepdims)) return nullptr;
  if (!is_array(array) || PyTuple_Size(axes) > TENON_MAX_RANK)
    return PyErr_Format(PyExc_TypeError, "_reduce takes an array and at most 64 axes");
  int32_t numbers[TENON_MAX_RANK], count = static_cast<int32_t>(PyTuple_Size(axes));
  for (int32_t i = 0; i < count; i++) numbers[i] = static_cast<int32_t>(PyLong_AsLong(PyTuple_GetItem(axes, i)));
  auto handle = PyErr_Occurred() ? nullptr : static_cast<tenon_reduction*>(handle_of(self));
  if (!handle) return nullptr;
  tenon_arg values[2] = {{TENON_ARG_ARRAY, 0, 0, {reinterpret_cast<Array*>(array)->get()}}, {}};
  tenon_array* made = nullptr;
  int32_t status;
  {
    Unlocked unlocked;
    status = api->reduction_output(handle, values, 1, numbers, count, keepdims, nullptr, &made);
    values[1] = {TENON_ARG_ARRAY, 0, 0, {made}};
    if (!status) status = api->reduction_call(handle, values, 2, numbers, count, nullptr);
  }
  if (!status) return own_array(made);
  api->array_release(made);
  return fail(status);
}

void dealloc_operation(PyObject* self) {
  delete std::exchange(reinterpret_cast<Operation*>(self)->plan, nullptr);
  reinterpret_cast<destructor>(PyType_GetSlot(handle_type, Py_tp_dealloc))(self);
}

PyMethodDef operation_methods[] = {
    {"_describe", describe_operation, METH_VARARGS,
     "_describe(elementwise, rows, positional, first): see operation.cpp"},
    {"_reduce", reduce_operation, METH_VARARGS, "_reduce(array, axes, keepdims)"},
    {"_called_from_torch", called_from_torch, METH_VARARGS,
     "_called_from_torch(otherwise, kernel): see torch_call.cpp"},
    {"_in_torch", in_torch, METH_VARARGS, "_in_torch(otherwise, raw_keys, plain): see torch_operation.cpp"},
    {"_forward", make_forward, METH_VARARGS,
     "_forward(otherwise, resolved, inputs, given, kept, plain, sized, direct): see torch_operation.cpp"},
    {"_backward", make_backward, METH_VARARGS,
     "_backward(otherwise, given, sources, found, numbers, tensors, promotes): see torch_operation.cpp"},
    {}};
PyType_Slot operation_slots[] = {
    {Py_tp_methods, operation_methods},
    {Py_tp_call, reinterpret_cast<void*>(call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_operation)},
    {Py_tp_doc, const_cast<char*>("The compiled part of operations and elementwise functions.")},
    {}};
PyType_Spec operation_spec = {"tenon._core.Operation", sizeof(Operation), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              operation_slots};

}  // namespace

int add_operation_type(PyObject* module) {
  launch_name = PyUnicode_InternFromString("_launch");
  out_name = PyUnicode_InternFromString("out");
  stream_name = PyUnicode_InternFromString("stream");
  tracked_name = PyUnicode_InternFromString("_tracked");
  Ref bases(Py_BuildValue("(O)", handle_type));
  PyTypeObject* type =
      bases ? reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&operation_spec, bases.get())) : nullptr;
  return !type || add_torch_types() || PyModule_AddType(module, type) ? -1 : 0;
}

}  // namespace tenon_python
