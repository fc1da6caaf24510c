#pragma once
// Marks a function for use in kernels too. Outside nvcc it says nothing.

#ifdef __CUDACC__
#define VIADUCT_HOST_DEVICE __host__ __device__
#else
#define VIADUCT_HOST_DEVICE
#endif
