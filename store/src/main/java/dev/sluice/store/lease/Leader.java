package dev.sluice.store.lease;

/**
 * Who gives orders. Numbers grow with every leader as long as the database does; where it has gone
 * back, two leaders may have taken the same one without knowing of each other, and the marks tell
 * them apart.
 *
 * @param epoch 0 for nobody
 * @param mark drawn at random by each controller when it starts; 0 where it is not known
 */
public record Leader(long epoch, long mark) {
  public static final Leader NOBODY = new Leader(0, 0);

  /** Whether both may be the same: who has no mark may be anybody with this number. */
  public boolean mayBe(Leader other) {
    return epoch == other.epoch && (mark == other.mark || mark == 0 || other.mark == 0);
  }
}
