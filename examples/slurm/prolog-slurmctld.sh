#!/bin/sh
# Slurm's PrologSlurmctld, which slurmctld runs before a job begins: puts a file about the job where a
# gateway looks for it. Nothing has to be running to read it.
#
# slurm.conf: PrologSlurmctld=/etc/slurm/sluice/prolog-slurmctld.sh
#
# It runs as SlurmUser, who must be able to write here and others not:
#   install -d -o slurm -g slurm -m 750 /var/spool/sluice/slurm
spool=/var/spool/sluice/slurm

PATH=/usr/bin:/bin
umask 027
job=$SLURM_JOB_ID.${SLURM_JOB_RESTART_COUNT:-0}
unnamed=$spool/.$job.$$

# Users choose these, line ends and all; each has to stay on its line.
one_line() { printf %s "$1" | tr '[:cntrl:]' ' '; }

# Moved into place when it is whole: whoever reads it never sees half of it.
if {
  printf 'user=%s\nuid=%s\n' "${SLURM_JOB_USER-}" "${SLURM_JOB_UID-}" &&
    printf 'nodes=%s\nnode-count=%s\n' "${SLURM_JOB_NODELIST-}" "${SLURM_JOB_NUM_NODES-}" &&
    printf 'array=%s\narray-task=%s\n' "${SLURM_ARRAY_JOB_ID-}" "${SLURM_ARRAY_TASK_ID-}" &&
    printf 'start=%s\n' "$(date +%s)" &&
    printf 'account=%s\n' "$(one_line "${SLURM_JOB_ACCOUNT-}")" &&
    printf 'qos=%s\n' "$(one_line "${SLURM_JOB_QOS-}")" &&
    printf 'name=%s\n' "$(one_line "${SLURM_JOB_NAME-}")" &&
    printf 'comment=%.1024s\n' "$(one_line "${SLURM_JOB_COMMENT-}")"
} >"$unnamed"; then
  # A job that was put back into the queue left its file if Slurm was killed meanwhile.
  rm -f "$spool/$SLURM_JOB_ID".*
  mv -f "$unnamed" "$spool/$job"
else
  rm -f "$unnamed"
fi

# Whatever happened: a job whose hook fails is put back into the queue.
exit 0
