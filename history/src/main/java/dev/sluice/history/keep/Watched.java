package dev.sluice.history.keep;

import dev.sluice.history.alert.AlertKey;
import dev.sluice.history.sample.Totals;
import java.util.List;
import java.util.Map;

/** A program whose history is kept: asked about once a second, by one thread. */
public interface Watched {
  /** What was served so far. */
  Totals totals(long nowMillis);

  /** By target, why the policy does not decide as it should, in words. */
  Map<String, String> troubles();

  /** What alerts may be about that no sample tells. */
  Map<AlertKey, String> besides();

  /** What somebody should look into, in words; asked for less often. */
  List<String> problems();

  /** Why a job has what it has, in words; none where nothing is known of it. */
  List<String> reasons(String job);
}
