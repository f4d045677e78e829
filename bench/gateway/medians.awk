# What the reports have in common: reads the single measurements, and finds their medians. A ratio is
# the median of those of two measurements that followed each other, because what a machine that is
# shared can do changes from minute to minute more than what is compared.
# Columns: server, repetition, operation:depth, operations, seconds, operations/s, MB/s, latency p50,
# latency p99, processor time per operation; or server, "memory" or when that was, MB.

$2 == "memory" {
  memory[$1] = $3
}

$6 != "" {
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
  return relation " " bound (bound ~ /MB/ ? " " : "x ") (holds ? "holds" : "BROKEN")
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
