// write_events DIRECTORY: writes an event file there, for scripts/check_tensorboard.sh, which knows
// the values.
#include <cstdio>

#include "base/metrics.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_events DIRECTORY\n");
    return 2;
  }
  apiary::base::Result<apiary::base::EventFile> file = apiary::base::EventFile::Create(argv[1]);
  if (!file) {
    std::fprintf(stderr, "write_events: %s\n", file.error().c_str());
    return 1;
  }
  for (int step = 0; step < 1000; ++step) {
    file->Scalar("loss/policy", step, 1.7e9 + step, 2.5 / (1 + step));
    file->Scalar("selfplay/decisive", 100000LL * step, 1.7e9 + step, 0.001 * step);
  }
}
