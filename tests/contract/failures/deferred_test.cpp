// Contexts that report errors of linear algebra where the stream is waited for (TENON_CONTEXT_DEFERRED_ERRORS), and
// those that look at the operands of products and transforms (TENON_CONTEXT_CHECK_FINITE), on every device there is.
#include <cmath>
#include <thread>
#include "support.hpp"

using namespace test;

namespace {

const double kNan = std::nan("");

ContextPtr context_with(uint32_t flags) {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = flags;
  options.log_level = TENON_LOG_ERROR;
  tenon_context* out = nullptr;
  EXPECT_OK(tenon_context_create(&options, &out));
  return ContextPtr(out);
}

class Checked : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { open(TENON_CONTEXT_DEFERRED_ERRORS); }

  void open(uint32_t flags) {
    device_.reset();
    context_ = context_with(flags);
    device_ = device(GetParam(), context_.get());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
  }
  ArrayPtr array(std::vector<int64_t> shape, const std::vector<double>& values) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_from_host(device_.get(), TENON_FLOAT64, int32_t(shape.size()), shape.data(), values.data(),
                                    values.size() * 8, nullptr, &out));
    return ArrayPtr(out);
  }
  ArrayPtr good() { return array({2, 2}, {2, 1, 1, 3}); }
  ArrayPtr singular() { return array({2, 2}, {1, 2, 2, 4}); }
  ArrayPtr right() { return array({2, 1}, {3, 4}); }
  StreamPtr stream() {
    tenon_stream* out = nullptr;
    EXPECT_OK(tenon_stream_create(device_.get(), nullptr, &out));
    return StreamPtr(out);
  }
  StreamPtr default_stream() {
    tenon_stream* out = nullptr;
    EXPECT_OK(tenon_stream_default(device_.get(), &out));
    return StreamPtr(out);
  }
  ArrayPtr solve(const ArrayPtr& a, const ArrayPtr& b, tenon_stream* stream = nullptr,
                 int32_t kind = TENON_SOLVE_GENERAL) {
    tenon_solve_options options{};
    options.struct_size = sizeof options;
    options.kind = kind;
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_solve(a.get(), b.get(), &options, stream, &out));
    return ArrayPtr(out);
  }

  ContextPtr context_;
  DevicePtr device_;
};
INSTANTIATE_TEST_SUITE_P(On, Checked, ::testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, info.param[1] == 'p' ? 3 : 4);
});

TEST_P(Checked, WhatIsRightIsRight) {
  const ArrayPtr x = solve(good(), right()), y = solve(good(), right(), nullptr, TENON_SOLVE_POSITIVE);
  OK(tenon_stream_synchronize(default_stream().get()));
  for (const ArrayPtr& result : {std::cref(x), std::cref(y)}) {
    const std::vector<double> got = values<double>(result.get());
    EXPECT_NEAR(1, got[0], 1e-14);
    EXPECT_NEAR(1, got[1], 1e-14);
  }
}

TEST_P(Checked, SaidOnceWithInfoAndBatchIndex) {
  const ArrayPtr a = array({3, 2, 2}, {2, 1, 1, 3, 1, 2, 2, 4, 0, 0, 0, 0}), b = array({3, 2, 1}, {3, 4, 1, 1, 1, 1});
  const ArrayPtr x = solve(a, b);
  ASSERT_TRUE(x);
  const StreamPtr s = default_stream();
  FAILS(TENON_ERROR_SINGULAR, "matrix 1 of the batch of 3 is singular", tenon_stream_synchronize(s.get()));
  tenon_error* error = nullptr;
  OK(tenon_error_last(&error));
  const ErrorPtr kept(error);
  const char* routine = nullptr;
  int64_t code = 0;
  OK(tenon_error_native(kept.get(), &routine, &code));
  EXPECT_STREQ("getrf", routine);
  EXPECT_EQ(2, code);
  int64_t index = 0;
  OK(tenon_error_batch_index(kept.get(), &index));
  EXPECT_EQ(1, index);
  OK(tenon_stream_synchronize(s.get()));
  OK(tenon_device_synchronize(device_.get()));
}

