package dev.sluice.sim.papers;

import java.util.List;

/**
 * A publication whose experiments can be repeated. It first names the runs it needs, so that they
 * can all go on at once, and then draws its conclusions from them.
 */
public interface Paper {
  /** As written on the command line. */
  String id();

  /** Authors and title. */
  String citation();

  /** The runs that are needed, each with a name of its own. */
  List<Trial> trials(long seed);

  /** What was found. */
  List<Chapter> conclude(Outcomes outcomes);
}
