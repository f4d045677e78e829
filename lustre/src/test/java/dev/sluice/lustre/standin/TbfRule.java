package dev.sluice.lustre.standin;

import java.util.List;

/** A rule of one head. */
final class TbfRule {
  final String name;
  final String list;
  final List<String> patterns;
  long rate;
  long generation;
  boolean stopped;
  int classes;

  TbfRule(String name, String list, long rate) {
    this.name = name;
    this.list = list;
    this.patterns = List.of(list.split(" "));
    this.rate = rate;
  }

  boolean matches(String job) {
    return patterns.stream().anyMatch(pattern -> KernelPattern.matches(pattern, job));
  }
}