TEST_P(Checked, EveryCallThatDoesNotWait) {
  const StreamPtr s = default_stream();
  const auto said = [&](int32_t status, const char* part) { FAILS(status, part, tenon_stream_synchronize(s.get())); };
  const ArrayPtr nan = array({2, 2}, {1, 2, kNan, 4}), negative = array({2, 2}, {1, 0, 0, -1}),
                 zero = array({2, 2}, {1, 0, 5, 0});
  ArrayPtr x = solve(nan, right());
  said(TENON_ERROR_NOT_FINITE, "a has NaN or infinity in the matrix");
  x = solve(good(), array({2, 1}, {1, INFINITY}));
  said(TENON_ERROR_NOT_FINITE, "b has NaN or infinity");
  x = solve(negative, right(), nullptr, TENON_SOLVE_POSITIVE);
  said(TENON_ERROR_SINGULAR, "not positive definite");
  x = solve(zero, right(), nullptr, TENON_SOLVE_LOWER);
  said(TENON_ERROR_SINGULAR, "zero on the diagonal (trtrs, info 2)");
  tenon_array *out = nullptr, *second = nullptr;
  OK(tenon_inverse(singular().get(), nullptr, nullptr, &out));
  x.reset(out);
  said(TENON_ERROR_SINGULAR, "singular");
  const tenon_cholesky_options upper{sizeof upper, 1, {}};
  out = nullptr;
  OK(tenon_cholesky(negative.get(), &upper, nullptr, &out));
  x.reset(out);
  said(TENON_ERROR_SINGULAR, "(potrf, info 2)");
  out = nullptr;
  OK(tenon_lu(nan.get(), nullptr, nullptr, &out, &second));
  x.reset(out);
  const ArrayPtr pivots(second);
  said(TENON_ERROR_NOT_FINITE, "a has NaN");
  for (int64_t pivot : values<int64_t>(pivots.get())) EXPECT_TRUE(pivot == 1 || pivot == 2) << pivot;
}

TEST_P(Checked, FactorsAndPivotsThatAreNone) {
  const StreamPtr s = default_stream();
  tenon_array *out = nullptr, *second = nullptr;
  OK(tenon_lu(good().get(), nullptr, nullptr, &out, &second));
  const ArrayPtr lu(out), pivots(second);
  const int64_t wrong[] = {7, -9};
  const int64_t two = 2;
  OK(tenon_array_from_host(device_.get(), TENON_INT64, 1, &two, wrong, sizeof wrong, nullptr, &out));
  const ArrayPtr none(out);
  out = nullptr;
  OK(tenon_lu_solve(lu.get(), none.get(), right().get(), nullptr, nullptr, &out));
  ArrayPtr x(out);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "row number from 1 to 2", tenon_stream_synchronize(s.get()));
  EXPECT_EQ((std::vector<int64_t>{7, -9}), values<int64_t>(none.get()));  // the caller's array is unchanged
  out = nullptr;
  OK(tenon_cholesky_solve(array({2, 2}, {0, 0, 1, 1}).get(), right().get(), nullptr, nullptr, &out));
  x.reset(out);
  FAILS(TENON_ERROR_SINGULAR, "zero on the diagonal", tenon_stream_synchronize(s.get()));
  out = second = nullptr;
  OK(tenon_qr(array({2, 1}, {1.5e308, 1.5e308}).get(), nullptr, nullptr, &out, &second));
  const ArrayPtr q(out), r(second);
  FAILS(TENON_ERROR_OVERFLOW, "factor R", tenon_stream_synchronize(s.get()));
}

TEST_P(Checked, AnIndexIntoATableWithoutElements) {
  const uint32_t inputs[] = {TENON_FLOAT64, TENON_INT64};
  const tenon_step gather{TENON_STEP_GATHER, 0, 0, 1, -1, 0};
  const int32_t output = 2;
  tenon_elementwise* made = nullptr;
  OK(tenon_elementwise_compose(inputs, 2, &gather, 1, &output, 1, nullptr, &made));
  const std::unique_ptr<tenon_elementwise, Releaser<tenon_elementwise, tenon_elementwise_release>> take(made);
  for (const int64_t index : {int64_t(0), int64_t(7), int64_t(-1), INT64_MAX - 1}) {
    tenon_array* indices = nullptr;
    const int64_t one = 1;
    OK(tenon_array_from_host(device_.get(), TENON_INT64, 1, &one, &index, 8, nullptr, &indices));
    const ArrayPtr table = array({0, 1}, {}), at(indices), y = array({1}, {5});
    const tenon_arg args[] = {TENON_ARRAY_ARG(table.get()), TENON_ARRAY_ARG(at.get()), TENON_ARRAY_ARG(y.get())};
    const int32_t status = tenon_elementwise_call(take.get(), args, 3, nullptr);
    if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    OK(status);
    FAILS(TENON_ERROR_INVALID_ARGUMENT, ("is indexed with " + std::to_string(index) + ", but").c_str(),
          tenon_stream_synchronize(default_stream().get()));
  }
}

