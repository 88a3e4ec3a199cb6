// Arrays: views against a plain model of NumPy's rules, copies through random views, and what bad input gets.
#include <algorithm>
#include <random>
#include <thread>

#include "support.hpp"

using namespace test;

namespace {

constexpr int64_t kLeftOut = INT64_MIN;

class ArrayTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device(GetParam());
    if (!device_) GTEST_SKIP() << GetParam() << ": " << tenon_error_last_message();
  }
  DevicePtr device_;
};

// A view as a list of positions in the base array: the reference for the library.
struct Model {
  std::vector<int64_t> shape;
  std::vector<int32_t> at;  // in C order
};

Model base_model(std::vector<int64_t> shape) {
  Model m{shape, {}};
  int64_t size = 1;
  for (int64_t n : shape) size *= n;
  m.at.resize(size_t(size));
  std::iota(m.at.begin(), m.at.end(), 0);
  return m;
}

int64_t flat(const std::vector<int64_t>& shape, const std::vector<int64_t>& index) {
  int64_t at = 0;
  for (size_t i = 0; i < shape.size(); ++i) at = at * shape[i] + index[i];
  return at;
}

template <class F> void each_index(const std::vector<int64_t>& shape, F&& body) {
  std::vector<int64_t> index(shape.size(), 0);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  for (;;) {
    body(index);
    size_t i = shape.size();
    while (i > 0 && ++index[i - 1] == shape[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

Model transposed(const Model& m, const std::vector<int32_t>& axes) {
  Model out;
  for (int32_t a : axes) out.shape.push_back(m.shape[size_t(a)]);
  each_index(out.shape, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> from(index.size());
    for (size_t i = 0; i < axes.size(); ++i) from[size_t(axes[i])] = index[i];
    out.at.push_back(m.at[size_t(flat(m.shape, from))]);
  });
  return out;
}

std::vector<int64_t> python_range(int64_t n, int64_t start, int64_t stop, int64_t step) {
  auto clamp = [&](int64_t v) {
    if (v < 0) v += n;
    return step > 0 ? std::clamp<int64_t>(v, 0, n) : std::clamp<int64_t>(v, -1, n - 1);
  };
  const int64_t first = start == kLeftOut ? (step > 0 ? 0 : n - 1) : clamp(start);
  const int64_t last = stop == kLeftOut ? (step > 0 ? n : -1) : clamp(stop);
  std::vector<int64_t> out;
  for (int64_t i = first; step > 0 ? i < last : i > last; i += step) out.push_back(i);
  return out;
}

Model sliced(const Model& m, const std::vector<int64_t>& starts, const std::vector<int64_t>& stops,
             const std::vector<int64_t>& steps) {
  std::vector<std::vector<int64_t>> picks;
  Model out;
  for (size_t i = 0; i < m.shape.size(); ++i) {
    picks.push_back(python_range(m.shape[i], starts[i], stops[i], steps[i]));
    out.shape.push_back(int64_t(picks.back().size()));
  }
  each_index(out.shape, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> from(index.size());
    for (size_t i = 0; i < index.size(); ++i) from[i] = picks[i][size_t(index[i])];
    out.at.push_back(m.at[size_t(flat(m.shape, from))]);
  });
  return out;
}

TEST_P(ArrayTest, random_views_read_and_write_the_elements_the_rules_say) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  for (int round = 0; round < 150; ++round) {
    std::vector<int64_t> extents(size_t(pick(1, 5)));
    for (int64_t& n : extents) n = pick(0, 9) == 0 ? pick(0, 1) : pick(1, 7);
    Model model = base_model(extents);
    ArrayPtr base = counting(device_.get(), extents);
    ASSERT_TRUE(base);
    tenon_array_retain(base.get());
    ArrayPtr view(base.get());
    std::string story;
    for (int step = 0; step < 3; ++step) {
      tenon_array* next = nullptr;
      const size_t rank = model.shape.size();
      if (pick(0, 1)) {
        std::vector<int32_t> axes(rank);
        std::iota(axes.begin(), axes.end(), 0);
        std::shuffle(axes.begin(), axes.end(), random);
        OK(tenon_array_transpose(view.get(), int32_t(rank), axes.data(), &next));
        model = transposed(model, axes);
        story += " transpose";
      } else {
        std::vector<int64_t> starts(rank), stops(rank), steps(rank);
        for (size_t i = 0; i < rank; ++i) {
          starts[i] = pick(0, 2) ? pick(-9, 9) : kLeftOut;
          stops[i] = pick(0, 2) ? pick(-9, 9) : kLeftOut;
          do steps[i] = pick(-3, 3);
          while (steps[i] == 0);
          story +=
              " [" + std::to_string(starts[i]) + ":" + std::to_string(stops[i]) + ":" + std::to_string(steps[i]) + "]";
        }
        OK(tenon_array_slice(view.get(), int32_t(rank), starts.data(), stops.data(), steps.data(), &next));
        model = sliced(model, starts, stops, steps);
      }
      view.reset(next);
    }
    ASSERT_EQ(model.shape, shape(view.get())) << story;
    ASSERT_EQ(model.at, values<int32_t>(view.get())) << story;

    // Writing through the view changes exactly those elements.
    std::vector<int32_t> fresh(model.at.size());
    for (size_t i = 0; i < fresh.size(); ++i) fresh[i] = 1000 + int32_t(i);
    OK(tenon_array_set_from_host(view.get(), fresh.data(), fresh.size() * 4, nullptr));
    std::vector<int32_t> expected = base_model(extents).at;
    for (size_t i = 0; i < fresh.size(); ++i) expected[size_t(model.at[i])] = fresh[i];
    ASSERT_EQ(expected, values<int32_t>(base.get())) << story;
  }
}

TEST_P(ArrayTest, reshape_makes_a_view_where_strides_allow_and_refuses_where_not) {
  ArrayPtr a = counting(device_.get(), {2, 3, 4});
  tenon_array* out = nullptr;
  const int64_t flat_shape[] = {-1}, other[] = {4, 1, 6}, wrong[] = {5, 5}, two[] = {-1, -1};
  OK(tenon_array_reshape(a.get(), 1, flat_shape, &out));
  ArrayPtr line(out);
  EXPECT_EQ(shape(line.get()), (std::vector<int64_t>{24}));
  EXPECT_EQ(info(line.get()).data, info(a.get()).data);
  OK(tenon_array_reshape(a.get(), 3, other, &out));
  ArrayPtr box(out);
  EXPECT_EQ(values<int32_t>(box.get()), values<int32_t>(a.get()));
  FAILS(TENON_ERROR_SHAPE, "25 elements", tenon_array_reshape(a.get(), 2, wrong, &out));
  EXPECT_EQ(out, nullptr);
  FAILS(TENON_ERROR_SHAPE, "more than one -1", tenon_array_reshape(a.get(), 2, two, &out));
  OK(tenon_array_transpose(a.get(), 3, nullptr, &out));
  ArrayPtr turned(out);
  FAILS(TENON_ERROR_LAYOUT, "without a copy", tenon_array_reshape(turned.get(), 1, flat_shape, &out));
}

TEST_P(ArrayTest, broadcasting_follows_numpy_and_its_result_cannot_be_written) {
  ArrayPtr a = counting(device_.get(), {3, 1});
  const int64_t wide[] = {2, 3, 4}, bad[] = {2, 4, 4};
  tenon_array* out = nullptr;
  OK(tenon_array_broadcast(a.get(), 3, wide, &out));
  ArrayPtr b(out);
  EXPECT_EQ(values<int32_t>(b.get()),
            (std::vector<int32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_TRUE(info(b.get()).flags & TENON_ARRAY_READ_ONLY);
  FAILS(TENON_ERROR_READ_ONLY, "read-only", tenon_array_fill(b.get(), number(1), nullptr));
  FAILS(TENON_ERROR_SHAPE, "cannot be broadcast", tenon_array_broadcast(a.get(), 3, bad, &out));
}

TEST_P(ArrayTest, overlapping_copies_are_refused_interleaved_and_identical_ones_are_not) {
  ArrayPtr a = counting(device_.get(), {8});
  auto view = [&](int64_t start, int64_t stop, int64_t step) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_slice(a.get(), 1, &start, &stop, &step, &out));
    return ArrayPtr(out);
  };
  FAILS(TENON_ERROR_OVERLAP, "share memory", tenon_array_copy(view(0, 7, 1).get(), view(1, 8, 1).get(), nullptr));
  OK(tenon_array_copy(view(0, 8, 2).get(), view(1, 8, 2).get(), nullptr));
  EXPECT_EQ(values<int32_t>(a.get()), (std::vector<int32_t>{1, 1, 3, 3, 5, 5, 7, 7}));
  OK(tenon_array_copy(a.get(), a.get(), nullptr));
}

TEST_P(ArrayTest, views_as_another_dtype_keep_the_bytes) {
  ArrayPtr a = counting(device_.get(), {2, 4});
  tenon_array* out = nullptr;
  OK(tenon_array_view(a.get(), TENON_UINT8, &out));
  ArrayPtr bytes(out);
  EXPECT_EQ(shape(bytes.get()), (std::vector<int64_t>{2, 16}));
  OK(tenon_array_view(a.get(), TENON_COMPLEX64, &out));
  ArrayPtr pairs(out);
  EXPECT_EQ(shape(pairs.get()), (std::vector<int64_t>{2, 2}));
  OK(tenon_array_transpose(a.get(), 2, nullptr, &out));
  ArrayPtr turned(out);
  FAILS(TENON_ERROR_LAYOUT, "unit stride", tenon_array_view(turned.get(), TENON_UINT8, &out));
  FAILS(TENON_ERROR_DTYPE, "not a dtype", tenon_array_view(a.get(), 0x12345, &out));
}

TEST_P(ArrayTest, sizes_are_checked_before_anything_is_allocated) {
  tenon_array* out = nullptr;
  const int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40}, negative[] = {3, -1}, large[] = {int64_t(1) << 61},
                zero[] = {0, int64_t(1) << 62, int64_t(1) << 62};
  FAILS(TENON_ERROR_OVERFLOW, "2^63", tenon_array_create(device_.get(), TENON_FLOAT32, 2, huge, nullptr, &out));
  FAILS(TENON_ERROR_SHAPE, "negative", tenon_array_create(device_.get(), TENON_FLOAT32, 2, negative, nullptr, &out));
  FAILS(TENON_ERROR_OVERFLOW, "2^63", tenon_array_create(device_.get(), TENON_FLOAT64, 1, large, nullptr, &out));
  FAILS(TENON_ERROR_DTYPE, "not a dtype", tenon_array_create(device_.get(), 7, 1, large, nullptr, &out));
  FAILS(TENON_ERROR_SHAPE, "rank", tenon_array_create(device_.get(), TENON_FLOAT64, 65, large, nullptr, &out));
  FAILS(TENON_ERROR_SHAPE, "rank", tenon_array_create(device_.get(), TENON_FLOAT64, -1, large, nullptr, &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "shape",
        tenon_array_create(device_.get(), TENON_FLOAT64, 1, nullptr, nullptr, &out));
  OK(tenon_array_zeros(device_.get(), TENON_FLOAT64, 3, zero, nullptr, &out));
  EXPECT_EQ(info(out).size, 0);
  tenon_array_release(out);
  const int64_t too_much[] = {int64_t(1) << 50};
  FAILS(TENON_ERROR_OUT_OF_MEMORY, "", tenon_array_create(device_.get(), TENON_FLOAT32, 1, too_much, nullptr, &out));
  EXPECT_EQ(out, nullptr);
}

TEST_P(ArrayTest, views_of_a_buffer_must_lie_inside_it) {
  tenon_buffer* buffer = nullptr;
  OK(tenon_buffer_create(device_.get(), 64, TENON_MEMORY_DEVICE, nullptr, &buffer));
  BufferPtr owner(buffer);
  struct Row {
    int64_t extent, stride;
    uint64_t offset;
    int32_t status;
  } rows[] = {{16, 1, 0, TENON_OK},
              {17, 1, 0, TENON_ERROR_OVERFLOW},
              {8, 2, 4, TENON_OK},
              {8, 2, 8, TENON_ERROR_OVERFLOW},
              {16, -1, 60, TENON_OK},
              {16, -1, 56, TENON_ERROR_OVERFLOW},
              {1, 1, 2, TENON_ERROR_LAYOUT},
              {0, 1, 1000, TENON_OK},
              {2, INT64_MAX, 0, TENON_ERROR_OVERFLOW},
              {3, INT64_MIN, 0, TENON_ERROR_OVERFLOW},
              {1, 1, UINT64_MAX, TENON_ERROR_OVERFLOW}};
  for (const Row& row : rows) {
    tenon_array* out = nullptr;
    EXPECT_EQ(row.status, tenon_array_from_buffer(buffer, TENON_FLOAT32, 1, &row.extent, &row.stride, row.offset, &out))
        << row.extent << " " << row.stride << " " << row.offset << ": " << tenon_error_last_message();
    EXPECT_EQ(out != nullptr, row.status == TENON_OK);
    tenon_array_release(out);
  }
}

TEST_P(ArrayTest, packed_types_are_stored_and_copied_whole) {
  const int64_t n = 5;
  const unsigned char bytes[] = {0x21, 0x43, 0x05};
  tenon_array* out = nullptr;
  OK(tenon_array_from_host(device_.get(), TENON_FLOAT4_E2M1FN, 1, &n, bytes, 3, nullptr, &out));
  ArrayPtr a(out);
  EXPECT_EQ(info(a.get()).bytes, 3u);
  OK(tenon_array_convert(a.get(), TENON_FLOAT4_E2M1FN, nullptr, nullptr, &out));
  ArrayPtr b(out);
  unsigned char back[3] = {};
  OK(tenon_array_to_host(b.get(), back, 3, nullptr));
  EXPECT_EQ(0, std::memcmp(bytes, back, 3));
  FAILS(TENON_ERROR_DTYPE, "no conversion", tenon_array_convert(a.get(), TENON_FLOAT32, nullptr, nullptr, &out));
  FAILS(TENON_ERROR_SHAPE, "3", tenon_array_to_host(a.get(), back, 2, nullptr));
}

// Lanes smaller than a byte, in elements of whole bytes: 1, 2, 3, 6 and 8 bytes.
TEST_P(ArrayTest, vectors_of_packed_lanes_are_elements_like_others) {
  for (const uint32_t dtype : {TENON_DTYPE(17, 4, 2), TENON_DTYPE(17, 4, 4), TENON_DTYPE(15, 6, 4),
                               TENON_DTYPE(16, 6, 8), TENON_DTYPE(17, 4, 16)}) {
    SCOPED_TRACE(tenon_dtype_name(dtype));
    uint32_t bits = 0;
    OK(tenon_dtype_bits(dtype, &bits));
    const size_t bytes = bits / 8;
    const int64_t shape[] = {3, 5}, start[] = {0, 4}, step[] = {1, -2};
    std::vector<uint8_t> given(15 * bytes), back(given.size(), 1), every_second(9 * bytes);
    for (size_t i = 0; i < given.size(); ++i) given[i] = uint8_t(7 * i + 1);
    tenon_array *a = nullptr, *zeros = nullptr, *turned = nullptr, *packed = nullptr, *converted = nullptr;
    OK(tenon_array_from_host(device_.get(), dtype, 2, shape, given.data(), given.size(), nullptr, &a));
    const ArrayPtr own_a(a);
    OK(tenon_array_slice(a, 2, start, nullptr, step, &turned));
    const ArrayPtr own_turned(turned);
    OK(tenon_array_convert(turned, dtype, nullptr, nullptr, &packed));
    const ArrayPtr own_packed(packed);
    OK(tenon_array_to_host(packed, every_second.data(), every_second.size(), nullptr));
    for (size_t row = 0; row < 3; ++row)
      for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(0, std::memcmp(&every_second[(row * 3 + i) * bytes], &given[(row * 5 + 4 - 2 * i) * bytes], bytes))
            << row << ", " << i;
    OK(tenon_array_fill(turned, number(0), nullptr));
    OK(tenon_array_to_host(a, back.data(), back.size(), nullptr));
    for (size_t i = 0; i < 15; ++i)
      for (size_t k = 0; k < bytes; ++k)
        EXPECT_EQ(back[i * bytes + k], i % 5 % 2 ? given[i * bytes + k] : 0) << i << ", " << k;
    OK(tenon_array_zeros(device_.get(), dtype, 2, shape, nullptr, &zeros));
    const ArrayPtr own_zeros(zeros);
    OK(tenon_array_to_host(zeros, back.data(), back.size(), nullptr));
    EXPECT_EQ(back, std::vector<uint8_t>(given.size()));
    FAILS(TENON_ERROR_DTYPE, "it can be filled with 0 only", tenon_array_fill(zeros, number(1), nullptr));
    FAILS(TENON_ERROR_DTYPE, "no conversion", tenon_array_convert(a, TENON_FLOAT32, nullptr, nullptr, &converted));
  }
}

TEST_P(ArrayTest, a_view_of_more_bytes_than_can_be_counted_is_refused_when_it_is_made) {
  const ArrayPtr one = counting(device_.get(), {1});
  tenon_array* view = nullptr;
  const int64_t last[] = {(int64_t(1) << 61) - 1}, first[] = {int64_t(1) << 61};
  OK(tenon_array_broadcast(one.get(), 1, last, &view));
  const ArrayPtr own(view);
  EXPECT_EQ(info(view).bytes, ((uint64_t(1) << 61) - 1) * 4);
  FAILS(TENON_ERROR_OVERFLOW, "2^63 bytes", tenon_array_broadcast(one.get(), 1, first, &view));
}

TEST_P(ArrayTest, host_memory_may_start_at_any_address) {
  ArrayPtr a = counting(device_.get(), {3, 5});
  std::vector<char> room(61);
  OK(tenon_array_to_host(a.get(), room.data() + 1, 60, nullptr));
  int32_t third;
  std::memcpy(&third, room.data() + 1 + 12, 4);
  EXPECT_EQ(third, 3);
  OK(tenon_array_fill(a.get(), number(9), nullptr));
  OK(tenon_array_set_from_host(a.get(), room.data() + 1, 60, nullptr));
  EXPECT_EQ(values<int32_t>(a.get())[14], 14);
}

TEST_P(ArrayTest, fill_sets_every_dtype) {
  struct Row {
    uint32_t dtype;
    std::vector<unsigned char> bytes;
  } rows[] = {{TENON_INT8, {0xfe}},
              {TENON_FLOAT16, {0x00, 0xc0}},
              {TENON_BFLOAT16, {0x00, 0xc0}},
              {TENON_FLOAT32, {0, 0, 0, 0xc0}},
              {TENON_FLOAT64, {0, 0, 0, 0, 0, 0, 0, 0xc0}},
              {TENON_COMPLEX64, {0, 0, 0, 0xc0, 0, 0, 0x80, 0x3f}}};
  for (const Row& row : rows) {
    const int64_t n = 3;
    tenon_array* out = nullptr;
    OK(tenon_array_create(device_.get(), row.dtype, 1, &n, nullptr, &out));
    ArrayPtr a(out);
    OK(tenon_array_fill(a.get(), row.dtype == TENON_COMPLEX64 ? number(-2, 1) : number(-2), nullptr));
    std::vector<unsigned char> back(row.bytes.size() * 3);
    OK(tenon_array_to_host(a.get(), back.data(), back.size(), nullptr));
    for (size_t i = 0; i < back.size(); ++i)
      EXPECT_EQ(back[i], row.bytes[i % row.bytes.size()]) << tenon_dtype_name(row.dtype) << " byte " << i;
  }
}

// The value as an element, or the reason why it cannot be one.
TEST_P(ArrayTest, fill_takes_every_value_exactly_or_refuses_it) {
  struct Row {
    tenon_arg value;
    uint32_t dtype;
    std::vector<unsigned char> bytes;
    const char* refused;
  } rows[] = {{TENON_I64_ARG((int64_t(1) << 53) + 1), TENON_INT64, {1, 0, 0, 0, 0, 0, 0x20, 0}, nullptr},
              {TENON_U64_ARG(UINT64_MAX), TENON_UINT64, {255, 255, 255, 255, 255, 255, 255, 255}, nullptr},
              {TENON_I64_ARG(INT64_MIN), TENON_INT64, {0, 0, 0, 0, 0, 0, 0, 128}, nullptr},
              {TENON_U64_ARG(UINT64_MAX), TENON_INT64, {}, "18446744073709551615, which int64 cannot hold"},
              {TENON_I8_ARG(-1), TENON_UINT16, {}, "0 to 65535"},
              {TENON_F64_ARG(300), TENON_INT8, {}, "-128 to 127"},
              {TENON_F64_ARG(0.5), TENON_INT32, {}, "pass an integer"},
              {TENON_F64_ARG(NAN), TENON_INT32, {}, "pass an integer"},
              {TENON_F32_ARG(-7), TENON_INT16, {0xf9, 0xff}, nullptr},
              {TENON_C128_ARG(1, 5), TENON_INT8, {}, "no imaginary part"},
              {TENON_C64_ARG(1, 5), TENON_FLOAT32, {}, "no imaginary part"},
              {TENON_C64_ARG(1, 0), TENON_FLOAT32, {0, 0, 0x80, 0x3f}, nullptr},
              {TENON_BOOL_ARG(7), TENON_BOOL, {1}, nullptr},
              {TENON_U8_ARG(2), TENON_BOOL, {}, "0 to 1"},
              {TENON_F64_ARG(1e6), TENON_FLOAT16, {}, "beyond the largest float16"},
              {TENON_F64_ARG(1e39), TENON_FLOAT32, {}, "beyond the largest float32"},
              {TENON_F64_ARG(INFINITY), TENON_FLOAT32, {0, 0, 0x80, 0x7f}, nullptr},
              {TENON_F64_ARG(-0.0), TENON_FLOAT32, {0, 0, 0, 0x80}, nullptr},
              {TENON_F16_ARG(0x3c01), TENON_FLOAT16, {1, 0x3c}, nullptr},
              {TENON_BF16_ARG(0x3f80), TENON_FLOAT64, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, nullptr},
              {TENON_I32_ARG(16777217), TENON_FLOAT32, {0, 0, 0x80, 0x4b}, nullptr},
              {TENON_POINTER_ARG(nullptr), TENON_FLOAT32, {}, "kind 3"}};
  for (const Row& row : rows) {
    const int64_t n = 2;
    tenon_array* out = nullptr;
    OK(tenon_array_zeros(device_.get(), row.dtype, 1, &n, nullptr, &out));
    const ArrayPtr a(out);
    std::vector<unsigned char> want(info(out).bytes), back(info(out).bytes);
    if (row.refused) {
      FAILS(TENON_ERROR_INVALID_ARGUMENT, row.refused, tenon_array_fill(out, &row.value, nullptr));
    } else {
      OK(tenon_array_fill(out, &row.value, nullptr));
      for (size_t i = 0; i < want.size(); ++i) want[i] = row.bytes[i % row.bytes.size()];
    }
    OK(tenon_array_to_host(out, back.data(), back.size(), nullptr));
    EXPECT_EQ(want, back) << tenon_dtype_name(row.value.dtype) << " to " << tenon_dtype_name(row.dtype);
  }
}

TEST(Dtypes, names_stay_where_they_are) {
  const char *f = tenon_dtype_name(TENON_FLOAT32), *i = tenon_dtype_name(TENON_INT8),
             *x = tenon_dtype_name(TENON_DTYPE(2, 32, 4));
  const char *of_thread = nullptr, *none = tenon_dtype_name(0xffffffff);
  std::thread([&] { of_thread = tenon_dtype_name(TENON_DTYPE(2, 32, 3)); }).join();
  EXPECT_STREQ("float32", f);
  EXPECT_STREQ("int8", i);
  EXPECT_STREQ("float32x4", x);
  EXPECT_STREQ("float32x3", of_thread);
  EXPECT_STREQ("invalid", none);
}

INSTANTIATE_TEST_SUITE_P(devices, ArrayTest, ::testing::Values("cpu:0", "cuda:0"),
                         [](const auto& info) { return std::string(info.param, 3) == "cpu" ? "cpu" : "cuda"; });

}  // namespace
