/* abi/python/core/exchange.cpp: arrays in and out by DLPack's C exchange tables (1.3) and capsules.
 *
 * Through a table nothing synchronises: what comes in follows its library's current stream, which is asked for at each
 * call, and what goes out is ordered before the current stream of the library that it goes to. Whatever needs more than
 * this (a copy, another device, gradients, producers that have only Python methods) is done by tenon._dlpack in Python.
 */
#include "exchange.hpp"

#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "direct.hpp"
#include "functions.hpp"
#include "torch_facts.hpp"

namespace tenon_python {

namespace {

constexpr const char *table_name = "dlpack_exchange_api", *versioned_name = "dltensor_versioned",
                     *legacy_name = "dltensor";
constexpr const char* used_versioned_name = "used_dltensor_versioned";

/* What is known of the class of a producer. Classes are kept, so that no other one gets the address. */
struct Producer {
  const ExchangeTable* table = nullptr;
  bool numpy = false, plain_tensor = false;
  bool gradients = false; /* has requires_grad: PyTorch's tensors */
  Property requires_grad;
  Function grad_mode;               /* torch.is_grad_enabled, of PyTorch's tensors */
  Method is_negative, is_conjugate; /* its methods of that meaning, which its table does not heed */
};

/* The newest table of major version 1 that can do what is needed, or NULL. */
const ExchangeTable* table_of(PyObject* type) {
  Ref capsule(PyObject_GetAttrString(type, "__dlpack_c_exchange_api__"));
  if (!capsule) PyErr_Clear();
  if (!capsule || !PyCapsule_IsValid(capsule.get(), table_name)) return nullptr;
  auto table = static_cast<const ExchangeTable*>(PyCapsule_GetPointer(capsule.get(), table_name));
  while (table && (table->major != 1 || !table->from_object || !table->work_stream)) table = table->previous;
  return table;
}

bool is_named(PyObject* type, const char* expected_module, const char* expected_name) {
  Ref module(attribute_or_null(type, "__module__")), name(attribute_or_null(type, "__name__"));
  return module && name && PyUnicode_Check(module.get()) &&
         PyUnicode_CompareWithASCIIString(module.get(), expected_module) == 0 &&
         PyUnicode_CompareWithASCIIString(name.get(), expected_name) == 0;
}

bool is_tensor_type(PyObject* type) {
  Ref tensor(loaded("torch", "Tensor"));
  int derived = tensor ? PyObject_IsSubclass(type, tensor.get()) : 0;
  if (derived < 0) PyErr_Clear();
  return derived > 0;
}

Producer& producer_of(PyTypeObject* type) {
  static std::unordered_map<PyTypeObject*, Producer> known;
  static std::pair<PyTypeObject*, Producer*> last;  // mostly it is the same again
  if (last.first == type) return *last.second;
  auto found = known.find(type);
  if (found != known.end()) return *(last = {type, &found->second}).second;
  PyObject* object = Py_NewRef(as_object(type));
  Producer producer;
  producer.table = table_of(object);
  producer.numpy = !producer.table && is_named(object, "numpy", "ndarray");
  producer.plain_tensor = producer.table && producer.table->to_object &&
                          (is_named(object, "torch", "Tensor") || is_named(object, "torch.nn.parameter", "Parameter"));
  producer.gradients = Ref(attribute_or_null(object, "requires_grad")) ? true : false;
  producer.requires_grad = Property(object, "requires_grad");
  if (is_tensor_type(object)) producer.grad_mode = Function(loaded("torch", "is_grad_enabled"));
  producer.is_negative = Method(object, "is_neg");
  producer.is_conjugate = Method(object, "is_conj");
  return known[type] = producer;
}

const TorchFacts* facts_of(const Producer& producer) { return producer.plain_tensor ? TorchFacts::get() : nullptr; }

/* 1, 0, or -1 with an exception. */
int answer(Method& method, PyObject* object) {
  if (!method) return 0;
  Ref result(method(object));
  return result ? result.get() == Py_True : -1;
}

int has_gradient(const Producer& producer, const TorchFacts* facts, PyObject* object) {
  if (!producer.gradients) return 0;
  if (facts) return facts->requires_grad(object) && facts->is_grad_enabled();
  Ref result(producer.requires_grad(object));
  if (!result || result.get() == Py_False) return result ? 0 : -1;
  if (!producer.grad_mode) return 1;
  // within no_grad() it is a tensor like any other
  Ref enabled(producer.grad_mode());
  return enabled ? enabled.get() != Py_False : -1;
}

bool may_have_tangent(const Producer& producer, PyObject* object) {
  const TorchFacts* facts = facts_of(producer);
  return facts && facts->tells_tangents() ? facts->has_tangent(object) : producer.grad_mode && has_forward_level();
}

int is_negative(Producer& producer, const TorchFacts* facts, PyObject* object) {
  return facts ? facts->is_negative(object) : answer(producer.is_negative, object);
}

int is_conjugate(Producer& producer, const TorchFacts* facts, PyObject* object) {
  return facts ? facts->is_conjugate(object) : answer(producer.is_conjugate, object);
}

constexpr uint8_t complex_code = 5;

void drop(VersionedTensor* tensor) {
  if (tensor->deleter) tensor->deleter(tensor);
}

/* Makes the tensor an array, or gives it back and raises. */
tenon_array* take(VersionedTensor* tensor, const ExchangeTable* table) {
  int32_t kind = tensor->tensor.device_type;
  tenon_array* array = nullptr;
  int32_t status =
      api->array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(tensor), nullptr, &array);
  if (status) {
    fail(status);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    drop(tensor);
    PyErr_Restore(type, value, traceback);
    return nullptr;
  }
  if (table && (kind == dl_cuda || kind == dl_cuda_managed) &&
      (status = api->array_follow(array, table->work_stream))) {
    api->array_release(array);
    fail(status);
    return nullptr;
  }
  return array;
}

/* An array of memory that nobody keeps for it. */
tenon_array* array_of(const Tensor& view) {
  VersionedTensor tensor = {1, 1, nullptr, nullptr, 0, view};
  tenon_array* array = nullptr;
  int32_t status =
      api->array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(&tensor), nullptr, &array);
  return status ? static_cast<tenon_array*>(nullptr) : array;
}

