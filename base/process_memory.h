// Memory of this process and of the machine. Any thread.
#pragma once

#include <cstdint>

namespace apiary::base {

std::uint64_t ResidentBytes();  // of this process; 0 if the system does not tell
std::uint64_t PhysicalBytes();  // of the machine, or the cgroup's limit if it is lower
int AllowedCores();             // by affinity and cgroup quota, at least 1

}  // namespace apiary::base
