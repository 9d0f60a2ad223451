#include "nn/product_kernels.h"
#include "nn/product_tiles.h"
#include "nn/row_loops.h"

namespace apiary::nn {

const ProductKernel kPortableProduct = {"portable",           4,           false,
                                        &MultiplyTiles<4, 6>, &RunPeak<4>, kRowLoops};

}  // namespace apiary::nn