/* Of a call, whose arguments live until it is over, and a tensor on the CPU, where the work is then over as well. NULL
 * without an exception: it has to be imported, which also says why it cannot. */
tenon_array* lent_by_table(PyObject* object, Producer& producer, const TorchFacts* facts, bool resolved, Tensor* view) {
  if (!facts || !producer.table->view) return nullptr;
  if (producer.table->view(object, view)) {
    PyErr_Clear();
    return nullptr;
  }
  if (view->device_type != dl_cpu) return nullptr;
  if (view->code == complex_code && !resolved && is_conjugate(producer, facts, object)) return nullptr;
  return array_of(*view);
}

/* lent: where a view may come of what need not be imported; its device_type is 0 if it was. */
tenon_array* import_by_table(PyObject* object, Producer& producer, bool resolved, bool* out_gradient, Tensor* lent) {
  const TorchFacts* facts = facts_of(producer);
  if (facts && !facts->is_ordinary(object)) return nullptr;  // it may have no memory
  int refused = has_gradient(producer, facts, object);
  *out_gradient = refused > 0;
  if (!refused && !resolved) refused = is_negative(producer, facts, object);
  if (refused < 0) PyErr_Clear();
  if (refused) return nullptr;
  if (lent) {
    if (tenon_array* array = lent_by_table(object, producer, facts, resolved, lent)) return array;
    lent->device_type = 0;
  }
  DLManagedTensorVersioned* out = nullptr;
  if (producer.table->from_object(object, &out) || !out) {
    PyErr_Clear();  // its Python method says why in better words, or knows another way
    return nullptr;
  }
  auto tensor = reinterpret_cast<VersionedTensor*>(out);
  if (tensor->tensor.code == complex_code && !resolved && is_conjugate(producer, facts, object)) {
    PyErr_Clear();
    drop(tensor);
    return nullptr;
  }
  return take(tensor, producer.table);
}

