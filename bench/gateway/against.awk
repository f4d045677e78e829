# Prints what one build has and another had, row by row, and whether the one keeps up; medians.awk
# reads them in.

# A quartile of the ratios of the pairs: how far they scatter.
function quartile(one, mode, other, part, n, sorted, i, j, value) {
  n = count[one, mode]
  for (i = 1; i <= n; i++) {
    value = rate[one, mode, i] / rate[other, mode, i]
    for (j = i - 1; j >= 1 && sorted[j] > value; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = value
  }
  return sorted[int((n - 1) * part) + 1]
}

function row(mode, new, old, times) {
  times = median(rate, new, mode, old)
  printf "%-28s %14s %14s %6.3fx %5.2f to %4.2f %-15s %6.2fx\n", described(mode), \
    throughput(mode, median(rate, old, mode)), throughput(mode, median(rate, new, mode)), times, \
    quartile(new, mode, old, 0.25), quartile(new, mode, old, 0.75), \
    promise(">=", ratio_min, times >= ratio_min), median(cpu, new, mode, old)
}

function head(title) {
  printf "%-28s %14s %14s %7s %13s %-15s %s\n", title, "old", "new", "ratio", "half of them", \
    "promise", "CPU per operation"
}

function rows(title, modes_text, new, old, modes, n, i) {
  head(title)
  n = split(modes_text, modes, " ")
  for (i = 1; i <= n; i++) row(modes[i], new, old)
}

END {
  rows("", comparison, "new", "old")
  printf "%-28s %11s MB %11s MB %6.2fx\n", "resident memory", memory["old"], memory["new"], \
    memory["new"] / memory["old"]
  print ""
  rows("100 jobs, fifo", scheduler_modes, "new-fifo-of-many-jobs", "old-fifo-of-many-jobs")
  print ""
  rows("100 jobs, tbf", scheduler_modes, "new-tbf-of-many-jobs", "old-tbf-of-many-jobs")
  printf "\nmedians of %d pairs; %d of %d rows hold\n", count["new", "write:8"], promises - broken, promises
  exit (broken > 0)
}
