package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;

/**
 * Writes how far the random choices have got, which is all that is remembered.
 *
 * @param seed what they follow from; with another one, they are others
 */
record SdqProCodec(long seed) implements StateCodec<SdqProState> {
  private static final String CHOICES = "choices";

  @Override
  public String name() {
    return SdqProFactory.NAME;
  }

  @Override
  public void write(SdqProState state, StateWriter out) {
    out.line(CHOICES).whole(seed).whole(state.random());
  }

  @Override
  public SdqProState read(StateReader in, Cluster cluster) {
    in.line(CHOICES);
    long then = in.whole(Long.MIN_VALUE, Long.MAX_VALUE);
    if (then != seed) {
      throw in.unfit("its choices follow from the seed " + then + ", and this is " + seed + " now");
    }
    return new SdqProState(in.whole(Long.MIN_VALUE, Long.MAX_VALUE));
  }
}
