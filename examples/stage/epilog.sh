#!/bin/sh
# Slurm's Epilog, which slurmd runs as root on every node after a job's last step there.
#
# slurm.conf: Epilog=/etc/slurm/epilog.sh
sluice agent remove "$SLURM_JOB_ID" >/dev/null 2>&1
exit 0
