package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.FileHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far ranges are that clients were told to ask for again, because one call did not get to their
 * ends. Forgotten are the oldest of too many, and all of a file in which room was given back: who
 * then asks again begins anew, which takes time and does no harm. Safe for use by many threads.
 */
final class RangeProgress {
  static final int RANGES_MAX = 1_024;

  private final Map<Range, Long> reached =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.@Nullable Entry<Range, Long> eldest) {
          return size() > RANGES_MAX;
        }
      };

  /** What a client has asked for. */
  record Range(long clientId, FileHandle file, boolean isReserved, long offset, long length) {}

  /** Takes what was reached of a range, up to where the file is there; its beginning if nothing. */
  synchronized long resume(Range range, long fileBytes) {
    Long until = reached.remove(range);
    if (until == null || (range.isReserved && until > fileBytes)) {
      return range.offset;
    }
    return until;
  }

  /** Keeps what was reached until it is asked for again. */
  synchronized void keep(Range range, long until) {
    reached.put(range, until);
  }

  /** What was reserved in a file may not be any more. */
  synchronized void forgetReserved(FileHandle file) {
    if (!reached.isEmpty()) {
      reached.keySet().removeIf(range -> range.isReserved && range.file.equals(file));
    }
  }

  synchronized int size() {
    return reached.size();
  }
}
