#!/bin/bash
# On a machine with a GPU and no Cython: train with what `python -m training.build gpu` has made and was carried here.
set -e
export PYTHONUNBUFFERED=1 PYTHONPATH=src:.
exec python3 -m training "$@"
