// Vectors of floats for the kernels that are compiled once for each width of a processor's
// registers. Everything is local to the file that includes it: two files must not share an inline
// function that was compiled for the wider processor.
#pragma once

namespace apiary::nn {
namespace {

// kWidth floats that go through registers together; the compiler splits them where registers are
// narrower.
template <int kWidth>
struct FloatVector {
  typedef float Type __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));
};
template <int kWidth>
using Floats = typename FloatVector<kWidth>::Type;

// The kWidth floats from `first` on. By reference, as all vectors are handed on: by value their
// calling convention would depend on the processor that a file is compiled for.
template <int kWidth>
const Floats<kWidth>& At(const float* first) {
  return *reinterpret_cast<const Floats<kWidth>*>(first);
}
template <int kWidth>
Floats<kWidth>& At(float* first) {
  return *reinterpret_cast<Floats<kWidth>*>(first);
}

}  // namespace
}  // namespace apiary::nn
