#include "nn/product_kernels.h"
#include "nn/product_tiles.h"

namespace apiary::nn {

const ProductKernel kAvx2Product = {"avx2", 8, true, &MultiplyTiles<8, 6>, &RunPeak<8>};

}  // namespace apiary::nn
