package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.identify.UserNames;
import dev.sluice.gateway.identify.UserNumbers;
import dev.sluice.nfs.nfs4.Nfs4Status;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How users and groups are written (the attributes owner and owner_group; RFC 8881, section 5.9):
 * as {@code name@domain} where there is a domain and the name is known, and as a number otherwise.
 * Numbers are always taken, names only with the domain.
 */
final class OwnerNames {
  /** Numbers alone. */
  static final OwnerNames NUMBERS = new OwnerNames(null, UserNames.NONE, null);

  /** Longer ones have no room among the attributes, and are told by number. */
  static final int TEXT_BYTES_MAX = 128;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

  private final @Nullable String domain;
  private final UserNames names;
  private final @Nullable UserNumbers numbers;

  private OwnerNames(@Nullable String domain, UserNames names, @Nullable UserNumbers numbers) {
    this.domain = domain;
    this.names = names;
    this.numbers = numbers;
  }

  /** Names of this domain, which stand for the numbers that a name service has for them. */
  static OwnerNames in(String domain, UserNames names, UserNumbers numbers) {
    return new OwnerNames(domain, names, numbers);
  }

  byte[] user(int uid) {
    return text(uid, domain == null ? null : names.userSoon(uid));
  }

  byte[] group(int gid) {
    return text(gid, domain == null ? null : names.groupSoon(gid));
  }

  private byte[] text(int number, @Nullable String name) {
    if (name != null) {
      byte[] text = (name + "@" + domain).getBytes(StandardCharsets.UTF_8);
      if (text.length <= TEXT_BYTES_MAX) {
        return text;
      }
    }
    return Integer.toUnsignedString(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** The user that is meant. */
  int userNumber(byte[] text) throws Refusal, FileException {
    return number(new String(text, StandardCharsets.UTF_8), false);
  }

  /** The group that is meant. */
  int groupNumber(byte[] text) throws Refusal, FileException {
    return number(new String(text, StandardCharsets.UTF_8), true);
  }

  private int number(String text, boolean isGroup) throws Refusal, FileException {
    if (NUMBER.matcher(text).matches()) {
      long number = Long.parseLong(text);
      // The greatest stands for nobody at all.
      if (number < 0xffff_ffffL) {
        return (int) number;
      }
      throw new Refusal(Nfs4Status.BADOWNER, "no user's or group's number: " + text);
    }
    int at = text.lastIndexOf('@');
    UserNumbers known = numbers;
    if (known != null && at > 0 && text.substring(at + 1).equalsIgnoreCase(domain)) {
      String name = text.substring(0, at);
      Integer number = isGroup ? known.group(name) : known.user(name);
      if (number != null) {
        return number;
      }
    }
    throw new Refusal(Nfs4Status.BADOWNER, "nobody is known by this name");
  }
}
