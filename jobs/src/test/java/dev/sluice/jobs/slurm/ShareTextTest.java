package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.AccountShares;
import dev.sluice.core.schedule.BranchShares;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ShareTextTest {
  /** The parts that Slurm itself said next to this text are to each other as these. */
  @Test
  void slurmsOwnTextIsRead() throws Exception {
    AccountShares shares = ShareText.parse(Fixtures.text("sshare-22.05.txt"));
    assertThat(shares.keeper()).isEqualTo("Slurm");
    Map<String, Double> expected =
        Map.of(
            "root", 1.0,
            "odd name|x", 7.0,
            // Of ten, by 25 shares: its own user, those of an account without shares of its own,
            // and another account.
            "science", 1.6,
            "bio", 7.2,
            "physics", 1.2,
            "teaching", 2.0);
    assertThat(shares.accounts()).containsOnlyKeys(expected.keySet());
    expected.forEach((account, share) ->
        assertThat(shares.accounts().get(account))
            .as(account)
            .isCloseTo(share, Offset.offset(1e-9)));
    assertThat(shares.users().get("bio"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("mail", 10.0, "news", 0.0, "we ird", 8.0));
    assertThat(shares.users().get("physics"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("games", 5.0, "nobody", 1.0));
    assertThat(shares.users()).doesNotContainKey("odd name|x");
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> ShareText.parse(text))
        .isInstanceOf(BadAnswerException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatIsNotUnderstoodIsRefusedWithItsLine() {
    refused("", "told of no accounts");
    refused(
        "||root\nnonsense\n", "line 2 of sshare: \"nonsense\": expected shares, user and account");
    refused(
        "||root\n5|| a\n-1|x|  a\n", "line 3 of sshare: \"-1\": expected shares from 0 to 2147");
    refused("||root\n1.5|| a\n", "\"1.5\": expected shares from 0 to 2147483647, or parent");
    refused("||root\n5||  a\n", "line 2 of sshare: \"  a\": expected below an account");
    refused("||root\n5||a\n", "\"a\": expected below an account that was told before");
    refused("||root\n5|x| a\n", "user \"x\": expected below account a");
    refused("||root\n5|| a\n1|x|y|  a\n", "expected below an account");
    refused("||root\n5|| \n", "expected a name of 1 to 255 characters");
    refused("||root\n5|| " + "a".repeat(256) + "\n", "expected a name of 1 to 255 characters");
    refused("||root\n5|| a\u0007\n", "\"a?\": expected a name");
  }

  @Test
  void noSharesAtAllAreEqualShares() throws Exception {
    AccountShares shares =
        ShareText.parse("||root\n6|| a\n0|x|  a\n0|y|  a\n0||  b\n0|z|   b\n2|| empty\n");
    assertThat(shares.accounts()).containsEntry("a", 4.0).containsEntry("b", 2.0);
    assertThat(shares.accounts()).as("an account without users").containsEntry("empty", 2.0);
    assertThat(shares.accounts()).doesNotContainKey("root");
  }

  /** Whoever sends whatever instead of Slurm: it is understood or refused, and nothing else. */
  @Test
  void anyTextIsReadOrRefused() throws Exception {
    byte[] good = Fixtures.bytes("sshare-22.05.txt");
    SeededCases.forAll(
        3_000,
        random -> {
          String text = new String(Fixtures.mutated(good, random), StandardCharsets.UTF_8);
          try {
            assertThat(ShareText.parse(text).keeper()).isEqualTo("Slurm");
          } catch (BadAnswerException e) {
            assertThat(e).hasMessageContaining("sshare");
          }
        });
  }

  /** While all are busy each user gets the product of the parts on the way down to it. */
  @Test
  void eachUserGetsItsNormalizedShares() {
    SeededCases.forAll(
        500,
        random -> {
          RandomSite site = new RandomSite(random);
          AccountShares shares = ShareText.parse(site.text.toString());
          ShareGrouping grouping =
              new ShareGrouping(List.of(Level.ACCOUNT, Level.USER), Map.of()).weighedBy(shares);
          Map<JobId, JobOwner> owners = new HashMap<>();
          site.parts.keySet().forEach(owner -> owners.put(JobId.of("job" + owners.size()), owner));
          JobId[] jobs = owners.keySet().stream().sorted().toArray(JobId[]::new);
          long[] tokens = new long[jobs.length];
          Arrays.fill(tokens, Shares.UNLIMITED);
          long[] weights = new long[jobs.length];
          Arrays.fill(weights, 1);
          BranchShares branches =
              new BranchShares(
                  grouping,
                  Shares.ofColumns(jobs, tokens, weights, 1_000),
                  job -> owners.getOrDefault(job, JobOwner.UNKNOWN));
          for (JobId job : jobs) {
            double expected = site.parts.getOrDefault(owners.get(job), 0.0);
            assertThat(branches.part(job))
                .as("%s in%n%s", owners.get(job), site.text)
                .isCloseTo(expected, Offset.offset(0.002));
          }
        });
  }

  /** A tree of accounts as Slurm prints it, and what part each user has, reckoned on the way. */
  private static final class RandomSite {
    final StringBuilder text = new StringBuilder("||root\n");
    final Map<JobOwner, Double> parts = new HashMap<>();
    private final RandomGenerator random;
    private int names;

    RandomSite(RandomGenerator random) {
      this.random = random;
      account("root", 1, 1);
    }

    /** Users, and as long as it is not too deep accounts, each with its share of the part. */
    private void account(String name, double part, int depth) {
      int users = random.nextInt(1, 4);
      int accounts = depth > 3 ? 0 : random.nextInt(3);
      long[] shares = random.longs(users + accounts, 1, 9).toArray();
      double sum = Arrays.stream(shares).sum();
      for (int i = 0; i < shares.length; i++) {
        String member = "n" + names++;
        double its = part * shares[i] / sum;
        if (i < users) {
          line(shares[i], member, name, depth);
          parts.put(new JobOwner(name, member, ""), its);
        } else {
          line(shares[i], "", member, depth);
          account(member, its, depth + 1);
        }
      }
    }

    private void line(long shares, String user, String account, int depth) {
      text.append("%d|%s|%s%s%n".formatted(shares, user, " ".repeat(depth), account));
    }
  }
}
