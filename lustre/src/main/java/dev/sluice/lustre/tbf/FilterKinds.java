package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreVersion;
import java.util.ArrayList;
import java.util.List;

/** What the rules of a version can go by. */
public final class FilterKinds {
  /** Since when a filter can go by several fields without going by all. */
  static final String COMBINES_SINCE = "2.17.51";

  private FilterKinds() {}

  /** Since when rules know a field, in words. */
  static String since(String field) {
    return switch (field) {
      case "projid" -> "it came with 2.16.60";
      case "nodemap" -> "it came with 2.17.55";
      default -> "no version does";
    };
  }

  /** What requests can be told apart by, as rules call it. */
  public static List<String> fields(LustreVersion version) {
    List<String> fields = new ArrayList<>(List.of("jobid", "nid", "opcode", "uid", "gid"));
    if (version.isAtLeast(2, 16, 60)) {
      fields.add("projid");
    }
    if (version.isAtLeast(2, 17, 55)) {
      fields.add("nodemap");
    }
    return fields;
  }

  /** Whether a filter can go by several of them without going by all. */
  public static boolean combines(LustreVersion version) {
    return version.isAtLeast(2, 17, 51);
  }

  /** For people. */
  public static String words(LustreVersion version) {
    return String.join(", ", fields(version))
        + (combines(version) ? " and combinations of them" : ", one kind at a time");
  }
}
