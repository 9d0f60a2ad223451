#include "env/outcome.h"

#include "base/check.h"

namespace apiary::env {

std::string_view ToString(Result result) {
  switch (result) {
    case Result::kInProgress:
      return "InProgress";
    case Result::kWhiteWins:
      return "WhiteWins";
    case Result::kBlackWins:
      return "BlackWins";
    case Result::kDraw:
      return "Draw";
    case Result::kUnfinished:
      return "Unfinished";
  }
  base::CheckFailed(__FILE__, __LINE__, "result", "not a result");
}

std::string_view ToString(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "none";
    case Reason::kSurround:
      return "surround";
    case Reason::kBoth:
      return "both";
    case Reason::kRepetition:
      return "repetition";
    case Reason::kCap:
      return "cap";
  }
  base::CheckFailed(__FILE__, __LINE__, "reason", "not a reason");
}

}  // namespace apiary::env
