// tests/abi/tour.cpp: the tour of tour.c as C++11.
#include "tour.c"
