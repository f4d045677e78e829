# Prints the medians, ratios and which promises they keep; medians.awk reads them in.

$2 == "idle" || $2 == "after" || $2 == "highest" {
  resident[$1, $2] = $3
}

# What sockets and the file system alone have, and what a server has of that, where it was measured:
# beside the servers of NFS 4.1 under another name.
function bare(name, mode) {
  return (name, mode) in count ? throughput(mode, median(rate, name, mode)) : ""
}

function of_bare(server, name, mode, times) {
  if (!((name, mode) in count)) return ""
  times = median(rate, server, mode, name)
  return sprintf("%.2fx %s", times, \
    promise(">=", mode ~ /^(write|read):/ ? bare_ratio_min : 0, times >= bare_ratio_min))
}

function compare_with_ganesha(entries, entry, i, n, mode, least, theirs, ours, times, cpu_times) {
  printf "%-28s %14s %14s %7s %-18s %19s %20s %8s\n", "", "nfs-ganesha", "sluice", "ratio", \
    "promise", "CPU per operation", "bare", "of bare"
  n = split(comparison, entries, " ")
  for (i = 1; i <= n; i++) {
    split(entries[i], entry, "=")
    mode = entry[1]
    least = entry[2] + 0
    theirs = median(rate, "ganesha", mode)
    ours = median(rate, "sluice", mode)
    times = median(rate, "sluice", mode, "ganesha")
    cpu_times = median(cpu, "sluice", mode, "ganesha")
    printf "%-28s %14s %14s %6.2fx %-18s %6.2fx %-18s %14s %8s\n", described(mode), \
      throughput(mode, theirs), throughput(mode, ours), times, \
      promise(">=", least, times >= least), cpu_times, \
      promise("<=", least ? cpu_ratio_max : 0, cpu_times <= cpu_ratio_max), bare("bare", mode), \
      of_bare("sluice", "bare", mode)
  }
}

function compare_memory() {
  printf "\n%-28s %14s %14s %s\n", "resident memory", "nfs-ganesha", "sluice", "promise"
  tell_memory("before the first call", "idle", idle_mb_max)
  tell_memory("after the last", "after", 0)
  tell_memory("the most there was", "highest", highest_mb_max)
}

function tell_memory(what, when, most) {
  printf "%-28s %11s MB %11s MB %s\n", what, resident["ganesha", when], resident["sluice", when], \
    most ? promise("<=", most " MB", resident["sluice", when] <= most) : ""
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

# What NFS 4.1 has of what NFS 3 has, and of what ganesha's has. Only contents are promised to be moved
# about as fast as over NFS 3.
function compare_versions(modes, i, n, mode, to_version_3, to_ganesha, cpu_to_ganesha) {
  printf "\n%-28s %12s %12s %12s %9s %-15s %9s %-15s %9s %-15s %12s %12s %8s\n", "NFS 4.1", \
    "nfs-ganesha", "sluice NFS 3", "sluice", "to NFS 3", "promise", "to theirs", "promise", "CPU to it", "promise", \
    "CPU to NFS 3", "bare", "of bare"
  n = split(version_modes, modes, " ")
  for (i = 1; i <= n; i++) {
    mode = modes[i]
    to_version_3 = median(rate, "sluice-v4", mode, "sluice-v3")
    to_ganesha = median(rate, "sluice-v4", mode, "ganesha-v4")
    cpu_to_ganesha = median(cpu, "sluice-v4", mode, "ganesha-v4")
    printf "%-28s %12s %12s %12s %8.2fx %-15s %8.2fx %-15s %8.2fx %-15s %11.2fx %12s %8s\n", \
      described(mode), throughput(mode, median(rate, "ganesha-v4", mode)), \
      throughput(mode, median(rate, "sluice-v3", mode)), \
      throughput(mode, median(rate, "sluice-v4", mode)), \
      to_version_3, promise(">=", mode ~ /^getattr/ ? 0 : version_ratio_min, \
                            to_version_3 >= version_ratio_min), \
      to_ganesha, promise(">=", version_ganesha_ratio_min, to_ganesha >= version_ganesha_ratio_min), \
      cpu_to_ganesha, promise("<=", version_cpu_ratio_max, cpu_to_ganesha <= version_cpu_ratio_max), \
      median(cpu, "sluice-v4", mode, "sluice-v3"), bare("bare-v4", mode), \
      of_bare("sluice-v4", "bare-v4", mode)
  }
}

END {
  if (comparison) compare_with_ganesha()
  if (scheduler_modes) compare_schedulers()
  compare_versions()
  compare_memory()
  printf "\n%d of %d promises hold\n", promises - broken, promises
  exit (broken > 0)
}
