#include "train/thread_group.h"

#include <utility>

namespace apiary::train {

ThreadGroup::~ThreadGroup() {
  stop_.Request();
  WaitForAll();
}

void ThreadGroup::Start(std::function<void(const base::StopToken&)> work) {
  ++running_;
  threads_.emplace_back([this, work = std::move(work)] {
    try {
      work(stop_);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_failure_) first_failure_ = std::current_exception();
      stop_.Request();
    }
    --running_;
  });
}

void ThreadGroup::Join() {
  WaitForAll();
  if (first_failure_) std::rethrow_exception(std::exchange(first_failure_, nullptr));
}

void ThreadGroup::WaitForAll() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace apiary::train
