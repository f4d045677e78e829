#!/bin/sh
# Slurm's TaskProlog: puts every task of a job under the job's limits. What it prints as "export
# NAME=value" becomes part of the task's environment. It runs as the job's user.
#
# slurm.conf: TaskProlog=/etc/slurm/sluice/task-prolog.sh
directory=/run/sluice

job=$directory/jobs/$SLURM_JOB_ID
# Without the agent's files there is nothing to enter; without the library nothing to enter by.
[ -r "$job/control" ] && [ -r "$directory/libsluice.so" ] || exit 0

# srun hands on the environment that it was started in, with the library in it already. Whatever
# else is there stays; the library twice would count every call twice.
others=
set -f
for library in $(printf %s "${LD_PRELOAD-}" | tr ':' ' '); do
  case $library in
    */libsluice.so) ;;
    *) others=$others:$library ;;
  esac
done
echo "export LD_PRELOAD=$directory/libsluice.so$others"
echo "export SLUICE_STAGE=$job"
