// Threads that end together: the first exception of one is kept, stops the others and is thrown
// again by Join. Owned by one thread.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/stop.h"

namespace apiary::train {

class ThreadGroup {
 public:
  ThreadGroup() = default;
  ~ThreadGroup();  // requests a stop and waits
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  // Set when somebody asked the group to stop, or a thread failed.
  base::StopToken& stop() { return stop_; }
  void Start(std::function<void(const base::StopToken&)> work);
  // Threads that have not returned yet.
  int running() const { return running_.load(); }
  // Waits for all threads, then throws the first exception, if any.
  void Join();

 private:
  void WaitForAll();

  base::StopToken stop_;
  std::atomic<int> running_{0};
  std::mutex mutex_;
  std::exception_ptr first_failure_;
  std::vector<std::thread> threads_;
};

}  // namespace apiary::train
