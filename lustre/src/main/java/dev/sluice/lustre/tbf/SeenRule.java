package dev.sluice.lustre.tbf;

import java.util.List;

/**
 * A rule for regular requests as a server shows it, over all its processor partitions.
 *
 * @param list what stands between its braces
 * @param partitions on how many partitions it is there with this list
 * @param alike whether it has the same rate on all of these
 * @param rate its rate where it was seen first
 * @param servingPartitions on how many of them requests came that it matched
 */
public record SeenRule(
    String name, String list, int partitions, boolean alike, long rate, int servingPartitions) {

  /** What it lists; several lists with commas or ampersands between them count together. */
  List<String> patterns() {
    boolean plain = list.indexOf(' ') < 0 && list.indexOf('}') < 0;
    return plain ? List.of(list) : List.of(list.split("\\}[,&][a-z]+=\\{| "));
  }

  /** The same, having been seen on one more partition. */
  SeenRule and(String otherList, long otherRate, boolean serving) {
    return list.equals(otherList)
        ? new SeenRule(
            name,
            list,
            partitions + 1,
            alike && rate == otherRate,
            rate,
            servingPartitions + (serving ? 1 : 0))
        : this;
  }

  /** The same with one rate on all partitions. */
  SeenRule withRate(long otherRate, int onPartitions) {
    return new SeenRule(name, list, onPartitions, true, otherRate, servingPartitions);
  }
}
