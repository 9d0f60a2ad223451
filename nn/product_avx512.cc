#include "nn/product_kernels.h"
#include "nn/product_tiles.h"
#include "nn/row_loops.h"

namespace apiary::nn {

const ProductKernel kAvx512Product = {"avx512",     16,       true, &MultiplyTiles<16, 12>,
                                      &RunPeak<16>, kRowLoops};

}  // namespace apiary::nn
