# Reads the single measurements and prints their medians, ratios and which promises they keep. A ratio
# is the median of those of two measurements that followed each other, because what a machine that is
# shared can do changes from minute to minute more than what is compared.
# Columns: server, repetition, operation:depth, operations, seconds, operations/s, MB/s, latency p50,
# latency p99, processor time per operation; or server, "memory", MB.

$2 == "memory" {
  memory[$1] = $3
  next
}

{
  n = ++count[$1, $3]
  rate[$1, $3, n] = $6
  cpu[$1, $3, n] = $10
}

# The median of what a server had, or of what it had for each that the other one had.
function median(values, server, mode, other, n, sorted, i, j, value) {
  n = count[server, mode]
  for (i = 1; i <= n; i++) {
    value = values[server, mode, i]
    if (other) value /= values[other, mode, i]
    for (j = i - 1; j >= 1 && sorted[j] > value; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = value
  }
  return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

# Counts a promise and says whether it holds; a bound of 0 stands for none.
function promise(relation, bound, holds) {
  if (!bound) return ""
  promises++
  if (!holds) broken++
  return relation " " bound "x " (holds ? "holds" : "BROKEN")
}

function described(mode, parts, names) {
  split(mode, parts, ":")
  names["write"] = "1 MiB write"
  names["read"] = "1 MiB read"
  names["random-write"] = "4 KiB random write"
  names["random-read"] = "4 KiB random read"
  return (parts[1] in names ? names[parts[1]] : parts[1]) ", depth " parts[2]
}

# Large calls are counted in MB/s, all others in operations/s.
function throughput(mode, per_second) {
  if (mode ~ /^(write|read):/) return sprintf("%.0f MB/s", per_second * 1.048576)
  return sprintf("%.0f op/s", per_second)
}

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
