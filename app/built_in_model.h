// The net that ships with the stand-alone engine, inside the program.
#pragma once

#include "play/uhp_engine.h"

namespace apiary::app {

play::UhpModel BuiltInModel();

}  // namespace apiary::app
