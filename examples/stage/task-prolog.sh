#!/bin/sh
# Slurm's TaskProlog: puts every task of a job under the job's limits. What it prints as "export
# NAME=value" becomes part of the task's environment. It runs as the job's user.
#
# slurm.conf: TaskProlog=/etc/slurm/task-prolog.sh
directory=/run/sluice
job=$directory/jobs/$SLURM_JOB_ID

# Without the agent's files there is nothing to enter; without the library nothing to enter by.
[ -r "$job/control" ] && [ -r "$directory/libsluice.so" ] || exit 0
case ${LD_PRELOAD-} in
  # srun hands on the environment that it was started in.
  *"$directory/libsluice.so"*) ;;
  *) echo "export LD_PRELOAD=$directory/libsluice.so${LD_PRELOAD:+:$LD_PRELOAD}" ;;
esac
echo "export SLUICE_STAGE=$job"
