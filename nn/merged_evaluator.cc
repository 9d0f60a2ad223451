#include "nn/merged_evaluator.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "base/check.h"

namespace apiary::nn {

class MergedEvaluator::Client : public Evaluator {
 public:
  explicit Client(std::shared_ptr<MergedEvaluator> owner) : owner_(std::move(owner)) {}
  // The evaluator may still read the blocks of a client that is given up.
  ~Client() override {
    for (const auto& request : requests_) owner_->WaitFor(*request);
  }

  void Submit(const env::Block& block, Evaluation& evaluation) override {
    APIARY_CHECK(block.positions() > 0, "an empty block was submitted");
    APIARY_CHECK(Find(evaluation) == requests_.end(), "an evaluation is in flight twice");
    requests_.push_back(std::make_unique<Request>(Request{&block, &evaluation, false, nullptr}));
    owner_->Enqueue(*requests_.back());
  }
  void Wait(Evaluation& evaluation) override {
    const auto found = Find(evaluation);
    APIARY_CHECK(found != requests_.end(), "Wait for an evaluation that was not submitted");
    const std::unique_ptr<Request> request = std::move(*found);
    requests_.erase(found);
    owner_->WaitFor(*request);
    if (request->error) std::rethrow_exception(request->error);
  }
  std::string Describe() const override { return owner_->description_; }

 private:
  std::vector<std::unique_ptr<Request>>::iterator Find(const Evaluation& evaluation) {
    return std::find_if(requests_.begin(), requests_.end(),
                        [&](const auto& request) { return request->evaluation == &evaluation; });
  }

  std::shared_ptr<MergedEvaluator> owner_;
  std::vector<std::unique_ptr<Request>> requests_;
};

MergedEvaluator::MergedEvaluator(Maker make, int most_positions) : most_positions_(most_positions) {
  APIARY_CHECK(most_positions >= 1, "most_positions = {}", most_positions);
  thread_ = std::thread([this, make = std::move(make)] { ThreadMain(make); });
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return ready_ || failed_to_start_; });
  if (!failed_to_start_) return;
  lock.unlock();
  thread_.join();
  std::rethrow_exception(failed_to_start_);
}

MergedEvaluator::~MergedEvaluator() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  waiting_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::unique_ptr<Evaluator> MergedEvaluator::NewClient() {
  return std::make_unique<Client>(shared_from_this());
}

std::uint64_t MergedEvaluator::submitted() const {
  const std::lock_guard lock(mutex_);
  return submitted_;
}

std::uint64_t MergedEvaluator::evaluated() const {
  const std::lock_guard lock(mutex_);
  return evaluated_;
}

void MergedEvaluator::Enqueue(Request& request) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(&request);
    ++submitted_;
  }
  waiting_.notify_one();
}

void MergedEvaluator::WaitFor(Request& request) {
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [&request] { return request.done; });
}

void MergedEvaluator::ThreadMain(const Maker& make) {
  std::unique_ptr<Evaluator> inner;
  try {
    inner = make();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failed_to_start_ = std::current_exception();
    finished_.notify_all();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    description_ = inner->Describe();
    ready_ = true;
    finished_.notify_all();
  }
  Serve(*inner);
}

void MergedEvaluator::Serve(Evaluator& inner) {
  std::array<Joined, 2> blocks;
  std::deque<Joined*> in_flight;
  std::deque<Joined*> free{&blocks[0], &blocks[1]};
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (in_flight.empty()) waiting_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_ && queue_.empty() && in_flight.empty()) return;
      if (!queue_.empty() && !free.empty()) {
        Take(*free.front());
        in_flight.push_back(free.front());
        free.pop_front();
        lock.unlock();
        Submit(inner, *in_flight.back());
        if (!free.empty()) continue;
      }
    }
    Finish(inner, *in_flight.front());
    free.push_back(in_flight.front());
    in_flight.pop_front();
  }
}

void MergedEvaluator::Take(Joined& joined) {
  joined.requests.clear();
  joined.error = nullptr;
  int positions = 0;
  while (!queue_.empty()) {
    const int more = queue_.front()->block->positions();
    if (!joined.requests.empty() && positions + more > most_positions_) return;
    positions += more;
    joined.requests.push_back(queue_.front());
    queue_.pop_front();
  }
}

void MergedEvaluator::Submit(Evaluator& inner, Joined& joined) {
  try {
    if (joined.requests.size() == 1) {
      inner.Submit(*joined.requests[0]->block, *joined.requests[0]->evaluation);
      return;
    }
    joined.block.Clear();
    for (const Request* request : joined.requests) env::AppendBlock(*request->block, joined.block);
    inner.Submit(joined.block, joined.evaluation);
  } catch (...) {
    joined.error = std::current_exception();
  }
}

void MergedEvaluator::Finish(Evaluator& inner, Joined& joined) {
  try {
    if (!joined.error) {
      const bool alone = joined.requests.size() == 1;
      inner.Wait(alone ? *joined.requests[0]->evaluation : joined.evaluation);
      if (!alone) Split(joined);
    }
  } catch (...) {
    joined.error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ++evaluated_;
    for (Request* request : joined.requests) {
      request->error = joined.error;
      request->done = true;
    }
  }
  finished_.notify_all();
}

void MergedEvaluator::Split(Joined& joined) {
  const Evaluation& from = joined.evaluation;
  std::size_t position = 0;
  std::size_t move = 0;
  for (const Request* request : joined.requests) {
    const auto positions = static_cast<std::size_t>(request->block->positions());
    const auto moves = static_cast<std::size_t>(request->block->move_count());
    const auto copy = [](const auto& source, std::size_t begin, std::size_t count, auto& target) {
      const auto first = source.begin() + static_cast<std::ptrdiff_t>(begin);
      target.assign(first, first + static_cast<std::ptrdiff_t>(count));
    };
    copy(from.logits, move, moves, request->evaluation->logits);
    copy(from.wdl, position, positions, request->evaluation->wdl);
    copy(from.moves_left, position, positions, request->evaluation->moves_left);
    position += positions;
    move += moves;
  }
}

}  // namespace apiary::nn
