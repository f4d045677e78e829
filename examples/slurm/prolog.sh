#!/bin/sh
# Slurm's Prolog, which slurmd runs as root on every node before a job's first step there: tells the
# node's agent of the job. A node without an agent runs its jobs without limits.
#
# slurm.conf: Prolog=/etc/slurm/sluice/prolog.sh
#             PrologFlags=Alloc
run=/usr/lib/sluice/sluice-run
directory=/run/sluice
# How many seconds the job waits for the agent at most.
patience=20
mount=/scratch
# A limit for every job on this node, such as metadata=1kops/s; nothing for none.
limit=

PATH=/usr/sbin:/usr/bin:/sbin:/bin
# Bounded, because the job waits for it; in vain at worst, because a failure would drain the node.
timeout "$patience" "$run" --add "$SLURM_JOB_ID" --user "$SLURM_JOB_UID" --mount "$mount" \
  ${limit:+--limit "$limit"} --directory "$directory" >/dev/null 2>&1
exit 0
