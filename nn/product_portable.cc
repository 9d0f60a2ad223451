#include "nn/product_kernels.h"
#include "nn/product_tiles.h"

namespace apiary::nn {

const ProductKernel kPortableProduct = {"portable", 4, false, &MultiplyTiles<4, 6>, &RunPeak<4>};

}  // namespace apiary::nn
