#!/usr/bin/env bash
# scripts/check_tensorboard.sh WRITE_EVENTS: lets that program (tests/base/write_events.cc) write an event file and reads it
# with TensorBoard from PyPI, in an environment that is removed afterwards. Fails where a value differs.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/events"
"$1" "$work/events"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-input tensorboard 'setuptools<81' || {
  echo "check_tensorboard: error: TensorBoard could not be installed from PyPI" >&2
  exit 1
}
"$work/venv/bin/python" - "$work/events" <<'PYTHON'
import struct
import sys

import tensorboard
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
events.Reload()
as_float = lambda x: struct.unpack("f", struct.pack("f", x))[0]
expected = {
    "loss/policy": [(1.7e9 + i, i, as_float(2.5 / (1 + i))) for i in range(1000)],
    "selfplay/decisive": [(1.7e9 + i, 100000 * i, as_float(0.001 * i)) for i in range(1000)],
}
assert sorted(events.Tags()["scalars"]) == sorted(expected), events.Tags()
for tag, values in expected.items():
    read = [(e.wall_time, e.step, as_float(e.value)) for e in events.Scalars(tag)]
    assert read == values, f"{tag}: first difference {next(p for p in zip(read, values) if p[0] != p[1])}"
print(f"TensorBoard {tensorboard.__version__} reads all {sum(map(len, expected.values()))} values")
PYTHON
