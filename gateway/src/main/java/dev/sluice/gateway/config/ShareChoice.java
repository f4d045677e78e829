package dev.sluice.gateway.config;

import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.ShareGroupingReader;
import dev.sluice.jobs.source.JobSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How jobs share where they share by weight.
 *
 * @param grouping by what they are grouped, and the weights that are written down
 * @param bySlurm whether accounts and users of whom no weight is written weigh what Slurm's books
 *     say
 */
public record ShareChoice(ShareGrouping grouping, boolean bySlurm) {
  private static final String WEIGHTS_FROM = "weights-from";

  static ShareChoice read(@Nullable DocumentNode node, @Nullable JobSource jobs) {
    if (node == null) {
      return new ShareChoice(ShareGrouping.FLAT, false);
    }
    DocumentMap map = node.map(ShareGroupingReader.BY, ShareGroupingReader.WEIGHTS, WEIGHTS_FROM);
    ShareGrouping grouping = ShareGroupingReader.readFrom(map);
    DocumentNode from = map.optional(WEIGHTS_FROM);
    if (from == null) {
      return new ShareChoice(grouping, false);
    }
    from.oneOf(List.of("slurm"));
    int account = grouping.levels().indexOf(Level.ACCOUNT);
    int user = grouping.levels().indexOf(Level.USER);
    if (account < 0 || (user >= 0 && user < account)) {
      throw map.required(ShareGroupingReader.BY)
          .error(
              "expected \"account\", and before \"user\": Slurm has shares of accounts, and of"
                  + " users in an account");
    }
    if (!(jobs instanceof JobSource.Slurm)) {
      throw from.error("expected with \"jobs: {slurm: {…}}\", which says how to ask Slurm");
    }
    return new ShareChoice(grouping, true);
  }
}
