package dev.sluice.gateway.export;

import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.rpc.Credential;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whom the callers of an export are taken for.
 *
 * @param who whose claim to be somebody is not believed
 * @param anonymous whom they are taken for instead
 * @param groupLists who says which groups a caller is in, whatever the call says; null where the
 *     call's word counts
 */
public record Squash(Who who, Caller anonymous, @Nullable GroupLists groupLists) {
  /** The number that most systems call nobody. */
  public static final int NOBODY = 65_534;

  /**
   * The kernel reads this number as "leave it as it is", which for a server that runs as root would
   * mean root. It is nobody's number, so whoever claims it is anonymous under every rule.
   */
  private static final int NO_NUMBER = -1;

  public Squash {
    if (anonymous.uid() == NO_NUMBER || anonymous.gid() == NO_NUMBER) {
      throw new IllegalArgumentException(
          "expected an anonymous user and group of 0 to 4294967294, not " + anonymous);
    }
  }

  /** A rule under which the call's word about groups counts. */
  public Squash(Who who, Caller anonymous) {
    this(who, anonymous, null);
  }

  /** Whose claim to be somebody is not believed. */
  public enum Who {
    /** Everybody is believed, root too. */
    NONE,
    /** Root and root's group are not. */
    ROOT,
    /** Nobody is believed. */
    ALL;

    /** As people write it in the configuration: {@code root}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** This rule with nobody as the anonymous user. */
  public static Squash of(Who who) {
    return new Squash(who, new Caller(NOBODY, NOBODY));
  }

  /**
   * Whom the kernel is to take the sender of a call for.
   *
   * @throws FileException JUKEBOX when the groups of the sender are not known yet
   */
  public Caller caller(Credential credential) throws FileException {
    if (who == Who.ALL || !(credential instanceof Credential.Sys claimed)) {
      return anonymous;
    }
    if (claimed.uid() == NO_NUMBER) {
      return anonymous;
    }
    int[] groups = groups(claimed);
    for (int i = 0; i < groups.length; i++) {
      groups[i] = group(groups[i]);
    }
    int uid = who == Who.ROOT && claimed.uid() == 0 ? anonymous.uid() : claimed.uid();
    return new Caller(uid, group(claimed.gid()), groups);
  }

  /**
   * The groups besides the first. Root's are not asked for: it may do everything, or is somebody
   * else. Who is known to nobody is in the groups that the call says.
   */
  private int[] groups(Credential.Sys claimed) throws FileException {
    int[] known = groupLists == null || claimed.uid() == 0 ? null : groupLists.of(claimed.uid());
    return known == null ? claimed.groups() : known.clone();
  }

  private int group(int claimed) {
    boolean believed = claimed != NO_NUMBER && !(who == Who.ROOT && claimed == 0);
    return believed ? claimed : anonymous.gid();
  }
}
