package dev.sluice.gateway.export;

import org.jspecify.annotations.Nullable;

/**
 * A path that a client asks to mount: {@code /scratch/sub/dir}, or {@code /@4711/scratch/sub/dir}
 * where the client says that it is job 4711.
 *
 * @param job what stands after the {@code @}; null where there is no claim
 * @param path the rest: absolute, without empty parts, {@code .}, or a slash at its end
 */
public record MountPath(@Nullable String job, String path) {
  private static final String CLAIM = "/@";

  /**
   * Reads a path; empty parts, {@code .} and slashes at the end do not matter. Null when it is not
   * absolute or has {@code ..} in it, which no export needs and which would have to be resolved
   * through links.
   */
  public static @Nullable MountPath parse(String text) {
    if (!text.startsWith("/")) {
      return null;
    }
    String job = null;
    String rest = text;
    if (text.startsWith(CLAIM)) {
      int end = text.indexOf('/', CLAIM.length());
      job = text.substring(CLAIM.length(), end < 0 ? text.length() : end);
      rest = end < 0 ? "/" : text.substring(end);
    }
    StringBuilder path = new StringBuilder();
    for (String part : rest.split("/", -1)) {
      if (part.equals("..")) {
        return null;
      }
      if (!part.isEmpty() && !part.equals(".")) {
        path.append('/').append(part);
      }
    }
    return new MountPath(job, path.isEmpty() ? "/" : path.toString());
  }

  /** Whether a path is written just as {@link #parse} would leave it, with no claim. */
  static boolean isPlain(String path) {
    MountPath parsed = parse(path);
    return parsed != null && parsed.job() == null && parsed.path().equals(path);
  }

  /**
   * What is left of the path below this one, without a slash at its start; null when it is not
   * below it. Empty when they are the same.
   */
  @Nullable String below(String ancestor) {
    if (path.equals(ancestor)) {
      return "";
    }
    String prefix = ancestor.equals("/") ? "/" : ancestor + "/";
    return path.startsWith(prefix) ? path.substring(prefix.length()) : null;
  }
}
