/* abi/python/core/interrupt.cpp: Ctrl-C and a word on the terminal while a kernel is compiled, and what the library
 * calls: functions of streams, and references that it gives back.
 *
 * A call of the library that compiles gives the interpreter no chance to run a signal's handler. It asks here instead
 * (tenon_interrupt_set); what the handler raises, mostly KeyboardInterrupt, ends the compile, and is raised when the
 * interpreter runs again.
 */
#include <pthread.h>

#include <chrono>
#include <cstdio>

#include "module.hpp"

namespace tenon_python {

/* Touched by the main thread only: no other one runs handlers of signals. */
static unsigned long main_thread;
static PyObject *raised, *raised_value, *raised_traceback;

static int raise_again(void*) {
  if (!raised) return 0;
  PyErr_Restore(std::exchange(raised, nullptr), raised_value, raised_traceback);
  return -1;
}

/* Says on the terminal that a compile is under way: after its first second, and then every ten. The library asks many
 * times a second while it compiles; a pause means that another compile has begun. */
static void say_that_it_compiles() {
  using clock = std::chrono::steady_clock;
  static clock::time_point begun, asked, due;
  const clock::time_point now = clock::now();
  if (now - std::exchange(asked, now) > std::chrono::milliseconds(700))
    begun = now, due = now + std::chrono::seconds(1);
  if (now < due) return;
  due = now + std::chrono::seconds(10);
  if (!isatty(STDERR_FILENO)) return;
  char text[160];
  const int seconds = static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(now - begun).count());
  const int length = std::snprintf(
      text, sizeof text, "tenon: compiling a kernel (%d s; it is kept for later runs; Ctrl-C ends it)\n", seconds);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<size_t>(length));
}

static int32_t interrupted(void*) {
  if (static_cast<unsigned long>(pthread_self()) != main_thread) return 0;
  say_that_it_compiles();
  if (raised) return 1;
  const PyGILState_STATE state = lock_python(PyGILState_Ensure);
  if (PyErr_CheckSignals()) {
    PyErr_Fetch(&raised, &raised_value, &raised_traceback);
    Py_AddPendingCall(raise_again, nullptr);
  }
  PyGILState_Release(state);
  return raised != nullptr;
}

/* hear_signals(threading.main_thread().ident) */
static PyObject* hear_signals(PyObject*, PyObject* thread) {
  main_thread = PyLong_AsUnsignedLong(thread);
  if (PyErr_Occurred()) return nullptr;
  if (int32_t status = api->interrupt_set(interrupted, nullptr)) return fail(status);
  Py_RETURN_NONE;
}

/* Gives back a reference that the library held, on any thread. At the end of the interpreter nothing is left to give it
 * back to. */
static void drop_object(void* object) {
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE state = lock_python(PyGILState_Ensure);
  Py_DecRef(static_cast<PyObject*>(object));
  PyGILState_Release(state);
}

/* A function of tenon_stream_call_host, on whatever thread. */
static void call_object(void* object) {
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE state = lock_python(PyGILState_Ensure);
  PyObject* function = static_cast<PyObject*>(object);
  if (PyObject* result = PyObject_CallFunctionObjArgs(function, nullptr)) Py_DecRef(result);
  else PyErr_WriteUnraisable(function);
  PyGILState_Release(state);
}

std::atomic<bool> streams_call_python{false};

/* stream_function(): the address of call_object, for a stream that will call an object. */
static PyObject* stream_function(PyObject*, PyObject*) {
  streams_call_python.store(true, std::memory_order_relaxed);
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&call_object));
}

static PyMethodDef interrupt_functions[] = {
    {"stream_function", stream_function, METH_NOARGS,
     "The address of the function that calls an object, for tenon_stream_call_host."},
    {"hear_signals", hear_signals, METH_O, "Lets Ctrl-C end a compile of the main thread, whose identifier is given."},
    {}};

int add_interrupt(PyObject* module) {
  return PyModule_AddFunctions(module, interrupt_functions) ||
         PyModule_AddObject(module, "drop_object", PyLong_FromVoidPtr(reinterpret_cast<void*>(&drop_object)));
}

}  // namespace tenon_python
