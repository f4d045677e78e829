package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreJobId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which name each job's rule has. No two jobs have the same, and none has one that somebody else
 * uses. Not thread-safe.
 */
public final class RuleNames {
  private final String prefix;
  private final Map<LustreJobId, String> names = new HashMap<>();
  private final Map<String, LustreJobId> jobs = new HashMap<>();

  public RuleNames(String prefix) {
    if (!RuleName.isPrefix(prefix)) {
      throw new IllegalArgumentException("\"" + prefix + "\" is no prefix of rule names");
    }
    this.prefix = prefix;
  }

  /** The name of a job's rule; the same until it is released. */
  public String name(LustreJobId job, Predicate<String> usedByOthers) {
    String known = names.get(job);
    if (known != null) {
      return known;
    }
    int attempt = 0;
    String name = RuleName.of(prefix, job, attempt);
    while (jobs.containsKey(name) || usedByOthers.test(name)) {
      attempt++;
      name = RuleName.of(prefix, job, attempt);
    }
    names.put(job, name);
    jobs.put(name, job);
    return name;
  }

  /** The name that a job's rule has; null where it has none. */
  public @Nullable String known(LustreJobId job) {
    return names.get(job);
  }

  /** The job whose rule has this name; null where it is nobody's. */
  public @Nullable LustreJobId job(String name) {
    return jobs.get(name);
  }

  /** Every name that a job's rule has. */
  public Collection<String> names() {
    return Collections.unmodifiableSet(jobs.keySet());
  }

  /** Gives up the names that are not needed; they may be used again. */
  public void releaseUnless(Predicate<String> needed) {
    jobs.entrySet()
        .removeIf(entry -> {
          boolean released = !needed.test(entry.getKey());
          if (released) {
            names.remove(entry.getValue());
          }
          return released;
        });
  }
}
