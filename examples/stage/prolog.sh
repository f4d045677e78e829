#!/bin/sh
# Slurm's Prolog, which slurmd runs as root on every node before a job's first step there: tells the
# node's agent of the job. A node without an agent runs its jobs without limits.
#
# slurm.conf: Prolog=/etc/slurm/prolog.sh
#             PrologFlags=Alloc
sluice agent add "$SLURM_JOB_ID" --user "$SLURM_JOB_UID" --mount /scratch >/dev/null 2>&1
exit 0