TEST_P(Checked, WhoWaitsForTheWorkIsTold) {
  const StreamPtr first = stream(), second = stream();
  const auto fail_on = [&](tenon_stream* s) { return solve(singular(), right(), s); };
  {  // a stream that was ordered behind it by a shared array
    const ArrayPtr x = fail_on(first.get()), y = right();
    OK(tenon_array_copy(y.get(), x.get(), second.get()));
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_stream_synchronize(second.get()));
    OK(tenon_stream_synchronize(first.get()));
  }
  {  // an event, and a stream that waits for it
    tenon_event* made = nullptr;
    OK(tenon_event_create(device_.get(), 0, &made));
    const EventPtr event(made);
    ArrayPtr x = fail_on(first.get());
    OK(tenon_event_record(event.get(), first.get()));
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_event_synchronize(event.get()));
    OK(tenon_event_synchronize(event.get()));
    x = fail_on(first.get());
    OK(tenon_event_record(event.get(), first.get()));
    OK(tenon_stream_wait_event(second.get(), event.get()));
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_stream_synchronize(second.get()));
    OK(tenon_event_synchronize(event.get()));
    OK(tenon_stream_synchronize(first.get()));
    x = fail_on(first.get());  // recorded before: not part of that event
    OK(tenon_event_synchronize(event.get()));
    OK(tenon_stream_synchronize(second.get()));
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_stream_synchronize(first.get()));
  }
  {  // the device, and a query
    ArrayPtr x = fail_on(first.get());
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_device_synchronize(device_.get()));
    OK(tenon_stream_synchronize(first.get()));
    x = fail_on(first.get());
    int32_t status;
    while ((status = tenon_stream_query(first.get())) == TENON_ERROR_NOT_READY) std::this_thread::yield();
    EXPECT_EQ(TENON_ERROR_SINGULAR, status);
  }
  {  // host memory
    const ArrayPtr x = fail_on(first.get());
    double out[2];
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_array_to_host(x.get(), out, sizeof out, second.get()));
    OK(tenon_array_to_host(x.get(), out, sizeof out, first.get()));
  }
  if (std::string(GetParam()) == "cpu:0") {
    const ArrayPtr x = fail_on(first.get());
    struct DLManagedTensorVersioned* tensor = nullptr;
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_array_to_dlpack_versioned(x.get(), 0, nullptr, &tensor));
    EXPECT_EQ(nullptr, tensor);
    OK(tenon_stream_synchronize(first.get()));
  }
}

TEST_P(Checked, OfSeveralTheFirst) {
  const ArrayPtr a = solve(array({2, 2}, {1, kNan, 2, 4}), right()), b = solve(singular(), right()),
                 c = solve(singular(), right()), d = solve(good(), right());
  FAILS(TENON_ERROR_NOT_FINITE, "and 2 later calls failed too", tenon_stream_synchronize(default_stream().get()));
  OK(tenon_stream_synchronize(default_stream().get()));
}

TEST_P(Checked, AsManyCallsAsOneLikesWithoutAWait) {
  const ArrayPtr a = good(), bad = singular(), b = right();
  const StreamPtr s = default_stream();
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(solve(a, b, s.get()));
  OK(tenon_stream_synchronize(s.get()));
  int answered = 0;
  for (int i = 0; i < 600; ++i) {
    tenon_array* out = nullptr;
    const int32_t status = tenon_solve(bad.get(), b.get(), nullptr, s.get(), &out);
    ArrayPtr x(out);
    if (status != TENON_OK) {
      EXPECT_EQ(TENON_ERROR_SINGULAR, status);
      ++answered;
    }
  }
  EXPECT_EQ(600 - 512, answered);
  FAILS(TENON_ERROR_SINGULAR, "and 511 later calls", tenon_stream_synchronize(s.get()));
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(solve(a, b, s.get()));
  OK(tenon_stream_synchronize(s.get()));
}

TEST_P(Checked, NobodyHasToAsk) {
  const StreamPtr s = stream();
  for (int i = 0; i < 3; ++i) {
    const ArrayPtr x = solve(singular(), right(), s.get()), y = solve(singular(), right());
    ASSERT_TRUE(x && y);
  }
  // The streams, the device and the context end now, with errors that nobody asked for.
}

