#!/bin/sh
# Slurm's EpilogSlurmctld, which slurmctld runs when a job is over: takes the job's file away that
# prolog-slurmctld.sh has put there.
#
# slurm.conf: EpilogSlurmctld=/etc/slurm/sluice/epilog-slurmctld.sh
spool=/var/spool/sluice/slurm

PATH=/usr/bin:/bin
rm -f "$spool/$SLURM_JOB_ID".*
exit 0