/* NumPy's arrays are on the CPU, and say in the versioned struct what may be written. */
tenon_array* import_numpy(PyObject* object) {
  static PyObject *name = PyUnicode_InternFromString("__dlpack__"), *nothing = PyTuple_New(0);
  static PyObject* keywords = Py_BuildValue("{s(ii)}", "max_version", 1, 1);
  Ref method(PyObject_GetAttr(object, name));
  Ref capsule(method ? PyObject_Call(method.get(), nothing, keywords) : nullptr);
  if (!capsule || !PyCapsule_IsValid(capsule.get(), versioned_name)) {
    PyErr_Clear();
    return nullptr;
  }
  auto tensor = static_cast<VersionedTensor*>(PyCapsule_GetPointer(capsule.get(), versioned_name));
  tenon_array* array = nullptr;
  if (api->array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(tensor), nullptr, &array))
    return nullptr;
  PyCapsule_SetName(capsule.get(), used_versioned_name);
  return array;
}

tenon_array* import_any(PyObject* object, Producer& producer, bool resolved, bool* out_gradient, Tensor* lent) {
  if (producer.table) return import_by_table(object, producer, resolved, out_gradient, lent);
  return producer.numpy ? import_numpy(object) : nullptr;
}

// --- functions of the package ---

PyObject* call_hook(Hook which, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  Ref positional(PyTuple_New(count)), keywords(names ? PyDict_New() : nullptr);
  for (Py_ssize_t i = 0; positional && i < count; i++) PyTuple_SetItem(positional.get(), i, Py_NewRef(arguments[i]));
  for (Py_ssize_t i = 0; keywords && i < PyTuple_Size(names); i++)
    if (PyDict_SetItem(keywords.get(), PyTuple_GetItem(names, i), arguments[count + i])) return nullptr;
  return positional ? PyObject_Call(hook(which), positional.get(), keywords.get()) : nullptr;
}

PyObject* import_or(Hook which, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (count == 1 && !names) {
    if (Py_TYPE(arguments[0]) == array_type) return Py_NewRef(arguments[0]);
    Ref array = import_fast(arguments[0]);
    if (array || PyErr_Occurred()) return array.release();
  }
  return call_hook(which, arguments, count, names);
}

PyObject* from_dlpack(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  return import_or(Hook::from_dlpack, arguments, count, names);
}

PyObject* asarray(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  return import_or(Hook::asarray, arguments, count, names);
}

/* imported(object): by its class's exchange table; None where that is not enough. Whether it has a tangent is not asked
 * here. */
PyObject* imported(PyObject*, PyObject* object) {
  bool wants_gradient = false;
  tenon_array* array = import_any(object, producer_of(Py_TYPE(object)), false, &wants_gradient, nullptr);
  if (!array && !PyErr_Occurred()) Py_RETURN_NONE;
  return array ? own_array(array) : nullptr;
}

// --- out ---

void drop_capsule(PyObject* capsule) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); /* a deleter may run Python code of another producer */
  if (PyCapsule_IsValid(capsule, versioned_name)) {
    drop(static_cast<VersionedTensor*>(PyCapsule_GetPointer(capsule, versioned_name)));
  } else if (PyCapsule_IsValid(capsule, legacy_name)) {
    auto tensor = static_cast<LegacyTensor*>(PyCapsule_GetPointer(capsule, legacy_name));
    if (tensor->deleter) tensor->deleter(tensor);
  } /* else it was consumed: its name starts with "used_" and the tensor is the consumer's */
  PyErr_Restore(type, value, traceback);
}

