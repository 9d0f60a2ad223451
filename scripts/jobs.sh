#!/usr/bin/env bash
# Prints how many compilers may run at once: one a core, but each may need 2 GiB for a file that includes torch.
set -euo pipefail
cores=$(nproc)
by_memory=$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo)
jobs=$((by_memory < cores ? by_memory : cores))
echo $((jobs < 1 ? 1 : jobs))
