# Prints what the kernel's client had of each server, which promises hold, and what it had of the kernel's own
# server in its guest, which needs no network to it and has its processor. Columns: server and
# version, repetition, row, MB, seconds, hundredths of a second of processor time.

{
  n = ++count[$1, $3]
  rate[$1, $3, n] = $4 * 1.048576 / $5
  cpu[$1, $3, n] = $6 / $4
  if (!($3 in known)) rows[++row_count] = $3
  known[$3] = 1
}

# The median of what a server had, or of what it had for each that the other one had; as in medians.awk.
function median(values, server, row, other, n, sorted, i, j, value) {
  n = count[server, row]
  for (i = 1; i <= n; i++) {
    value = values[server, row, i]
    if (other) value /= values[other, row, i]
    for (j = i - 1; j >= 1 && sorted[j] > value; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = value
  }
  return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function promise(relation, bound, holds) {
  promises++
  if (!holds) broken++
  return relation " " bound "x " (holds ? "holds" : "BROKEN")
}

END {
  printf "%-26s %14s %14s %7s %-18s %9s %s\n", "the kernel's client", "nfs-ganesha", "sluice", "ratio", \
    "promise", "CPU/byte", "promise"
  for (v = 3; v <= 4; v++) {
    for (i = 1; i <= row_count; i++) {
      row = rows[i]
      theirs = "ganesha-v" v
      ours = "sluice-v" v
      times = median(rate, ours, row, theirs)
      cpu_times = median(cpu, ours, row, theirs)
      printf "%-26s %9.0f MB/s %9.0f MB/s %6.2fx %-18s %8.2fx %s\n", \
        row ", NFS " (v == 3 ? "3" : "4.1"), median(rate, theirs, row), median(rate, ours, row), times, \
        promise(">=", rate_min, times >= rate_min), cpu_times, promise("<=", cpu_max, cpu_times <= cpu_max)
    }
  }
  printf "\n%-26s %14s %14s\n", "NFS 4.1", "kernel's own", "sluice to it"
  for (i = 1; i <= row_count; i++) {
    printf "%-26s %9.0f MB/s %13.2fx\n", rows[i], median(rate, "kernel-v4", rows[i]), \
      median(rate, "sluice-v4", rows[i], "kernel-v4")
  }
  printf "\n%d of %d promises hold\n", promises - broken, promises
  exit (broken > 0)
}