PyObject* new_capsule(void* tensor, bool versioned) {
  return PyCapsule_New(tensor, versioned ? versioned_name : legacy_name, drop_capsule);
}

/* capsule(address, versioned): of a managed tensor that nobody owns yet. */
PyObject* capsule(PyObject*, PyObject* arguments) {
  unsigned long long address;
  int versioned;
  if (!PyArg_ParseTuple(arguments, "Kp", &address, &versioned)) return nullptr;
  return new_capsule(reinterpret_cast<void*>(static_cast<uintptr_t>(address)), versioned);
}

/* As an object of the library whose table it is. The array stays the caller's. */
PyObject* export_by_table(const ExchangeTable* table, const tenon_array* array, const tenon_array_info& info) {
  FrameworkStream stream;
  int32_t status = TENON_OK;
  if (info.device_kind != TENON_DEVICE_CPU) {
    void* native = nullptr;
    if (table->work_stream(dl_cuda, info.device_index, &native)) return nullptr;
    status =
        stream.open(info.device_index, native, [&](tenon_device** device) { return api->array_device(array, device); });
  }
  DLManagedTensorVersioned* tensor = nullptr;
  if (!status) status = api->array_to_dlpack_versioned(array, 0, stream.get(), &tensor);
  if (status) return fail(status);
  void* made = nullptr;
  if (!table->to_object(tensor, &made)) return static_cast<PyObject*>(made);
  PyObject *kind, *value, *traceback;
  PyErr_Fetch(&kind, &value, &traceback);
  drop(reinterpret_cast<VersionedTensor*>(tensor));
  PyErr_Restore(kind, value, traceback);
  return nullptr;
}

/* exported(class, array): as an object of the class, whose exchange table makes it; None where it has no table. */
PyObject* exported(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2 || !PyType_Check(arguments[0]) || !is_array(arguments[1]))
    return PyErr_Format(PyExc_TypeError, "exported takes a class and an array");
  return export_as(reinterpret_cast<PyTypeObject*>(arguments[0]), arguments[1]);
}

// --- the table of tenon.Array ---

int failed() {
  PyErr_SetString(PyExc_BufferError, api->error_last_message());
  return -1;
}

/* An owned device for DLPack's numbers; NULL with Tenon's error record set. Pinned memory belongs to the first
 * device. */
tenon_device* device_for(int32_t type, int32_t id) {
  char name[48];
  tenon_device* device = nullptr;
  bool cuda = type == dl_cuda || type == dl_cuda_host || type == dl_cuda_managed;
  if (type != dl_cpu && !cuda) {
    snprintf(name, sizeof name, "DLPack device type %d", static_cast<int>(type));
  } else {
    snprintf(name, sizeof name, "%s:%d", cuda ? "cuda" : "cpu",
             type == dl_cuda || type == dl_cuda_managed ? static_cast<int>(id) : 0);
  }
  return api->context_device(nullptr, name, &device) == TENON_OK ? device : nullptr;
}

int table_from_object(void* object, DLManagedTensorVersioned** out) {
  PyObject* array = static_cast<PyObject*>(object);
  if (!is_array(array)) {
    PyErr_Format(PyExc_TypeError, "a tenon.Array is needed, not %R", Py_TYPE(array));
    return -1;
  }
  return api->array_to_dlpack_versioned(reinterpret_cast<Array*>(array)->get(), 0, nullptr, out) ? failed() : 0;
}

int table_to_object(DLManagedTensorVersioned* tensor, void** out) {
  tenon_array* array = nullptr;
  *out = nullptr;
  if (api->array_from_dlpack_versioned(nullptr, tensor, nullptr, &array)) return failed();
  *out = own_array(array);
  return *out ? 0 : -1;
}

