/* abi/python/core/torch_facts.cpp: finding PyTorch's functions, and making sure that they answer what is asked. */
#include "torch_facts.hpp"

#include <dlfcn.h>
#include <fcntl.h>

#include <cstring>
#include <system_error>
#include <thread>

#include "direct.hpp"

namespace tenon_python {

namespace {

class Library {
 public:
  explicit Library(const char* name) : handle_(dlopen(name, RTLD_NOLOAD | RTLD_LAZY)) {}
  ~Library() {
    if (handle_) dlclose(handle_);  // PyTorch keeps it
  }
  Library(const Library&) = delete;
  template <class T> bool find(T& place, const char* symbol) const {
    place = handle_ ? reinterpret_cast<T>(dlsym(handle_, symbol)) : nullptr;
    return place != nullptr;
  }

 private:
  void* handle_;
};

/* What `text` makes, with torch's names. */
Ref evaluated(const char* text) {
  Ref torch(PyImport_ImportModule("torch")), builtins(PyImport_ImportModule("builtins"));
  Ref evaluate(builtins ? PyObject_GetAttrString(builtins.get(), "eval") : nullptr);
  Ref names(PyDict_New());
  if (!torch || !evaluate || !names || PyDict_SetItemString(names.get(), "torch", torch.get())) return Ref();
  return Ref(PyObject_CallFunction(evaluate.get(), "sO", text, names.get()));
}

/* What is asked within a context manager. False also with an exception. */
template <class Ask> bool within(const char* manager, Ask&& ask) {
  Ref entered = evaluated(manager);
  if (!entered || !Ref(PyObject_CallMethod(entered.get(), "__enter__", nullptr))) return false;
  bool answer = ask();
  PyErr_Clear();  // leaving has to succeed, whatever was raised within
  return Ref(PyObject_CallMethod(entered.get(), "__exit__", "OOO", Py_None, Py_None, Py_None)) && answer;
}

bool answers(PyObject* tensor, const char* method, bool* out) {
  Ref found(PyObject_CallMethod(tensor, method, nullptr));
  *out = found.get() == Py_True;
  return static_cast<bool>(found);
}

}  // namespace

bool read_word(const void* address, const void** out) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return false;
  bool good = write(ends[1], address, sizeof *out) == sizeof *out && read(ends[0], out, sizeof *out) == sizeof *out;
  close(ends[0]);
  close(ends[1]);
  return good;
}

bool TorchFacts::find() {
  const Library core("libc10.so"), operations("libtorch_cpu.so");
  const void* const* table = nullptr;
  if (!core.find(requires_grad_, "_ZNK3c1010TensorImpl13requires_gradEv") ||
      !core.find(is_grad_enabled_, "_ZN3c108GradMode10is_enabledEv") || !core.find(table, "_ZTVN3c1010TensorImplE") ||
      !operations.find(is_negative_, "_ZN2at6native6is_negERKNS_6TensorE") ||
      !operations.find(is_conjugate_, "_ZN2at6native7is_conjERKNS_6TensorE") ||
      !operations.find(is_inference_, "_ZN2at6native12is_inferenceERKNS_6TensorE") ||
      !operations.find(bump_version_, "_ZN5torch8autograd4impl12bump_versionERKN2at6TensorE"))
    return false;
  vtable_ = table + 2;  // behind the offset to the top and the type
  return true;
}

/* Compares all answers with Python's, for tensors of which each is yes once. */
bool TorchFacts::is_right() const {
  for (const char* text : {"torch.zeros(2)", "torch.zeros(2, requires_grad=True)", "torch._neg_view(torch.zeros(2))",
                           "torch.zeros(2, dtype=torch.complex64).conj()", "torch.inference_mode()(torch.zeros)(2)",
                           "torch.nn.Parameter(torch.zeros(2), requires_grad=False)"}) {
    Ref tensor = evaluated(text);
    if (!tensor) return false;
    const void *implementation, *begin;
    std::memcpy(&implementation, place(tensor.get()), sizeof implementation);
    if (!read_word(implementation, &begin) || begin != vtable_) return false;
    bool negative, conjugate, inference;
    Ref gradient(PyObject_GetAttrString(tensor.get(), "requires_grad"));
    if (!gradient || !answers(tensor.get(), "is_neg", &negative) || !answers(tensor.get(), "is_conj", &conjugate) ||
        !answers(tensor.get(), "is_inference", &inference))
      return false;
    if (requires_grad(tensor.get()) != (gradient.get() == Py_True) || is_negative(tensor.get()) != negative ||
        is_conjugate(tensor.get()) != conjugate || is_inference(tensor.get()) != inference)
      return false;
    if (inference) continue;
    Ref before(PyObject_GetAttrString(tensor.get(), "_version"));
    count_write(tensor.get());
    Ref after(PyObject_GetAttrString(tensor.get(), "_version"));
    if (!before || !after || PyLong_AsLong(after.get()) != PyLong_AsLong(before.get()) + 1) return false;
  }
  Ref now = evaluated("torch.is_grad_enabled()"), set = evaluated("torch._C._set_grad_enabled");
  bool equal = now && set && is_grad_enabled() == (now.get() == Py_True);
  for (PyObject* enabled : {Py_True, Py_False, now.get()})
    equal = equal && Ref(PyObject_CallFunctionObjArgs(set.get(), enabled, nullptr)) &&
            is_grad_enabled() == (enabled == Py_True);
  return equal;
}

