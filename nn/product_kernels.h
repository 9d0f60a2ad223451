// The kernels by width of vectors; which of them may run, nn/matrix_product.cc decides.
#pragma once

#include "nn/matrix_product.h"

namespace apiary::nn {

#if defined(__x86_64__)
extern const ProductKernel kAvx512Product, kAvx2Product;
#endif
extern const ProductKernel kPortableProduct;

}  // namespace apiary::nn