/* A new array with the prototype's dtype, shape and device. */
int table_allocate(void* prototype, DLManagedTensorVersioned** out, void* context,
                   void (*set_error)(void* context, const char* kind, const char* message)) {
  const Tensor* wanted = static_cast<const Tensor*>(prototype);
  tenon_device* device = device_for(wanted->device_type, wanted->device_id);
  tenon_array* array = nullptr;
  int32_t status = device ? api->array_create(device, TENON_DTYPE(wanted->code, wanted->bits, wanted->lanes),
                                              wanted->ndim, wanted->shape, nullptr, &array)
                          : TENON_ERROR_NOT_FOUND;
  api->device_release(device);
  if (!status) status = api->array_to_dlpack_versioned(array, 0, nullptr, out);
  api->array_release(array);
  if (status)
    set_error(context, status == TENON_ERROR_OUT_OF_MEMORY ? "MemoryError" : "RuntimeError", api->error_last_message());
  return status ? -1 : 0;
}

int table_work_stream(int32_t type, int32_t id, void** out) {
  tenon_device* device = device_for(type, id);
  tenon_stream* stream = nullptr;
  uint64_t native = 0;
  int32_t status = device ? api->stream_default(device, &stream) : TENON_ERROR_NOT_FOUND;
  if (!status) status = api->stream_native(stream, &native);
  api->stream_release(stream);
  api->device_release(device);
  *out = reinterpret_cast<void*>(static_cast<uintptr_t>(native));
  return status ? failed() : 0;
}

/* Its address stays good for the life of the process. No `view`: no borrowed view outlives its array's shape here. */
constexpr ExchangeTable table = {
    1, 3, nullptr, table_allocate, table_from_object, table_to_object, nullptr, table_work_stream};

PyMethodDef exchange_functions[] = {
    {"from_dlpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(from_dlpack)), METH_FASTCALL | METH_KEYWORDS,
     "from_dlpack(x, /, *, device=None, copy=None)\n--\n\n"
     "An array that shares the memory of x: any object with __dlpack__ (NumPy, PyTorch, JAX, CuPy ...), or a capsule.\n"
     "The memory lives as long as the array or any view of it. device: \"cpu:0\" ..., copied there if need be; copy: "
     "True for\n"
     "memory of its own, False for never."},
    {"asarray", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(asarray)), METH_FASTCALL | METH_KEYWORDS,
     "asarray(x, dtype=None, *, device=None, copy=None)\n--\n\n"
     "x as an Array: itself, the same memory where x offers it (DLPack, NumPy's protocols), else a copy. A number or "
     "nested\n"
     "lists go through NumPy. device: None leaves it where it is. copy: True for memory of its own; False: ValueError "
     "where a copy\n"
     "would be needed."},
    {"imported", imported, METH_O,
     "imported(object): an array by the exchange table of the object's class; None where that is not enough."},
    {"exported", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(exported)), METH_FASTCALL,
     "exported(class, array): an object of the class by its exchange table; None where it has no table."},
    {"torch_facts", set_torch_facts, METH_O,
     "torch_facts(wanted): whether PyTorch's tensors are asked without Python from now on; see torch_facts.hpp"},
    {"capsule", capsule, METH_VARARGS,
     "capsule(address, versioned): a DLPack capsule of a managed tensor that nobody owns yet."},
    {}};

}  // namespace

tenon_array* import_array(PyObject* object, bool resolved, bool* out_gradient, Tensor* lent) {
  Producer& producer = producer_of(Py_TYPE(object));
  *out_gradient = false;
  if (lent) lent->device_type = 0;
  if (may_have_tangent(producer, object)) return nullptr;  // Python looks for it, and says why it is refused
  return import_any(object, producer, resolved, out_gradient, lent);
}

Ref import_fast(PyObject* object) {
  bool wants_gradient;
  tenon_array* array = import_array(object, false, &wants_gradient);
  return array ? Ref(own_array(array)) : Ref();
}

PyObject* export_as(PyTypeObject* type, PyObject* object) {
  const ExchangeTable* table = producer_of(type).table;
  if (!table || !table->to_object) Py_RETURN_NONE;
  Array* array = reinterpret_cast<Array*>(object);
  const tenon_array_info* info = info_of(array);
  return info ? export_by_table(table, array->get(), *info) : nullptr;
}

