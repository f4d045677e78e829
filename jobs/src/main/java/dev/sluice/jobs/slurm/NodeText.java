package dev.sluice.jobs.slurm;

import java.util.HashMap;
import java.util.Map;

/** The nodes as {@code scontrol show node --oneliner} prints them. */
final class NodeText {
  private static final String NAME = "NodeName=";
  private static final String ADDRESS = " NodeAddr=";

  private NodeText() {}

  /** What each node is to be reached by: an address, or a host name. */
  static Map<String, String> addresses(String text) throws BadAnswerException {
    Map<String, String> addresses = new HashMap<>();
    for (String line : text.lines().toList()) {
      if (!line.startsWith(NAME)) {
        continue;
      }
      String name = word(line, NAME.length());
      int address = line.indexOf(ADDRESS);
      if (!name.isEmpty() && address >= 0) {
        addresses.put(name, word(line, address + ADDRESS.length()));
      }
      if (addresses.size() > SlurmJob.NODES_MAX) {
        throw new BadAnswerException("expected at most " + SlurmJob.NODES_MAX + " nodes");
      }
    }
    return addresses;
  }

  private static String word(String line, int start) {
    int end = line.indexOf(' ', start);
    return end < 0 ? line.substring(start) : line.substring(start, end);
  }
}
