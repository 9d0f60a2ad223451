// One evaluator for several threads, for devices that want large blocks: what waits is joined into
// one block, evaluated on a thread of its own, and given back.
//
//   worker thread: client.Submit ──┐                       ┌─► client.Wait
//   worker thread: client.Submit ──┼─► one thread: join, ──┼─► client.Wait
//   worker thread: client.Submit ──┘   evaluate, split     └─► client.Wait
//
// A joined block leaves as soon as the device is free, with all that waits by then: the more
// threads, the larger the blocks. While the device works on one the next is joined and submitted.
// Outputs are those of the inner evaluator for the same positions. Any thread; each client is used
// by one.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "nn/evaluator.h"

namespace apiary::nn {

class MergedEvaluator : public std::enable_shared_from_this<MergedEvaluator> {
 public:
  // Called once, on the thread that evaluates; may throw, which the constructor passes on.
  using Maker = std::function<std::unique_ptr<Evaluator>()>;

  // most_positions: of a joined block, at least 1; a larger block of one client goes alone.
  MergedEvaluator(Maker make, int most_positions);
  // Precondition: no client is left.
  ~MergedEvaluator();
  MergedEvaluator(const MergedEvaluator&) = delete;
  MergedEvaluator& operator=(const MergedEvaluator&) = delete;

  // An evaluator that keeps this object alive. Its Wait throws what the inner evaluator threw for
  // the block that its own was part of.
  std::unique_ptr<Evaluator> NewClient();

  // Blocks that clients have submitted, and joined ones that were evaluated, so far.
  std::uint64_t submitted() const;
  std::uint64_t evaluated() const;

 private:
  class Client;
  // A client's block on its way.
  struct Request {
    const env::Block* block;
    Evaluation* evaluation;
    bool done = false;
    std::exception_ptr error;
  };
  // A joined block with the evaluator.
  struct Joined {
    std::vector<Request*> requests;
    env::Block block;  // unused with one request
    Evaluation evaluation;
    std::exception_ptr error;
  };

  void Enqueue(Request& request);
  void WaitFor(Request& request);
  void ThreadMain(const Maker& make);
  void Serve(Evaluator& inner);
  // Takes what waits, up to most_positions_; the lock is held.
  void Take(Joined& joined);
  void Submit(Evaluator& inner, Joined& joined);
  void Finish(Evaluator& inner, Joined& joined);
  static void Split(Joined& joined);

  const int most_positions_;
  mutable std::mutex mutex_;  // guards what follows, and every Request
  std::condition_variable waiting_, finished_;
  std::deque<Request*> queue_;
  std::string description_;
  bool ready_ = false;
  bool stopping_ = false;
  std::exception_ptr failed_to_start_;
  std::uint64_t submitted_ = 0, evaluated_ = 0;
  std::thread thread_;
};

}  // namespace apiary::nn
