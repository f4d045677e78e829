package dev.sluice.jobs.slurm;

import dev.sluice.core.schedule.AccountShares;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shares of accounts and users as {@code sshare} prints them: a line for each account and,
 * below it, for each of its users, indented by how deep they are in the tree.
 *
 * <p>Who makes accounts chooses their names, with bars in them too, so these come last. A line that
 * is not understood spoils the whole answer: without it, everybody else's part would be wrong.
 */
final class ShareText {
  static final String SSHARE = "sshare";

  /** The arguments of {@code sshare} whose output {@link #parse} reads. */
  static final List<String> ARGUMENTS =
      List.of("--all", "--noheader", "--parsable2", "--format=RawShares,User,Account");

  /** More lines than the largest sites have. */
  private static final int LINES_MAX = 1_000_000;

  private static final int DEPTH_MAX = 64;
  private static final int NAME_LENGTH_MAX = 255;
  private static final long SHARES_MAX = Integer.MAX_VALUE;
  private static final int FIELDS = 3;

  /** Instead of a number: as many as the account above has, or rather whoever is in that. */
  private static final String PARENT = "parent";

  private ShareText() {}

  /** What the whole text says; throws with the line when one makes no sense. */
  static AccountShares parse(String text) throws BadAnswerException {
    List<SlurmAccount> above = new ArrayList<>();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      try {
        if (number > LINES_MAX) {
          throw new IllegalArgumentException("expected at most " + LINES_MAX + " lines");
        }
        read(line, above);
      } catch (IllegalArgumentException e) {
        throw new BadAnswerException("line " + number + " of sshare: " + e.getMessage(), e);
      }
    }
    if (above.isEmpty()) {
      throw new BadAnswerException(
          "sshare told of no accounts: Slurm has some where slurmdbd keeps its accounting");
    }
    return above.getFirst().shares();
  }

  /**
   * Takes one line in.
   *
   * @param above the accounts that this line may be in, from the root down
   */
  private static void read(String line, List<SlurmAccount> above) {
    String[] fields = line.split("\\|", FIELDS);
    if (fields.length < FIELDS) {
      throw new IllegalArgumentException(
          "\"" + SlurmText.shown(line) + "\": expected shares, user and account");
    }
    String account = fields[2].stripLeading();
    int depth = fields[2].length() - account.length();
    if (depth > Math.min(above.size(), DEPTH_MAX) || (depth == 0 && !above.isEmpty())) {
      throw new IllegalArgumentException(
          "\"" + SlurmText.shown(fields[2]) + "\": expected below an account that was told before");
    }
    checkName(account);
    @Nullable SlurmAccount parent = depth == 0 ? null : above.get(depth - 1);
    String user = fields[1];
    if (user.isEmpty()) {
      above.subList(depth, above.size()).clear();
      above.add(
          parent == null ? SlurmAccount.root(account) : parent.account(account, shares(fields[0])));
    } else if (parent == null || !parent.name().equals(account)) {
      throw new IllegalArgumentException(
          "user \"" + SlurmText.shown(user) + "\": expected below account " + account);
    } else {
      checkName(user);
      parent.user(user, shares(fields[0]));
    }
  }

  private static void checkName(String name) {
    if (name.isBlank()
        || name.length() > NAME_LENGTH_MAX
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "\"%s\": expected a name of 1 to %d characters"
              .formatted(SlurmText.shown(name), NAME_LENGTH_MAX));
    }
  }

  /** Null for those of the parent. */
  private static @Nullable Long shares(String text) {
    if (text.equals(PARENT)) {
      return null;
    }
    try {
      long shares = Long.parseLong(text);
      if (shares >= 0 && shares <= SHARES_MAX) {
        return shares;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that is out of bounds.
    }
    throw new IllegalArgumentException(
        "\"%s\": expected shares from 0 to %d, or %s"
            .formatted(SlurmText.shown(text), SHARES_MAX, PARENT));
  }
}
