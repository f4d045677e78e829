# Prints the medians, ratios and which promises they keep; medians.awk reads them in.

function compare_with_ganesha(entries, entry, i, n, mode, least, theirs, ours, times, cpu_times) {
  printf "%-28s %14s %14s %7s %-18s %19s\n", "", "nfs-ganesha", "sluice", "ratio", "promise", \
    "CPU per operation"
  n = split(comparison, entries, " ")
  for (i = 1; i <= n; i++) {
    split(entries[i], entry, "=")
    mode = entry[1]
    least = entry[2] + 0
    theirs = median(rate, "ganesha", mode)
    ours = median(rate, "sluice", mode)
    times = median(rate, "sluice", mode, "ganesha")
    cpu_times = median(cpu, "sluice", mode, "ganesha")
    printf "%-28s %14s %14s %6.2fx %-18s %6.2fx %s\n", described(mode), throughput(mode, theirs), \
      throughput(mode, ours), times, promise(">=", least, times >= least), cpu_times, \
      promise("<=", least ? cpu_ratio_max : 0, cpu_times <= cpu_ratio_max)
  }
  printf "%-28s %11s MB %11s MB %6.2fx\n", "resident memory", memory["ganesha"], memory["sluice"], \
    memory["sluice"] / memory["ganesha"]
}

function compare_schedulers(modes, i, n, mode, fifo, tbf, times) {
  printf "\n%-28s %14s %14s %7s %s\n", "100 jobs, none held back", "fifo", "tbf", "ratio", "promise"
  n = split(scheduler_modes, modes, " ")
  for (i = 1; i <= n; i++) {
    mode = modes[i]
    fifo = median(rate, "fifo-of-many-jobs", mode)
    tbf = median(rate, "tbf-of-many-jobs", mode)
    times = median(rate, "tbf-of-many-jobs", mode, "fifo-of-many-jobs")
    printf "%-28s %14s %14s %6.2fx %s\n", described(mode), throughput(mode, fifo), \
      throughput(mode, tbf), times, promise(">=", scheduler_ratio_min, times >= scheduler_ratio_min)
  }
}

END {
  compare_with_ganesha()
  compare_schedulers()
  printf "\n%d of %d promises hold\n", promises - broken, promises
  exit (broken > 0)
}