PyObject* export_new(PyTypeObject* type, tenon_array* array, bool on_cpu) {
  tenon_array_info info = {};
  info.struct_size = sizeof info;
  info.device_kind = TENON_DEVICE_CPU;
  int32_t status = on_cpu ? TENON_OK : api->array_get_info(array, &info);
  PyObject* made = status ? fail(status) : export_by_table(producer_of(type).table, array, info);
  api->array_release(array);
  return made;
}

/* array.torch(); PyTorch is imported at the first call. */
PyObject* torch_method(PyObject* self, PyObject*) {
  static PyObject *torch, *type;
  if (!type) {
    Ref found(PyImport_ImportModule("torch"));
    if (!found) return nullptr;
    type = attribute_or_null(found.get(), "Tensor");
    if (!type)  // a folder of that name is a module, too
      return PyErr_Format(PyExc_ImportError, "%R is not PyTorch: it has no Tensor", found.get());
    torch = found.release();
  }
  Ref made(export_as(reinterpret_cast<PyTypeObject*>(type), self));
  if (made.get() != Py_None) return made.release();
  return PyObject_CallMethod(torch, "from_dlpack", "O", self);  // a version without the table
}

bool is_plain_tensor(PyTypeObject* type) { return producer_of(type).plain_tensor; }

