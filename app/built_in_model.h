// The net that ships with the programs, inside them: they need no other file to play.
#pragma once

#include <string>

#include "nn/weights.h"
#include "play/uhp_search.h"

namespace apiary::app {

struct BuiltInModel {
  std::string name;
  nn::NetSpec spec;
  play::UhpSearch::EvaluatorSource source;  // on the CPU
};
BuiltInModel LoadBuiltInModel();

}  // namespace apiary::app
