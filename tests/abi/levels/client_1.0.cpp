// tests/abi/levels/client_1.0.cpp: the client of level 1.0, compiled as C++.
#include "client_1.0.c"
