/* abi/python/interrupt.c: Ctrl-C while a kernel is compiled.
 *
 * A call of the library that compiles gives the interpreter no chance to run a signal's handler. It asks here instead
 * (tenon_interrupt_set); what the handler raises, mostly KeyboardInterrupt, ends the compile, and is raised when the interpreter
 * runs again. As in capsule.c, what is needed of CPython's stable ABI is declared in our own words.
 */
#include <pthread.h>
#include <stdint.h>

#include <tenon/tenon.h>

typedef struct _object PyObject;
extern int PyGILState_Ensure(void);
extern void PyGILState_Release(int state);
extern int PyErr_CheckSignals(void);
extern void PyErr_Fetch(PyObject** type, PyObject** value, PyObject** traceback);
extern void PyErr_Restore(PyObject* type, PyObject* value, PyObject* traceback);
extern int Py_AddPendingCall(int (*function)(void* user), void* user);

/* Touched by the main thread only: no other one runs handlers of signals. */
static unsigned long main_thread;
static PyObject *raised, *raised_value, *raised_traceback;

static int raise_again(void* user) {
  PyObject* type = raised;
  (void)user;
  if (!type) return 0;
  raised = NULL;
  PyErr_Restore(type, raised_value, raised_traceback);
  return -1;
}

static int32_t interrupted(void* user) {
  int state;
  (void)user;
  if ((unsigned long)pthread_self() != main_thread) return 0;
  if (raised) return 1;
  state = PyGILState_Ensure();
  if (PyErr_CheckSignals()) {
    PyErr_Fetch(&raised, &raised_value, &raised_traceback);
    Py_AddPendingCall(raise_again, NULL);
  }
  PyGILState_Release(state);
  return raised != NULL;
}

/* thread: threading.main_thread().ident. */
__attribute__((visibility("default"))) int32_t tenon_python_hear_signals(unsigned long thread) {
  main_thread = thread;
  return tenon_interrupt_set(interrupted, NULL);
}
