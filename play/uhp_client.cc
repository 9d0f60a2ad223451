#include "play/uhp_client.h"

#include "base/text.h"

namespace apiary::play {
namespace {

constexpr std::size_t kMaxAnswerLines = 100'000;

// "Mosquito;Ladybug;Pillbug", any of them in any order.
env::Variant ReadCapabilities(std::string_view line) {
  env::Variant variant;
  for (const std::string_view field : base::SplitFields(line)) {
    const std::string name = base::ToLower(field);
    if (name == "mosquito") variant.mosquito = true;
    if (name == "ladybug") variant.ladybug = true;
    if (name == "pillbug") variant.pillbug = true;
  }
  return variant;
}

void Classify(std::string_view line, UhpAnswer& answer) {
  if (!answer.ok()) return;
  const std::string_view word = base::TakeWord(line);
  if (word == "err") answer.kind = UhpAnswer::Kind::kError;
  if (word == "invalidmove") answer.kind = UhpAnswer::Kind::kInvalidMove;
  if (!answer.ok()) answer.message = line;
}

}  // namespace

UhpClient::UhpClient(const UhpSpec& spec, std::chrono::milliseconds timeout,
                     std::unique_ptr<ChildProcess> process)
    : text_(spec.text), timeout_(timeout), process_(std::move(process)) {}

base::Result<std::unique_ptr<UhpClient>> UhpClient::Start(const UhpSpec& spec,
                                                          std::chrono::milliseconds timeout,
                                                          const base::StopToken& stop) {
  auto process = ChildProcess::Start(spec.words, stop);
  if (!process) return base::Fail("engine '{}': {}", spec.text, process.error());
  std::unique_ptr<UhpClient> client(new UhpClient(spec, timeout, *std::move(process)));
  if (auto greeting = client->ReadGreeting(); !greeting) return greeting.failure();
  if (auto options = client->SetOptions(spec); !options) return options.failure();
  return client;
}

UhpClient::~UhpClient() {
  // Whether it listens does not matter: the process is ended anyway.
  static_cast<void>(process_->Write("exit\n", ChildProcess::Clock::now()));
}

bool UhpClient::Supports(env::Variant variant) const {
  return (variant.index() & ~capabilities_.index()) == 0;
}

base::Result<void> UhpClient::ReadGreeting() {
  auto greeting = ReadAnswer(Await("its greeting", timeout_));
  if (!greeting) return greeting.failure();
  for (const std::string& line : greeting->lines) {
    std::string_view rest = line;
    if (base::TakeWord(rest) == "id") {
      name_ = rest;
    } else {
      capabilities_ = ReadCapabilities(line);
    }
  }
  if (!greeting->ok() || name_.empty())
    return base::Fail(
        "engine '{}': its greeting has no line 'id NAME VERSION', so it is no UHP "
        "engine",
        text_);
  return {};
}

base::Result<void> UhpClient::SetOptions(const UhpSpec& spec) {
  for (const auto& [name, value] : spec.options) {
    auto answer = Ask(fmt::format("options set {} {}", name, value));
    if (!answer) return answer.failure();
    if (!answer->ok())
      return base::Fail("engine '{}': set.{}={} is refused: {}", text_, name, value,
                        answer->message);
  }
  return {};
}

UhpClient::Awaited UhpClient::Await(std::string what, std::chrono::milliseconds timeout) {
  return {std::move(what), timeout, ChildProcess::Clock::now() + timeout};
}

base::Result<UhpAnswer> UhpClient::Ask(std::string_view command,
                                       std::chrono::milliseconds timeout) {
  const Awaited awaited = Await(fmt::format("the answer to '{}'", command), timeout);
  const auto status = process_->Write(std::string(command) + "\n", awaited.end);
  if (status != ChildProcess::Status::kDone) return Describe(status, awaited);
  return ReadAnswer(awaited);
}

base::Result<UhpAnswer> UhpClient::ReadAnswer(const Awaited& awaited) {
  UhpAnswer answer;
  std::string line;
  while (answer.lines.size() < kMaxAnswerLines) {
    const auto status = process_->ReadLine(awaited.end, line);
    if (status != ChildProcess::Status::kDone) return Describe(status, awaited);
    const std::string_view trimmed = base::Trim(line);
    if (trimmed == "ok") return answer;
    if (trimmed.empty()) continue;
    Classify(trimmed, answer);
    answer.lines.emplace_back(trimmed);
  }
  trouble_ = Trouble::kNonsense;
  return base::Fail("engine '{}': {} does not end with 'ok' within {} lines", text_, awaited.what,
                    kMaxAnswerLines);
}

base::Failure UhpClient::Describe(ChildProcess::Status status, const Awaited& awaited) {
  switch (status) {
    case ChildProcess::Status::kTimeout:
      trouble_ = Trouble::kTimeout;
      return base::Fail("engine '{}': {} did not come within {:g} s", text_, awaited.what,
                        std::chrono::duration<double>(awaited.timeout).count());
    case ChildProcess::Status::kStopped:
      trouble_ = Trouble::kStopped;
      return base::Fail("engine '{}': stopped while {} was awaited", text_, awaited.what);
    case ChildProcess::Status::kTooLong:
      trouble_ = Trouble::kNonsense;
      return base::Fail("engine '{}': {} has a line of more than {} bytes", text_, awaited.what,
                        ChildProcess::kMaxLineBytes);
    case ChildProcess::Status::kEnded:
    case ChildProcess::Status::kDone:
      break;
  }
  trouble_ = Trouble::kEnded;
  return base::Fail("engine '{}' {} before {} was complete", text_, process_->HowItEnded(),
                    awaited.what);
}

}  // namespace apiary::play
