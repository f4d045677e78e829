#!/bin/sh
# Slurm's Epilog, which slurmd runs as root on every node after a job's last step there: the job's
# files go, and with them its limits and counters.
#
# slurm.conf: Epilog=/etc/slurm/sluice/epilog.sh
run=/usr/lib/sluice/sluice-run
directory=/run/sluice
# How many seconds the node waits for the agent at most.
patience=20

PATH=/usr/sbin:/usr/bin:/sbin:/bin
timeout "$patience" "$run" --remove "$SLURM_JOB_ID" --directory "$directory" >/dev/null 2>&1
exit 0
