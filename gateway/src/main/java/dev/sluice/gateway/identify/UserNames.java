package dev.sluice.gateway.identify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of users and groups, as this machine's files have them. Immutable. No name service is
 * asked: it might be slow or down, and requests must not wait for it.
 */
public final class UserNames {
  /** Nobody has a name. */
  public static final UserNames NONE = new UserNames(Map.of(), Map.of());

  private static final int NAME_FIELD = 0;
  private static final int NUMBER_FIELD = 2;
  private static final long FILE_BYTES_MAX = 64 << 20;

  private final Map<Integer, String> users;
  private final Map<Integer, String> groups;

  private UserNames(Map<Integer, String> users, Map<Integer, String> groups) {
    this.users = users;
    this.groups = groups;
  }

  /** Reads {@code /etc/passwd} and {@code /etc/group}. */
  public static UserNames ofThisMachine() {
    return read(Path.of("/etc/passwd"), Path.of("/etc/group"));
  }

  /** Reads files in these formats; lines that make no sense, and files that are not there, pass. */
  static UserNames read(Path users, Path groups) {
    return new UserNames(numbered(users), numbered(groups));
  }

  private static Map<Integer, String> numbered(Path file) {
    Map<Integer, String> names = new HashMap<>();
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        return names;
      }
      for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList()) {
        String[] fields = line.split(":", -1);
        if (fields.length > NUMBER_FIELD && fields[NUMBER_FIELD].matches("\\d{1,9}")) {
          names.putIfAbsent(Integer.parseInt(fields[NUMBER_FIELD]), fields[NAME_FIELD]);
        }
      }
    } catch (IOException e) {
      // Numbers serve as well: a name is only what rules and people like better.
      names.clear();
    }
    return names;
  }

  /** The user's name, or number where there is no name. */
  public String user(int uid) {
    return users.getOrDefault(uid, Integer.toUnsignedString(uid));
  }

  /** The group's name, or number where there is no name. */
  public String group(int gid) {
    return groups.getOrDefault(gid, Integer.toUnsignedString(gid));
  }
}
