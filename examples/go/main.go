// examples/go/main.go: a kernel, a product and an operation of a package from Go, by cgo.
// Go's collector may move what C would keep a pointer to, so the elements are copied in and out.
// Build: CGO_CFLAGS and CGO_LDFLAGS as pkg-config says, then `go run . [DEVICE]`.
package main

/*
#include <stdlib.h>
#include <tenon/tenon.h>

// cgo can neither use macros nor set members of unions.
static tenon_arg array_arg(tenon_array* array) { return TENON_ARRAY_ARG(array); }
static tenon_arg f32_arg(float value) { return TENON_F32_ARG(value); }
static tenon_arg i32_arg(int32_t value) { return TENON_I32_ARG(value); }
static int32_t compile(tenon_device* device, const char* source, uint64_t size, const char* name, tenon_kernel** out) {
  tenon_program_options options = {.struct_size = sizeof options, .kernels = &name, .kernel_count = 1};
  tenon_program* program = NULL;
  int32_t status = tenon_program_create(device, source, size, &options, &program);
  if (status == TENON_OK) status = tenon_program_kernel(program, name, out);
  tenon_program_release(program);
  return status;
}
static int32_t launch(tenon_kernel* kernel, uint32_t blocks, uint32_t threads, const tenon_arg* args, int32_t count) {
  tenon_launch geometry = {.struct_size = sizeof geometry, .grid = {blocks}, .block = {threads}};
  return tenon_kernel_launch(kernel, &geometry, args, count, NULL);
}
*/
import "C"

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"unsafe"
)

const source = `extern "C" __global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}`

// The error record belongs to the thread, which main has locked.
func check(status C.int32_t) {
	if status != C.TENON_OK {
		fmt.Fprintln(os.Stderr, C.GoString(C.tenon_error_last_message()))
		os.Exit(1)
	}
}

func toDevice(device *C.tenon_device, rows, columns int64, values []float32) *C.tenon_array {
	shape := [2]C.int64_t{C.int64_t(rows), C.int64_t(columns)}
	var array *C.tenon_array
	check(C.tenon_array_from_host(device, C.TENON_FLOAT32, 2, &shape[0], unsafe.Pointer(&values[0]),
		C.uint64_t(4*len(values)), nil, &array))
	return array
}

func toHost(array *C.tenon_array, count int) []float32 {
	values := make([]float32, count)
	check(C.tenon_array_to_host(array, unsafe.Pointer(&values[0]), C.uint64_t(4*count), nil))
	return values
}

func expect(got float32, exact float64, what string) {
	if !(math.Abs(float64(got)-exact) <= 1e-5) {
		fmt.Fprintf(os.Stderr, "%s is wrong: %g, not %g\n", what, got, exact)
		os.Exit(1)
	}
}

func main() {
	runtime.LockOSThread()
	where := "cpu:0"
	if len(os.Args) > 1 {
		where = os.Args[1]
	}
	name := C.CString(where)
	defer C.free(unsafe.Pointer(name))
	var device *C.tenon_device
	check(C.tenon_context_device(nil, name, &device))
	defer C.tenon_device_release(device)

	const m, k, n = 5, 7, 3
	a, b := make([]float32, m*k), make([]float32, k*n)
	for i := range a {
		a[i] = float32(i%11) / 8
	}
	for i := range b {
		b[i] = 1 - float32(i%5)/4
	}
	da, db := toDevice(device, m, k, a), toDevice(device, k, n, b)
	defer C.tenon_array_release(da)
	defer C.tenon_array_release(db)

	text, kernelName := C.CString(source), C.CString("scale")
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(kernelName))
	var kernel *C.tenon_kernel
	check(C.compile(device, text, C.uint64_t(len(source)), kernelName, &kernel))
	defer C.tenon_kernel_release(kernel)
	args := []C.tenon_arg{C.array_arg(da), C.f32_arg(2), C.i32_arg(m * k)}
	check(C.launch(kernel, 1, 64, &args[0], 3))
	for i, value := range toHost(da, m*k) {
		expect(value, 2*float64(a[i]), "the kernel")
	}

	var dc *C.tenon_array
	check(C.tenon_gemm(nil, da, db, nil, nil, nil, &dc))
	defer C.tenon_array_release(dc)
	product := toHost(dc, m*n)
	for i := 0; i < m; i++ {
		for j := 0; j < n; j++ {
			sum := 0.0
			for p := 0; p < k; p++ {
				sum += 2 * float64(a[i*k+p]) * float64(b[p*n+j])
			}
			expect(product[i*n+j], sum, "the product")
		}
	}

	operationName := C.CString("elementwise/sigmoid")
	defer C.free(unsafe.Pointer(operationName))
	var operation *C.tenon_operation
	check(C.tenon_operation_find(nil, operationName, nil, &operation))
	defer C.tenon_operation_release(operation)
	args = []C.tenon_arg{C.array_arg(dc), C.array_arg(dc)}
	check(C.tenon_operation_call(operation, &args[0], 2, nil))
	for i, value := range toHost(dc, m*n) {
		expect(value, 1/(1+math.Exp(-float64(product[i]))), "the operation")
	}
	fmt.Println("Go: kernel, product and operation are right")
}
