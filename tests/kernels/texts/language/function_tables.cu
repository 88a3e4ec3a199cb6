// Tables of pointers to functions, in constant and device memory, and as members.
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ Operation chosen[3] = {add, sub, mul};
__constant__ Operation fixed[] = {mul, add};
struct Step {
  Operation operation;
  int operand;
};
__device__ const Step steps[] = {{add, 5}, {mul, 3}, {sub, 1}};
struct Machine {
  int value;
  __device__ void twice() { value *= 2; }
  __device__ void more() { value += 7; }
};
__global__ void tables(int* y) {
  const int t = threadIdx.x;
  int v = chosen[t % 3](t, 4) * 1000 + fixed[t % 2](t, 2);
  for (const Step& step : steps) v = step.operation(v, step.operand);
  void (Machine::*const member)() = t % 2 ? &Machine::twice : &Machine::more;
  Machine machine = {v};
  (machine.*member)();
  y[t] = machine.value;
}
