#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace apiary::base {
namespace {
thread_local const ScopedCheckContext* innermost_context = nullptr;
}  // namespace

ScopedCheckContext::ScopedCheckContext(std::function<std::string()> describe)
    : describe_(std::move(describe)), outer_(innermost_context) {
  innermost_context = this;
}

ScopedCheckContext::~ScopedCheckContext() { innermost_context = outer_; }

void CheckFailed(const char* file, int line, const char* condition, const std::string& message) {
  std::fprintf(stderr, "apiary: check failed at %s:%d: %s\n  %s\n", file, line, condition,
               message.c_str());
  // A check that fails inside Describe must not recurse into the same context.
  const ScopedCheckContext* context = std::exchange(innermost_context, nullptr);
  for (; context != nullptr; context = context->outer())
    std::fprintf(stderr, "  at: %s\n", context->Describe().c_str());
  std::fflush(stderr);
  std::abort();
}

}  // namespace apiary::base
