#include "nn/product_kernels.h"
#include "nn/product_tiles.h"
#include "nn/row_loops.h"

namespace apiary::nn {

const ProductKernel kAvx2Product = {"avx2", 8, true, &MultiplyTiles<8, 6>, &RunPeak<8>, kRowLoops};

}  // namespace apiary::nn