/* The keys that the thread includes and excludes, as they differ from PyTorch's defaults. */
static const unsigned long long* local_keys(void* core) {
  static thread_local const unsigned long long* words;
  if (!words) words = static_cast<const unsigned long long*>(dlsym(core, "_ZN3c104impl26raw_local_dispatch_key_setE"));
  return words;
}

bool TorchFacts::dispatches_plainly() const {
  const unsigned long long* keys = core_ ? local_keys(core_) : nullptr;
  if (!keys || has_callbacks_() || has_function_mode_()) return false;
  return (keys[0] == 0 && keys[1] == 0) || (keys[0] == inference_[0] && keys[1] == inference_[1]);
}

/* Whether dispatches_plainly() tells each of these apart, which it is used only then. */
bool TorchFacts::finds_modes() {
  const Library operations("libtorch_cpu.so");
  core_ = dlopen("libc10.so", RTLD_NOLOAD | RTLD_LAZY);
  bool found = core_ && local_keys(core_) && operations.find(has_callbacks_, "_ZN2at12hasCallbacksEv") &&
               operations.find(has_function_mode_, "_ZN2at4impl27torch_function_mode_enabledEv") &&
               dispatches_plainly();
  auto tells = [&](const char* text, auto&& ask) { found = found && within(text, ask) && dispatches_plainly(); };
  for (const char* text : {"torch.autocast('cpu', dtype=torch.bfloat16)", "torch.overrides.TorchFunctionMode()",
                           "torch.utils._python_dispatch.TorchDispatchMode()"})
    tells(text, [&] { return !dispatches_plainly(); });
  unsigned long long inference[2] = {};
  tells("torch.inference_mode()", [&] {
    std::memcpy(inference, local_keys(core_), sizeof inference);
    return !dispatches_plainly();
  });
  std::memcpy(inference_, inference, sizeof inference);
  if (!found) core_ = nullptr;
  PyErr_Clear();
  return found;
}

std::atomic<const TorchFacts*> TorchFacts::in_use_{nullptr};

/* Whether has_tangent() tells tensors with and without one apart; it is used only then. */
bool TorchFacts::finds_tangents() {
  const Library core("libc10.so");
  bool found = core.find(tangent_, "_ZNK3c1010TensorImpl8_fw_gradEmRKN2at10TensorBaseE") &&
               core.find(undefined_, "_ZN3c1019UndefinedTensorImpl10_singletonE") &&
               within("torch.autograd.forward_ad.dual_level()", [&] {
                 for (const char* text : {"torch.zeros(2)", "torch.zeros(2, requires_grad=True)", "torch.zeros(2)[1:]"})
                   if (Ref plain = evaluated(text); !plain || has_tangent(plain.get())) return false;
                 for (const char* text : {"torch.autograd.forward_ad.make_dual(torch.zeros(2), torch.zeros(2))",
                                          "torch.autograd.forward_ad.make_dual(torch.zeros(2), torch.zeros(2))[1:]"})
                   if (Ref dual = evaluated(text); !dual || !has_tangent(dual.get())) return false;
                 return true;
               });
  if (!found) tangent_ = nullptr;
  PyErr_Clear();
  return found;
}

namespace {

TorchFacts facts;
enum class State { unknown, asking, usable, useless };
std::atomic<State> state{State::unknown}; /* while one thread asks, the others do without */
std::atomic<bool> wanted{true};

/* Whether PyTorch's modules can be asked: not before they are complete, nor when the interpreter ends. */
bool is_time_to_ask() {
  Ref spec(loaded("torch", "__spec__")), ends(loaded("sys", "is_finalizing"));
  Ref under_way(spec ? attribute_or_null(spec.get(), "_initializing") : nullptr);
  Ref ending(ends ? PyObject_CallNoArgs(ends.get()) : nullptr);
  return under_way.get() != Py_True && ending.get() == Py_False;
}

}  // namespace

bool TorchFacts::find_all() {
  bool right = find() && is_right();
  if (right) finds_modes(), finds_tangents();
  PyErr_Clear();
  return right;
}

/* PyTorch's modes are each thread's own. A new thread is in none, whatever the caller is in. */
const TorchFacts* TorchFacts::found_out() {
  if (state != State::unknown || !wanted) return nullptr;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  State before = State::unknown;
  if (is_time_to_ask() && state.compare_exchange_strong(before, State::asking)) {
    Unlocked unlocked;
    try {
      std::thread([] {
        const PyGILState_STATE held = lock_python(PyGILState_Ensure);
        bool found = facts.find_all();
        if (found && wanted) in_use_.store(&facts, std::memory_order_release);
        state = found ? State::usable : State::useless;
        PyGILState_Release(held);
      }).join();
    } catch (const std::system_error&) {  // no thread is to be had: perhaps at a later call
      state = State::unknown;
    }
  }
  PyErr_Restore(type, value, traceback);
  return in_use_;
}

/* torch_facts(wanted): whether they are used from now on. */
PyObject* set_torch_facts(PyObject*, PyObject* value) {
  int yes = PyObject_IsTrue(value);
  if (yes < 0) return nullptr;
  wanted = yes;
  TorchFacts::in_use_ = wanted && state == State::usable ? &facts : nullptr;
  return PyBool_FromLong(TorchFacts::get() != nullptr);
}

}  // namespace tenon_python
