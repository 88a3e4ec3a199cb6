! examples/fortran/main.f90: a kernel, a product and an operation of a package on Fortran's own arrays, by
! iso_c_binding. Fortran's first axis is the fastest one: the shape is handed over in the opposite order, and no element is copied.
! Build: gfortran main.f90 -ltenon. Usage: main [DEVICE]
module tenon
  use iso_c_binding
  implicit none
  integer(c_int32_t), parameter :: float32 = int(z'12002', c_int32_t), arg_array = 1, arg_scalar = 2

  type, bind(c) :: argument ! tenon_arg; `value` is its union of 16 bytes
    integer(c_int32_t) :: kind = 0, dtype = 0
    integer(c_int64_t) :: size = 0, value(2) = 0
  end type
  type, bind(c) :: geometry ! tenon_launch
    integer(c_int32_t) :: struct_size = 48, flags = 0, grid(3) = 0, block(3) = 0, cluster(3) = 0, shared_bytes = 0
  end type
  type, bind(c) :: program_options ! tenon_program_options
    integer(c_int32_t) :: struct_size = 0, flags = 0
    type(c_ptr) :: name = c_null_ptr, kernels = c_null_ptr
    integer(c_int32_t) :: kernel_count = 0, header_count = 0
    type(c_ptr) :: header_names = c_null_ptr, header_sources = c_null_ptr, options = c_null_ptr
    integer(c_int32_t) :: option_count = 0, mode = 0
    type(c_ptr) :: architecture = c_null_ptr, globals = c_null_ptr
    integer(c_int32_t) :: global_count = 0, reserved = 0
    real(c_double) :: time_limit = 0
  end type

  interface
    integer(c_int32_t) function tenon_context_device(context, name, device) bind(c)
      import; type(c_ptr), value :: context; character(c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: device
    end function
    type(c_ptr) function tenon_error_last_message() bind(c)
      import
    end function
    integer(c_int32_t) function tenon_program_create(device, source, size, options, program) bind(c)
      import; type(c_ptr), value :: device; character(c_char), intent(in) :: source(*)
      integer(c_int64_t), value :: size; type(program_options), intent(in) :: options
      type(c_ptr), intent(out) :: program
    end function
    integer(c_int32_t) function tenon_program_kernel(program, name, kernel) bind(c)
      import; type(c_ptr), value :: program; character(c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: kernel
    end function
    integer(c_int32_t) function tenon_kernel_launch(kernel, launch, args, count, stream) bind(c)
      import; type(c_ptr), value :: kernel, stream; type(geometry), intent(in) :: launch
      type(argument), intent(in) :: args(*); integer(c_int32_t), value :: count
    end function
    integer(c_int32_t) function tenon_buffer_wrap(device, data, bytes, kind, read_only, stream, destroy, user, buffer) &
        bind(c)
      import; type(c_ptr), value :: device, data, stream, user; integer(c_int64_t), value :: bytes
      integer(c_int32_t), value :: kind, read_only; type(c_funptr), value :: destroy; type(c_ptr), intent(out) :: buffer
    end function
    integer(c_int32_t) function tenon_array_from_buffer(buffer, dtype, rank, shape, strides, offset, array) bind(c)
      import; type(c_ptr), value :: buffer, strides; integer(c_int32_t), value :: dtype, rank
      integer(c_int64_t), intent(in) :: shape(*); integer(c_int64_t), value :: offset; type(c_ptr), intent(out) :: array
    end function
    integer(c_int32_t) function tenon_gemm(alpha, a, b, beta, options, stream, c) bind(c)
      import; type(c_ptr), value :: alpha, a, b, beta, options, stream; type(c_ptr), intent(inout) :: c
    end function
    integer(c_int32_t) function tenon_operation_find(context, name, range, operation) bind(c)
      import; type(c_ptr), value :: context, range; character(c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: operation
    end function
    integer(c_int32_t) function tenon_operation_call(operation, args, count, stream) bind(c)
      import; type(c_ptr), value :: operation, stream; type(argument), intent(in) :: args(*)
      integer(c_int32_t), value :: count
    end function
    subroutine tenon_release(handle) bind(c)
      import; type(c_ptr), value :: handle
    end subroutine
    integer(c_size_t) function strlen(text) bind(c)
      import; type(c_ptr), value :: text
    end function
  end interface

contains

  subroutine check(status)
    integer(c_int32_t), intent(in) :: status
    character(c_char), pointer :: text(:)
    type(c_ptr) :: message
    if (status == 0) return
    message = tenon_error_last_message()
    call c_f_pointer(message, text, [strlen(message)])
    print *, text
    stop 1
  end subroutine

  ! The memory of a matrix as an array, which must be released before the matrix goes.
  type(c_ptr) function lend(device, matrix) result(array)
    type(c_ptr), intent(in) :: device
    real(c_float), intent(in), target, contiguous :: matrix(:, :)
    type(c_ptr) :: buffer
    call check(tenon_buffer_wrap(device, c_loc(matrix), 4_c_int64_t * size(matrix), 0, 0, c_null_ptr, c_null_funptr, &
                                 c_null_ptr, buffer))
    call check(tenon_array_from_buffer(buffer, float32, 2, [integer(c_int64_t) :: size(matrix, 2), size(matrix, 1)], &
                                       c_null_ptr, 0_c_int64_t, array))
    call tenon_release(buffer)
  end function

  type(argument) function array_of(array)
    type(c_ptr), intent(in) :: array
    array_of = argument(kind=arg_array, value=[transfer(array, 0_c_int64_t), 0_c_int64_t])
  end function

  ! A number of 32 bits.
  type(argument) function scalar(dtype, bits)
    integer(c_int32_t), intent(in) :: dtype, bits
    scalar = argument(kind=arg_scalar, dtype=dtype, size=4, value=[int(bits, c_int64_t), 0_c_int64_t])
  end function

end module

program main
  use tenon
  implicit none
  character(*), parameter :: source = &
    'extern "C" __global__ void scale(float* x, float a, int n) {' // new_line('a') // &
    '  int i = blockIdx.x * blockDim.x + threadIdx.x;' // new_line('a') // &
    '  if (i < n) x[i] *= a;' // new_line('a') // '}'
  integer(c_int32_t), parameter :: int32 = int(z'12000', c_int32_t)
  character(c_char), target :: name(6) = ['s', 'c', 'a', 'l', 'e', c_null_char]
  type(c_ptr), target :: names(1)
  type(c_ptr) :: device, program, kernel, operation, da, db, dc
  type(program_options) :: options
  type(geometry) :: launch
  real(c_float), target :: a(5, 7), b(7, 3), c(5, 3), before(5, 7), product(5, 3)
  character(100) :: where = 'cpu:0'

  if (command_argument_count() > 0) call get_command_argument(1, where)
  call check(tenon_context_device(c_null_ptr, trim(where) // c_null_char, device))
  call random_number(a)
  call random_number(b)
  c = 0
  before = a
  da = lend(device, a)
  db = lend(device, b)
  dc = lend(device, c)

  names(1) = c_loc(name)
  options%struct_size = int(c_sizeof(options), c_int32_t)
  options%kernels = c_loc(names)
  options%kernel_count = 1
  call check(tenon_program_create(device, source, len(source, c_int64_t), options, program))
  call check(tenon_program_kernel(program, 'scale' // c_null_char, kernel))
  launch%grid(1) = 1
  launch%block(1) = 64
  call check(tenon_kernel_launch(kernel, launch, [array_of(da), scalar(float32, transfer(2.0, 0_c_int32_t)), &
                                 scalar(int32, size(a))], 3, c_null_ptr))
  if (maxval(abs(a - 2 * before)) > 0) error stop 'the kernel is wrong'

  ! In C order these are the transposed matrices: c^T = b^T a^T.
  call check(tenon_gemm(c_null_ptr, db, da, c_null_ptr, c_null_ptr, c_null_ptr, dc))
  product = matmul(a, b)
  if (maxval(abs(c - product)) > 1e-5) error stop 'the product is wrong'

  call check(tenon_operation_find(c_null_ptr, 'elementwise/sigmoid' // c_null_char, c_null_ptr, operation))
  call check(tenon_operation_call(operation, [array_of(dc), array_of(dc)], 2, c_null_ptr))
  if (maxval(abs(c - 1 / (1 + exp(-product)))) > 1e-5) error stop 'the operation is wrong'

  call tenon_release(da)
  call tenon_release(db)
  call tenon_release(dc)
  call tenon_release(operation)
  call tenon_release(kernel)
  call tenon_release(program)
  call tenon_release(device)
  print '(a)', 'Fortran: kernel, product and operation are right'
end program