TEST_P(Checked, ThreadsAreToldOfTheirOwn) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const StreamPtr s = stream();
      const ArrayPtr a = good(), bad = singular(), b = right();
      for (int i = 0; i < 100; ++i) {
        const bool fails = (i + t) % 3 == 0;
        const ArrayPtr x = solve(fails ? bad : a, b, s.get());
        if (tenon_stream_synchronize(s.get()) != (fails ? TENON_ERROR_SINGULAR : TENON_OK)) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
}

TEST_P(Checked, AtOnceWithoutTheFlagOrWithDebugSync) {
  for (uint32_t flags : {0u, TENON_CONTEXT_DEFERRED_ERRORS | TENON_CONTEXT_DEBUG_SYNC}) {
    open(flags);
    if (!device_) return;
    tenon_array* out = nullptr;
    FAILS(TENON_ERROR_SINGULAR, "singular", tenon_solve(singular().get(), right().get(), nullptr, nullptr, &out));
    EXPECT_EQ(nullptr, out);
    OK(tenon_stream_synchronize(default_stream().get()));
  }
}

TEST_P(Checked, CallsThatAnswerFromTheirResultWaitAsEver) {
  tenon_array* out = nullptr;
  FAILS(TENON_ERROR_SINGULAR, "singular", tenon_matrix_power(singular().get(), -1, nullptr, nullptr, &out));
  FAILS(TENON_ERROR_NOT_FINITE, "NaN", tenon_det(array({1, 1}, {kNan}).get(), nullptr, nullptr, &out));
  FAILS(TENON_ERROR_NOT_FINITE, "NaN", tenon_eigh(array({1, 1}, {kNan}).get(), nullptr, nullptr, &out, nullptr));
  OK(tenon_stream_synchronize(default_stream().get()));
}

// ---- operands ----

TEST_P(Checked, ProductsAndTransformsLookAtTheirOperands) {
  open(TENON_CONTEXT_CHECK_FINITE);
  if (!device_) return;
  const ArrayPtr nan = array({2, 3}, {1, 2, 3, 4, INFINITY, 6}), fine = array({3, 2}, {1, 2, 3, 4, 5, 6}),
                 c = array({2, 2}, {9, 9, 9, 9});
  FAILS(TENON_ERROR_NOT_FINITE, "a (2, 3) has NaN or infinity at (1, 1)",
        tenon_gemm(nullptr, nan.get(), fine.get(), nullptr, nullptr, nullptr, into(c.get())));
  EXPECT_EQ((std::vector<double>{9, 9, 9, 9}), values<double>(c.get()));
  FAILS(TENON_ERROR_NOT_FINITE, "b (2, 3) has",
        tenon_gemm(nullptr, fine.get(), nan.get(), nullptr, nullptr, nullptr,
                   into(array({3, 3}, std::vector<double>(9)).get())));
  tenon_array* out = nullptr;
  const tenon_array* const operands[] = {nan.get(), fine.get()};
  FAILS(TENON_ERROR_NOT_FINITE, "(1, 1)", tenon_einsum("ij,jk", operands, 2, nullptr, nullptr, &out));
  FAILS(TENON_ERROR_NOT_FINITE, "(1, 1)", tenon_dot(nan.get(), nan.get(), nullptr, nullptr, &out));
  FAILS(TENON_ERROR_NOT_FINITE, "(1, 1)", tenon_kron(nan.get(), fine.get(), nullptr, nullptr, &out));

  // c is an operand if beta is not 0.
  const double beta[] = {1, 0};
  const ArrayPtr garbage = array({2, 2}, {kNan, 1, 1, 1}), two = array({2, 3}, {1, 2, 3, 4, 5, 6});
  FAILS(TENON_ERROR_NOT_FINITE, "c (2, 2)",
        tenon_gemm(nullptr, two.get(), fine.get(), scalar(beta), nullptr, nullptr, into(garbage.get())));
  OK(tenon_gemm(nullptr, two.get(), fine.get(), nullptr, nullptr, nullptr, into(garbage.get())));
  EXPECT_EQ(22, values<double>(garbage.get())[0]);

  // Only the elements of the view count, in its own order; also half precision and complex numbers.
  tenon_array* view = nullptr;
  const int64_t start[] = {0, 0}, stop[] = {1, 3}, step[] = {1, 1};
  OK(tenon_array_slice(nan.get(), 2, start, stop, step, &view));
  const ArrayPtr row(view);
  OK(tenon_gemm(nullptr, row.get(), fine.get(), nullptr, nullptr, nullptr, into(array({1, 2}, {0, 0}).get())));
  for (uint32_t dtype : {TENON_FLOAT16, TENON_BFLOAT16, TENON_FLOAT32, TENON_COMPLEX64, TENON_COMPLEX128}) {
    tenon_array *made = nullptr, *right = nullptr, *turned = nullptr, *result = nullptr;
    OK(tenon_array_convert(nan.get(), dtype, device_.get(), nullptr, &made));
    const ArrayPtr converted(made);
    OK(tenon_array_transpose(made, 2, nullptr, &turned));
    const ArrayPtr transposed(turned);
    OK(tenon_array_convert(fine.get(), dtype, device_.get(), nullptr, &right));
    const ArrayPtr other(right);
    const int64_t shape[] = {2, 2}, wide[] = {3, 3};
    OK(tenon_array_zeros(device_.get(), dtype, 2, shape, nullptr, &result));
    const ArrayPtr small(result);
    FAILS(TENON_ERROR_NOT_FINITE, "(1, 1)", tenon_gemm(nullptr, made, right, nullptr, nullptr, nullptr, into(result)));
    OK(tenon_array_zeros(device_.get(), dtype, 2, wide, nullptr, &result));
    const ArrayPtr large(result);
    tenon_array* last = nullptr;
    OK(tenon_array_transpose(right, 2, nullptr, &last));
    const ArrayPtr flat(last);
    FAILS(TENON_ERROR_NOT_FINITE, "a (3, 2) has NaN or infinity at (1, 1)",
          tenon_gemm(nullptr, turned, last, nullptr, nullptr, nullptr, into(result)));
  }
}

