package dev.sluice.lustre;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A release of Lustre, such as 2.15.8. Versions of vendors count by the numbers in front. */
public record LustreVersion(int major, int minor, int patch) implements Comparable<LustreVersion> {
  private static final Pattern NUMBERS =
      Pattern.compile("(?<![\\d.])(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?");

  private static final Comparator<LustreVersion> ORDER =
      Comparator.comparingInt(LustreVersion::major)
          .thenComparingInt(LustreVersion::minor)
          .thenComparingInt(LustreVersion::patch);

  /** Finds the version in what {@code lctl get_param version} prints. */
  public static LustreVersion parse(String text) {
    Matcher matcher = NUMBERS.matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          "\"" + text.strip() + "\": expected a version such as 2.15.8");
    }
    String patch = matcher.group(3);
    return new LustreVersion(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        patch == null ? 0 : Integer.parseInt(patch));
  }

  public static LustreVersion of(int major, int minor, int patch) {
    return new LustreVersion(major, minor, patch);
  }

  public boolean isAtLeast(int otherMajor, int otherMinor, int otherPatch) {
    return compareTo(new LustreVersion(otherMajor, otherMinor, otherPatch)) >= 0;
  }

  @Override
  public int compareTo(LustreVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
