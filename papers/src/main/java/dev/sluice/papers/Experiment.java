package dev.sluice.papers;

import java.util.List;

/** One section of a paper: the runs it needs, and what is concluded from them. */
public interface Experiment {
  List<Trial> trials(long seed);

  Chapter conclude(Outcomes outcomes);
}
