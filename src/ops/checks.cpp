// ops/checks.cpp: checks of operands and results that only the device can make.
#include "ops/checks.hpp"

#include "ops/matrix.hpp"

namespace tenon::ops {

template <class Problem> void Checks::add(Problem problem, const Array& x, bool written, Verdict verdict) {
  problem.finding = place(std::move(verdict));
  if (written) ops::run(problem, {&x}, {}, stream_);
  else ops::run(problem, {}, {&x}, stream_);
}

template <class Problem> void Checks::add_all(const Array& x, Verdict verdict) {
  Problem p;
  p.dtype = x.dtype();
  p.data = x.data();
  p.count = x.size();
  add(p, x, false, std::move(verdict));
}

namespace {

// Throws the error for one matrix of a batch.
[[noreturn]] void fail_for(int64_t index, int32_t status, std::string text, const char* routine = "",
                           int64_t code = 0) {
  Error error(status, std::move(text));
  error.native_call = routine;
  error.native_code = code;
  error.batch_index = index;
  throw error;
}

[[noreturn]] void fail_not_finite(int64_t index, int64_t batch, const char* what) {
  fail_for(index, TENON_ERROR_NOT_FINITE,
           format("%s has NaN or infinity in %s, for which the operation is not defined", what,
                  matrix_text(index, batch).c_str()));
}

[[noreturn]] void fail_result(int64_t index, int64_t batch, int32_t status, const char* text) {
  fail_for(index, status, format("%s %s", matrix_text(index, batch).c_str(), text));
}

// number: the matrix in the upper 32 bits, the info in the lower ones.
void check_info(int64_t number, int64_t batch, int32_t status, const char* routine, const char* text) {
  const int32_t info = int32_t(uint32_t(number));
  if (info < 0) fail(TENON_ERROR_INTERNAL, "%s reports that its argument %d is wrong", routine, -info);
  if (status == TENON_OK) return;
  const int64_t index = number >> 32;
  fail_for(index, status, format("%s %s (%s, info %d)", matrix_text(index, batch).c_str(), text, routine, info),
           routine, info);
}

}  // namespace

void Checks::finite(const Array& x, const char* what) {
  if (x.size() == 0) return;
  const int64_t batch = count_of(batch_of(x)), matrix = x.size() / batch * (dtype_complex(x.dtype()) ? 2 : 1);
  add_all<FirstNotFiniteProblem>(
      x, [what, matrix, batch](int64_t found) { fail_not_finite(found / matrix, batch, what); });
}

tenon_finding* Checks::place_for_finite(const char* what, int64_t batch) {
  return place([=](int64_t found) { fail_not_finite(found, batch, what); });
}

tenon_finding* Checks::place_for_result(int64_t batch, int32_t status, const char* text) {
  return place([=](int64_t found) { fail_result(found, batch, status, text); });
}

tenon_finding* Checks::place_for_info(int64_t batch, int32_t status, const char* routine, const char* text) {
  return place([=](int64_t found) { check_info(found, batch, status, routine, text); });
}

void Checks::operand(const Array& x, const char* what) {
  const Dtype t = x.dtype(), real = dtype_real(t);
  if (x.size() == 0 || dtype_float8(t) || !(dtype_floating(t) || dtype_complex(t) || t == TENON_COMPLEX32)) return;
  const bool narrow = real != TENON_FLOAT32 && real != TENON_FLOAT64;
  const Ref<Array> plain =
      narrow ? convert(x, t == TENON_COMPLEX32 ? TENON_COMPLEX64 : TENON_FLOAT32, stream_.device(), &stream_)
             : contiguous(x, stream_);
  add_all<FirstNotFiniteProblem>(
      *plain, [what, parts = dtype_complex(plain->dtype()) ? 2 : 1, shape = Dims(x.shape())](int64_t found) {
        Dims index(shape);
        int64_t rest = found / parts;
        for (int32_t i = index.size(); i-- > 0;) {
          index[i] = rest % shape[i];
          rest /= shape[i];
        }
        fail(TENON_ERROR_NOT_FINITE, "%s %s has NaN or infinity at %s", what, shape_text(shape).c_str(),
             shape_text(index).c_str());
      });
}

void Checks::finite_result(const Array& x, int32_t status, const char* text) {
  if (x.size() == 0) return;
  const int64_t batch = count_of(batch_of(x)), matrix = x.size() / batch * (dtype_complex(x.dtype()) ? 2 : 1);
  add_all<FirstNotFiniteProblem>(x, [=](int64_t found) { fail_result(found / matrix, batch, status, text); });
}

Ref<Array> Checks::zero_infos(int64_t count) {
  const Ref<Array> found = Array::create(stream_.device(), TENON_INT32, Dims{count}, stream_);
  fill(*found, 0, 0, &stream_);
  found->buffer().use(stream_, true);
  return found;
}

int32_t* Checks::infos_of(const Array& infos) { return static_cast<int32_t*>(infos.data()); }

void Checks::infos(const Array& found, int32_t status, const char* routine, const char* text) {
  const int64_t batch = found.size();
  if (batch == 0) return;
  FirstInfoProblem p;
  p.info = infos_of(found);
  p.count = batch;
  add(p, found, false, [=](int64_t number) { check_info(number, batch, status, routine, text); });
}

void Checks::diagonal(const Array& a) {
  const Ref<Array> values = copy_of(*ops::diagonal(a), stream_);
  if (values->size() == 0) return;
  const int64_t n = rows_of(a), batch = count_of(batch_of(a));
  add_all<FirstZeroProblem>(*values, [n, batch](int64_t found) {
    const int64_t index = found / n, info = found % n + 1;
    fail_for(index, TENON_ERROR_SINGULAR,
             format("%s is singular: it has a zero on the diagonal (trtrs, info %lld)",
                    matrix_text(index, batch).c_str(), static_cast<long long>(info)),
             "trtrs", info);
  });
}

void Checks::pivots(Array& pivots, int64_t n) {
  if (pivots.size() == 0) return;
  BoundPivotsProblem p;
  p.rows = n;
  p.count = pivots.size();
  p.pivots = static_cast<int64_t*>(pivots.data());
  const int64_t k = pivots.shape()[pivots.rank() - 1];
  add(p, pivots, true, [n, k, batch = pivots.size() / k](int64_t found) {
    fail_for(
        found / k, TENON_ERROR_INVALID_ARGUMENT,
        format("pivot %lld of %s is not a row number from 1 to %lld, as tenon_lu writes them",
               static_cast<long long>(found % k), matrix_text(found / k, batch).c_str(), static_cast<long long>(n)));
  });
}

void check_operands(std::initializer_list<CheckedOperand> operands, Stream* given) {
  Device& device = given ? given->device() : operands.begin()->array.device();
  if (!device.context().settings().checks_finite()) [[likely]]
    return;
  Stream& stream = stream_or_default(given, device);
  if (stream.recording() || stream.capturing()) return;
  Checks checks(stream, true);
  for (const auto& [array, what] : operands)
    if (&array.device() == &device) checks.operand(array, what);
  checks.defer();
}

}  // namespace tenon::ops
