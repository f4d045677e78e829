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

  /** What is repeated of it, in its order. */
  List<Experiment> experiments();

  /** The runs that are needed, each with a name of its own. */
  default List<Trial> trials(long seed) {
    return experiments().stream().flatMap(one -> one.trials(seed).stream()).toList();
  }

  /** What was found. */
  default List<Chapter> conclude(Outcomes outcomes) {
    return experiments().stream().map(one -> one.conclude(outcomes)).toList();
  }
}
