#include "base/process_memory.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

namespace apiary::base {
namespace {

// The first number of a small system file; false if it is absent or says "max".
bool FirstNumber(const char* path, double& value) {
  std::ifstream file(path);
  return static_cast<bool>(file >> value);
}

}  // namespace

std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  if (!(file >> total >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t PhysicalBytes() {
  auto bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  double limit = 0;
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (FirstNumber(path, limit) && limit > 0) bytes = std::min(bytes, limit);
  return static_cast<std::uint64_t>(bytes);
}

int AllowedCores() {
  int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cores = std::min(cores, CPU_COUNT(&set));
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  if (file >> quota >> period && period > 0)
    cores = std::min(cores, static_cast<int>(std::ceil(quota / period)));
  return std::max(1, cores);
}

}  // namespace apiary::base
