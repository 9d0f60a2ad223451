// Evaluator over an exported .onnx file: reads it as any program would and runs its graph node by
// node on nn/onnx_operators.h. There to check what was written: correct, not fast. One thread at a
// time; Submit computes at once.
#pragma once

#include <nn/onnx_model.pb.h>

#include <map>
#include <memory>
#include <string>

#include "nn/evaluator.h"
#include "nn/onnx_operators.h"

namespace apiary::nn {

class OnnxEvaluator : public Evaluator {
 public:
  // Throws apiary::Error where a tensor of the model cannot be read.
  explicit OnnxEvaluator(onnx::ModelProto model);

  // Throws apiary::Error where the graph cannot be run.
  void Submit(const env::Block& block, Evaluation& evaluation) override;
  void Wait(Evaluation&) override {}
  std::string Describe() const override;

  const onnx::ModelProto& model() const { return model_; }

 private:
  onnx::ModelProto model_;
  std::map<std::string, OnnxValue> constants_;
  std::map<std::string, int> last_use_;  // the last node that reads a tensor; not of outputs
};

// The failure says what is wrong with the file: not ONNX, another operator set, inputs or outputs
// of other names.
base::Result<std::unique_ptr<Evaluator>> MakeOnnxEvaluator(const std::string& path);

}  // namespace apiary::nn
