package dev.sluice.sim.storage;

import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.TargetSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Chooses the targets of new files, by their index, as a file system's object allocator does. */
public final class Placement {
  private final List<TargetSpec> targets;
  private final Map<String, Integer> indexByName = new HashMap<>();
  private final long[] allocatedBytes;
  private int nextInTurn;

  public Placement(List<TargetSpec> targets) {
    this.targets = targets;
    this.allocatedBytes = new long[targets.size()];
    for (int i = 0; i < targets.size(); i++) {
      indexByName.put(targets.get(i).name(), i);
    }
  }

  /** The targets of a new file that will hold so many bytes. */
  public int[] place(FileLayout layout, long bytes) {
    int count = layout.stripeCount();
    if (count < 1 || count > targets.size()) {
      throw new IllegalArgumentException(
          "a file lies on 1 to " + targets.size() + " targets, not on " + count);
    }
    int[] chosen =
        switch (layout.placement()) {
          case ROUND_ROBIN -> inTurn(count);
          case CAPACITY_BALANCED -> leastFilled(count);
          case GIVEN -> given(layout, count);
        };
    for (int target : chosen) {
      allocatedBytes[target] += bytes / count;
    }
    return chosen;
  }

  /** The target with this name. */
  public int named(String name) {
    Integer index = indexByName.get(name);
    if (index == null) {
      throw new IllegalArgumentException("there is no target \"" + name + "\"");
    }
    return index;
  }

  private int[] inTurn(int count) {
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = nextInTurn;
      nextInTurn = (nextInTurn + 1) % targets.size();
    }
    return chosen;
  }

  private int[] leastFilled(int count) {
    boolean[] taken = new boolean[targets.size()];
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      int best = -1;
      for (int target = 0; target < taken.length; target++) {
        if (!taken[target] && (best < 0 || filled(target) < filled(best))) {
          best = target;
        }
      }
      taken[best] = true;
      chosen[i] = best;
    }
    return chosen;
  }

  private double filled(int target) {
    return (double) allocatedBytes[target] / targets.get(target).bytesPerSecond();
  }

  private int[] given(FileLayout layout, int count) {
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = named(layout.targets().get(i));
    }
    return chosen;
  }
}
