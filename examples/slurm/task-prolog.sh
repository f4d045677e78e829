#!/bin/sh
# Slurm's TaskProlog: puts every task of a job under the job's limits. What it prints as "export
# NAME=value" becomes part of the task's environment. It runs as the job's user.
#
# slurm.conf: TaskProlog=/etc/slurm/sluice/task-prolog.sh
run=/usr/lib/sluice/sluice-run
directory=/run/sluice

# Without the agent's files there is nothing to enter. What srun hands on from the environment that
# it was started in stays, and counts once.
"$run" --join "$SLURM_JOB_ID" --directory "$directory" --print-env 2>/dev/null |
  while IFS= read -r variable; do
    printf 'export %s\n' "$variable"
  done
exit 0
