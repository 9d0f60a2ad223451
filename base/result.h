// Result<T>: a value, or one clear sentence about text or a file from outside that was wrong.
// apiary::Error: the exception for a world that failed (disk, memory, device); caught at thread
// tops and in main. Any thread.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace apiary {

// Thrown when the world failed. `exit_code` is what main returns for it.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, int exit_code = 1)
      : std::runtime_error(what), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

namespace base {

// Why a Result holds no value: a sentence that names the file, line or field and what was expected.
struct Failure {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}            // NOLINT
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition of the four accessors: ok().
  const T& value() const& {
    APIARY_CHECK(ok(), "Result read although it failed: {}", failure().message);
    return std::get<0>(state_);
  }
  T& value() & {
    APIARY_CHECK(ok(), "Result read although it failed: {}", failure().message);
    return std::get<0>(state_);
  }
  T&& value() && {
    APIARY_CHECK(ok(), "Result read although it failed: {}", failure().message);
    return std::get<0>(std::move(state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  // Precondition: !ok().
  const Failure& failure() const { return std::get<1>(state_); }
  const std::string& error() const { return failure().message; }

 private:
  std::variant<T, Failure> state_;
};

// A Result without a value: default constructed it is a success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) : failure_(std::move(failure)) {}  // NOLINT

  bool ok() const { return !failure_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Failure& failure() const { return *failure_; }
  const std::string& error() const { return failure_->message; }

 private:
  std::optional<Failure> failure_;
};

// Fail("{}: line {}: ...", path, line) -> Failure, converts to any Result<T>.
template <typename... Args>
Failure Fail(fmt::format_string<Args...> format, Args&&... args) {
  return Failure{fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace base
}  // namespace apiary
