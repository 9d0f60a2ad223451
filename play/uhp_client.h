// The other side of the Universal Hive Protocol: a foreign engine in a child process, asked line by
// line. A Result that failed means that the engine is of no use any more (it crashed, does not
// answer, answers nonsense); `err` and `invalidmove` are answers. Lives on one thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "env/rules.h"
#include "play/child_process.h"
#include "play/uhp_spec.h"

namespace apiary::play {

struct UhpAnswer {
  enum class Kind { kOk, kError, kInvalidMove };
  Kind kind = Kind::kOk;
  std::vector<std::string> lines;  // all before "ok", trimmed; empty ones are left out
  std::string message;             // what stands after err or invalidmove

  bool ok() const { return kind == Kind::kOk; }
};

class UhpClient {
 public:
  // What a failed Ask met.
  enum class Trouble {
    kNone,
    kTimeout,
    kEnded,    // it crashed, left or closed its output
    kStopped,  // nothing is wrong with the engine: the stop token was set
    kNonsense  // an answer without an end
  };

  // Starts the engine, reads its greeting and sets the options of the spec. `timeout`: for each
  // answer, the greeting included. The token must outlive the object.
  static base::Result<std::unique_ptr<UhpClient>> Start(const UhpSpec& spec,
                                                        std::chrono::milliseconds timeout,
                                                        const base::StopToken& stop);
  ~UhpClient();  // asks it to exit; it is gone afterwards
  UhpClient(const UhpClient&) = delete;
  UhpClient& operator=(const UhpClient&) = delete;

  // "NAME VERSION" as the engine calls itself.
  const std::string& name() const { return name_; }
  // Whether its capabilities hold all expansions of the variant.
  bool Supports(env::Variant variant) const;
  pid_t pid() const { return process_->pid(); }
  Trouble trouble() const { return trouble_; }

  // Sends one line (without its end) and reads the answer. The failure names the engine and the
  // command. The second form waits for another time than the object's, for instance for a best
  // move.
  base::Result<UhpAnswer> Ask(std::string_view command) { return Ask(command, timeout_); }
  base::Result<UhpAnswer> Ask(std::string_view command, std::chrono::milliseconds timeout);

 private:
  UhpClient(const UhpSpec& spec, std::chrono::milliseconds timeout,
            std::unique_ptr<ChildProcess> process);
  base::Result<void> ReadGreeting();
  base::Result<void> SetOptions(const UhpSpec& spec);
  // What is awaited: a description for messages, and for how long.
  struct Awaited {
    std::string what;
    std::chrono::milliseconds timeout;
    ChildProcess::Clock::time_point end;
  };
  static Awaited Await(std::string what, std::chrono::milliseconds timeout);
  // To the line "ok".
  base::Result<UhpAnswer> ReadAnswer(const Awaited& awaited);
  base::Failure Describe(ChildProcess::Status status, const Awaited& awaited);

  std::string text_;  // of the spec, for messages
  std::chrono::milliseconds timeout_;
  std::unique_ptr<ChildProcess> process_;
  std::string name_;
  env::Variant capabilities_;
  Trouble trouble_ = Trouble::kNone;
};

}  // namespace apiary::play