namespace {

/* Whether a kernel can be given the address: of C-contiguous elements where their dtype may lie. */
bool is_plain_memory(const Tensor& tensor) {
  int64_t stride = 1;
  for (int32_t i = tensor.ndim; i-- > 0;) {
    if (tensor.shape[i] <= 0) return false;
    if (tensor.strides && tensor.shape[i] != 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  uint32_t width = tensor.code == complex_code ? tensor.bits / 16u : tensor.bits / 8u;
  return tensor.ndim > 0 && tensor.data && tensor.lanes == 1 && width &&
         (reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset) % width == 0;
}

}  // namespace

bool borrow(PyObject* object, Tensor* out) {
  Producer& producer = producer_of(Py_TYPE(object));
  if (!producer.plain_tensor || !producer.table->view) return false;
  const TorchFacts* facts = facts_of(producer);
  if (may_have_tangent(producer, object) || has_gradient(producer, facts, object) ||
      is_negative(producer, facts, object) || producer.table->view(object, out) ||
      (out->code == complex_code && is_conjugate(producer, facts, object))) {
    PyErr_Clear();  // an import says why
    return false;
  }
  return (out->device_type == dl_cpu || out->device_type == dl_cuda) && is_plain_memory(*out);
}

int32_t FrameworkStream::open(PyTypeObject* type, int32_t index) {
  void* native = nullptr;
  if (producer_of(type).table->work_stream(dl_cuda, index, &native)) {
    PyErr_Clear();
    return TENON_ERROR_VENDOR;
  }
  return open(index, native, [index](tenon_device** device) {
    *device = device_for(dl_cuda, index);
    return *device ? TENON_OK : TENON_ERROR_NOT_FOUND;
  });
}

bool has_forward_level() {
  static PyObject *module = loaded("torch.autograd", "forward_ad"),
                  *names = module ? PyModule_GetDict(module) : nullptr,
                  *name = PyUnicode_InternFromString("_current_level"), *none = PyLong_FromLong(-1);
  PyObject* level = names ? PyDict_GetItemWithError(names, name) : nullptr;
  if (level == none) return false;  // small integers are single objects
  long number = level ? PyLong_AsLong(level) : 0;
  if (number == -1 && !PyErr_Occurred()) return false;
  PyErr_Clear();
  return number >= 0;
}

bool is_plainly_dispatched() {
  const TorchFacts* facts = TorchFacts::get();
  return facts && facts->dispatches_plainly() && (facts->tells_tangents() || !has_forward_level());
}

bool is_ordinary_tensor(PyObject* object) {
  const TorchFacts* facts = facts_of(producer_of(Py_TYPE(object)));
  return facts && facts->is_ordinary(object);
}

/* Whether PyTorch is tracing: make_fx and the like watch its dispatcher. */
bool is_traced() {
  if (is_plainly_dispatched()) return false;
  static Function depth(loaded("torch._C", "_len_torch_dispatch_stack"));
  Ref found(depth ? depth() : nullptr);
  return found && PyLong_AsLong(found.get()) != 0;
}

bool is_left_alone() {
  if (is_plainly_dispatched()) return true;
  static Function level([] {
    Ref functorch(loaded("torch._C", "_functorch"));
    return functorch ? attribute_or_null(functorch.get(), "maybe_current_level") : nullptr;
  }());
  Ref inside(level ? level() : nullptr);
  return inside.get() == Py_None && !is_traced() && !has_forward_level();
}

bool counts_writes(PyTypeObject* type) { return producer_of(type).gradients; }

/* Memory of the CPU that goes as it is; anything else is Python's. */
PyObject* dlpack_method(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  bool plain = count == 0, versioned = false;
  for (Py_ssize_t i = 0; plain && names && i < PyTuple_Size(names); i++) {
    PyObject *name = PyTuple_GetItem(names, i), *value = arguments[i];
    if (value == Py_None) continue;
    plain =
        PyUnicode_CompareWithASCIIString(name, "max_version") == 0 && PyTuple_Check(value) && PyTuple_Size(value) == 2;
    versioned = plain && PyLong_AsLong(PyTuple_GetItem(value, 0)) >= 1;
  }
  if (PyErr_Occurred()) return nullptr;
  Array* array = reinterpret_cast<Array*>(self);
  const tenon_array_info* info = plain ? info_of(array) : nullptr;
  if (plain && !info) return nullptr;
  if (plain && info->device_kind == TENON_DEVICE_CPU) {
    void* tensor = nullptr;
    int32_t status = versioned
                         ? api->array_to_dlpack_versioned(array->get(), 0, nullptr,
                                                          reinterpret_cast<DLManagedTensorVersioned**>(&tensor))
                         : api->array_to_dlpack(array->get(), 0, nullptr, reinterpret_cast<DLManagedTensor**>(&tensor));
    if (!status) return new_capsule(tensor, versioned);
  }
  Ref positional(PyTuple_New(count + 1)), keywords(PyDict_New());
  if (!positional || !keywords) return nullptr;
  PyTuple_SetItem(positional.get(), 0, Py_NewRef(self));
  for (Py_ssize_t i = 0; i < count; i++) PyTuple_SetItem(positional.get(), i + 1, Py_NewRef(arguments[i]));
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++)
    if (PyDict_SetItem(keywords.get(), PyTuple_GetItem(names, i), arguments[count + i])) return nullptr;
  return PyObject_Call(hook(Hook::export_capsule), positional.get(), keywords.get());
}

PyObject* dlpack_device_method(PyObject* self, PyObject*) {
  const tenon_array_info* info = info_of(reinterpret_cast<Array*>(self));
  if (!info) return nullptr;
  int type = info->device_kind, id = info->device_index;
  if (info->memory_kind == TENON_MEMORY_PINNED) type = dl_cuda_host, id = 0;
  if (info->memory_kind == TENON_MEMORY_MANAGED) type = dl_cuda_managed;
  return Py_BuildValue("(ii)", type, id);
}

int add_exchange(PyObject* module) {
  PyObject* capsule_of_table = PyCapsule_New(const_cast<ExchangeTable*>(&table), table_name, nullptr);
  return !capsule_of_table || PyModule_AddObject(module, "exchange_table", capsule_of_table) ||
                 PyModule_AddFunctions(module, exchange_functions)
             ? -1
             : 0;
}

}  // namespace tenon_python
