package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreJobId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a server showed, so that each is made once and not for each target and reading.
 * Mostly an id comes after the same one as the last time, and is compared with that alone. Of two
 * that fall on the same place only the last is kept, and the other made again: so it does not grow,
 * whatever a server shows. Not thread-safe.
 */
public final class JobIds {
  private static final int PLACES = 1 << 15;

  /** Longer than an id in which each byte is escaped; what is longer is not kept. */
  private static final int KEPT_BYTES_MAX = 512;

  private static final int NOWHERE = -1;

  private static final VarHandle LETTERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** Odd, and without a pattern: each bit of a word moves the higher ones. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final @Nullable Shown[] places = new @Nullable Shown[PLACES];
  private Shown last = new Shown(new byte[0], JobIdForm.RAW, "");

  /** An id, and the line that showed it from behind {@code job_id:} on, with its end. */
  private static final class Shown {
    final byte[] text;
    final JobIdForm form;
    final String id;

    /** Where the one is that came after it the last time. */
    int following = NOWHERE;

    Shown(byte[] text, JobIdForm form, String id) {
      this.text = text;
      this.form = form;
      this.id = id;
    }
  }

  /**
   * Where the line ends that begins here, if it shows the id that came after the last one before;
   * negative where it shows another, or has not come as a whole.
   */
  int expectedEnd(JobIdForm form, byte[] text, int from, int length) {
    Shown expected = expected();
    return expected != null
            && expected.form == form
            && from + expected.text.length <= length
            && isLike(expected.text, text, from)
        ? from + expected.text.length - 1
        : -1;
  }

  /**
   * The id whose line has just been found to be {@linkplain #expectedEnd the expected one}: so it
   * need not be compared once more.
   */
  String readExpected() {
    last = Objects.requireNonNull(expected());
    return last.id;
  }

  private @Nullable Shown expected() {
    return last.following == NOWHERE ? null : places[last.following];
  }

  /**
   * The id in the line that begins behind {@code job_id:} and ends in front of {@code to}; null
   * where it cannot be one, or is none that is accepted.
   */
  @Nullable String read(JobIdForm form, byte[] text, int from, int to) {
    if (expectedEnd(form, text, from, Math.min(to + 1, text.length)) == to) {
      return readExpected();
    }
    int place = place(text, from, to);
    Shown shown = places[place];
    if (shown == null
        || shown.form != form
        || shown.text.length != to - from + 1
        || !Arrays.equals(shown.text, 0, to - from, text, from, to)) {
      String id = form.read(text, from, to);
      if (id == null || id.isEmpty() || id.length() > LustreJobId.ACCEPTED_MAX) {
        return null;
      }
      if (to - from > KEPT_BYTES_MAX) {
        return id;
      }
      byte[] kept = Arrays.copyOfRange(text, from, to + 1);
      kept[to - from] = '\n';
      shown = new Shown(kept, form, id);
      places[place] = shown;
    }
    last.following = place;
    last = shown;
    return shown.id;
  }

  private static boolean isLike(byte[] shown, byte[] text, int from) {
    int at = 0;
    for (; at <= shown.length - Long.BYTES; at += Long.BYTES) {
      if ((long) LETTERS.get(shown, at) != (long) LETTERS.get(text, from + at)) {
        return false;
      }
    }
    for (; at < shown.length; at++) {
      if (shown[at] != text[from + at]) {
        return false;
      }
    }
    return true;
  }

  private static int place(byte[] text, int from, int to) {
    long hash = SPREAD;
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      hash = (hash ^ (long) LETTERS.get(text, at)) * SPREAD;
      hash ^= hash >>> 32;
    }
    for (; at < to; at++) {
      hash = (hash ^ text[at]) * SPREAD;
    }
    return (int) (hash >>> 40) & (PLACES - 1);
  }
}