TEST_P(Checked, TransformsLookAtTheirSource) {
  open(TENON_CONTEXT_CHECK_FINITE);
  if (!device_) return;
  const ArrayPtr x = array({4}, {0, 1, 2, kNan}), y = array({4}, {0, 0, 0, 0});
  FAILS(TENON_ERROR_NOT_FINITE, "the source (4,) has NaN or infinity at (3,)",
        tenon_dct(x.get(), nullptr, 1, nullptr, nullptr, into(y.get())));
  tenon_array* made = nullptr;
  const int64_t half = 3;
  OK(tenon_array_zeros(device_.get(), TENON_COMPLEX128, 1, &half, nullptr, &made));
  const ArrayPtr z(made);
  FAILS(TENON_ERROR_NOT_FINITE, "the source (4,)", tenon_fft(x.get(), nullptr, 1, nullptr, nullptr, into(z.get())));
}

TEST_P(Checked, OperandsLater) {
  open(TENON_CONTEXT_CHECK_FINITE | TENON_CONTEXT_DEFERRED_ERRORS);
  if (!device_) return;
  const ArrayPtr nan = array({1, 2}, {1, kNan}), fine = array({2, 1}, {1, 2}), c = array({1, 1}, {9});
  OK(tenon_gemm(nullptr, nan.get(), fine.get(), nullptr, nullptr, nullptr, into(c.get())));
  FAILS(TENON_ERROR_NOT_FINITE, "a (1, 2) has NaN or infinity at (0, 1)",
        tenon_stream_synchronize(default_stream().get()));
}

TEST_P(Checked, RecordedWorkIsNotLookedAt) {
  open(TENON_CONTEXT_CHECK_FINITE);
  if (!device_) return;
  const ArrayPtr nan = array({1, 2}, {1, kNan}), fine = array({2, 1}, {1, 2}), c = array({1, 1}, {9});
  tenon_graph* made = nullptr;
  OK(tenon_graph_create(device_.get(), &made));
  const std::unique_ptr<tenon_graph, Releaser<tenon_graph, tenon_graph_release>> graph(made);
  tenon_stream* recording = nullptr;
  OK(tenon_graph_begin(graph.get(), &recording));
  const StreamPtr s(recording);
  OK(tenon_gemm(nullptr, nan.get(), fine.get(), nullptr, nullptr, s.get(), into(c.get())));
  OK(tenon_graph_end(graph.get()));
  OK(tenon_graph_launch(graph.get(), nullptr));
  EXPECT_TRUE(std::isnan(values<double>(c.get())[0]));
}

}  // namespace
