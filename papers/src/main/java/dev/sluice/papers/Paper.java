package dev.sluice.papers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A publication whose experiments can be repeated. It first names the runs it needs, so that they
 * can all go on at once, and then draws its conclusions from them.
 */
public interface Paper {
  /** As written on the command line. */
  String id();

  /** Authors and title. */
  String citation();

  /** What a page of its results is called. */
  default String title() {
    return id() + ": the paper's experiments, repeated";
  }

  /** The command that repeats it, after the program's name. */
  default String command() {
    return "reproduce " + id();
  }

  /** Whether real programs run for it, so that no two runs are the same. */
  default boolean isLive() {
    return false;
  }

  /** What is repeated of it, in its order. */
  List<Experiment> experiments();

  /** The runs that are needed; those that experiments share, by their name, only once. */
  default List<Trial> trials(long seed) {
    Map<String, Trial> byName = new LinkedHashMap<>();
    for (Experiment experiment : experiments()) {
      experiment.trials(seed).forEach(trial -> byName.putIfAbsent(trial.name(), trial));
    }
    return List.copyOf(byName.values());
  }

  /** What was found with one seed. */
  default List<Chapter> conclude(Outcomes outcomes) {
    return experiments().stream().map(one -> one.conclude(outcomes)).toList();
  }
}
