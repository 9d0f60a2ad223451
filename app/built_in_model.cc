#include "app/built_in_model.h"

#include <memory>

#include "app/arguments.h"
#include "nn/cpu_evaluator.h"
#include "nn/net_layout.h"
#include "nn/weights.h"

// The bytes of the file APIARY_MODEL, between two symbols.
asm(".section .rodata\n"
    ".balign 64\n"
    "ApiaryModelBegin: .incbin \"" APIARY_MODEL
    "\"\n"
    "ApiaryModelEnd: .byte 0\n"
    ".previous\n");
extern "C" const char ApiaryModelBegin[];
extern "C" const char ApiaryModelEnd[];

namespace apiary::app {

BuiltInModel LoadBuiltInModel() {
  const std::string name = APIARY_MODEL_NAME;
  const auto file = std::make_shared<const nn::TensorFile>(
      OrThrow(nn::ParseTensors({ApiaryModelBegin, ApiaryModelEnd}, name, nn::kWeightsFormat)));
  const nn::NetSpec spec = OrThrow(nn::CheckNet(*file, name));
  return {name, spec, [file, spec]() -> std::unique_ptr<nn::Evaluator> {
            return std::make_unique<nn::CpuEvaluator>(nn::CpuNet(*file, spec));
          }};
}

}  // namespace apiary::app
