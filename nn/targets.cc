#include "nn/targets.h"

namespace apiary::nn {

void Targets::Clear() {
  for (std::vector<float>* values :
       {&policy, &policy_weight, &value_weight, &moves_left, &moves_left_weight})
    values->clear();
  wdl.clear();
}

}  // namespace apiary::nn
