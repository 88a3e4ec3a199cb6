/* abi/python/exchange.c: DLPack's C exchange table for tenon.Array (DLPack 1.3, __dlpack_c_exchange_api__).
 *
 * A consumer written in C takes an array, makes one or asks for the stream to work on through these pointers, with no Python
 * call in between. Nothing here synchronises: the consumer launches on the current work stream, which for Tenon is the
 * device's default stream, and an array is handed over ordered before it. Called with the GIL held; on failure a Python
 * exception is set and -1 returned. As in capsule.c, what is needed of CPython's stable ABI is declared in our own words.
 */
#include <stdint.h>
#include <stdio.h>

#include <tenon/tenon.h>

typedef struct _object PyObject;
extern PyObject* PyExc_BufferError;
extern void PyErr_SetString(PyObject* type, const char* message);
extern PyObject* PyObject_GetAttrString(PyObject* object, const char* name);
extern PyObject* PyObject_CallFunctionObjArgs(PyObject* callable, ...);
extern PyObject* PyLong_FromUnsignedLongLong(unsigned long long value);
extern unsigned long long PyLong_AsUnsignedLongLong(PyObject* number);
extern PyObject* PyErr_Occurred(void);
extern void Py_IncRef(PyObject* object);
extern void Py_DecRef(PyObject* object);

/* DLTensor, as DLPack 1.x lays it out on 64-bit machines. */
typedef struct {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor;

static PyObject* own_handle; /* Array._own: an address -> an Array that owns it */

static int failed(void) {
  PyErr_SetString(PyExc_BufferError, tenon_error_last_message());
  return -1;
}

/* An owned device for DLPack's numbers; NULL with Tenon's error record set. Pinned memory belongs to the first device. */
static tenon_device* device_for(int32_t type, int32_t id) {
  char name[32];
  tenon_device* device = NULL;
  int cuda = type == TENON_DEVICE_CUDA || type == 3 || type == 13; /* kDLCUDAHost, kDLCUDAManaged */
  if (type == TENON_DEVICE_CPU) id = 0;
  if (type != TENON_DEVICE_CPU && !cuda) snprintf(name, sizeof name, "DLPack device type %d", (int)type);
  else snprintf(name, sizeof name, "%s:%d", cuda ? "cuda" : "cpu", type == 3 ? 0 : (int)id);
  return tenon_context_device(NULL, name, &device) == TENON_OK ? device : NULL;
}

static int from_object(void* object, struct DLManagedTensorVersioned** out) {
  PyObject* number = PyObject_GetAttrString(object, "_handle");
  unsigned long long handle;
  if (!number) return -1;
  handle = PyLong_AsUnsignedLongLong(number);
  Py_DecRef(number);
  if (PyErr_Occurred()) return -1;
  return tenon_array_to_dlpack_versioned((const tenon_array*)(uintptr_t)handle, 0, NULL, out) ? failed() : 0;
}

static int to_object(struct DLManagedTensorVersioned* tensor, void** out) {
  tenon_array* array;
  PyObject* number;
  *out = NULL;
  if (tenon_array_from_dlpack_versioned(NULL, tensor, NULL, &array)) return failed();
  number = PyLong_FromUnsignedLongLong((uintptr_t)array);
  if (number) *out = PyObject_CallFunctionObjArgs(own_handle, number, NULL);
  if (number) Py_DecRef(number);
  if (!*out) tenon_array_release(array);
  return *out ? 0 : -1;
}

/* A new array with the prototype's dtype, shape and device. */
static int allocate(void* prototype, struct DLManagedTensorVersioned** out, void* context,
                    void (*set_error)(void* context, const char* kind, const char* message)) {
  const dl_tensor* wanted = prototype;
  tenon_device* device = device_for(wanted->device_type, wanted->device_id);
  tenon_array* array = NULL;
  int32_t status = device ? tenon_array_create(device, TENON_DTYPE(wanted->code, wanted->bits, wanted->lanes), wanted->ndim,
                                               wanted->shape, NULL, &array)
                          : TENON_ERROR_NOT_FOUND;
  tenon_device_release(device);
  if (!status) status = tenon_array_to_dlpack_versioned(array, 0, NULL, out);
  tenon_array_release(array);
  if (status) set_error(context, status == TENON_ERROR_OUT_OF_MEMORY ? "MemoryError" : "RuntimeError", tenon_error_last_message());
  return status ? -1 : 0;
}

static int work_stream(int32_t type, int32_t id, void** out) {
  tenon_device* device = device_for(type, id);
  tenon_stream* stream = NULL;
  uint64_t native = 0;
  int32_t status = device ? tenon_stream_default(device, &stream) : TENON_ERROR_NOT_FOUND;
  if (!status) status = tenon_stream_native(stream, &native);
  tenon_stream_release(stream);
  tenon_device_release(device);
  *out = (void*)(uintptr_t)native;
  return status ? failed() : 0;
}

/* The table; its address stays good for the life of the process. */
static const struct {
  uint32_t major, minor;
  void* previous;
  int (*allocate)(void*, struct DLManagedTensorVersioned**, void*, void (*)(void*, const char*, const char*));
  int (*from_object)(void*, struct DLManagedTensorVersioned**);
  int (*to_object)(struct DLManagedTensorVersioned*, void**);
  int (*tensor_from_object)(void*, void*); /* optional: not offered, as no borrowed view outlives its shape array here */
  int (*work_stream)(int32_t, int32_t, void**);
} table = {1, 3, NULL, allocate, from_object, to_object, NULL, work_stream};

/* Called once: takes a reference to Array._own for ever and returns the table. */
__attribute__((visibility("default"))) const void* tenon_python_exchange_table(PyObject* own) {
  if (!own_handle) {
    Py_IncRef(own);
    own_handle = own;
  }
  return &table;
}
