#!/bin/bash
# On a machine with a GPU and no Cython: compile the C files that were carried, then train.
set -e
export PYTHONUNBUFFERED=1 PYTHONPATH=src:. OMP_WAIT_POLICY=passive
python3 -m training.build carried
exec python3 -m training "$@"
