package dev.sluice.access;

import org.jspecify.annotations.Nullable;

/** Notes down who changed what. Called by several threads. */
public interface Audit {
  /** Nobody keeps it. */
  Audit NONE =
      new Audit() {
        @Override
        public void note(String who, String about, String what) {}

        @Override
        public @Nullable String trouble() {
          return null;
        }
      };

  /**
   * Notes a change down; it is on the disk when this returns, or {@link #trouble} says why not.
   *
   * @param about what kind of thing was changed, in one word
   * @param what in words
   */
  void note(String who, String about, String what);

  /** Why changes are not noted down, in words; null where they are. */
  @Nullable String trouble();
}
