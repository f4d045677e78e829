package dev.sluice.papers.registry;

import dev.sluice.core.text.Suggestion;
import dev.sluice.papers.adaptbf.AdapTbfContest;
import dev.sluice.papers.arena.Arena;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.NeutralContest;
import dev.sluice.papers.gift.GiftContest;
import dev.sluice.papers.iosets.IoSetsContest;
import dev.sluice.papers.padll.PadllContest;
import dev.sluice.papers.sdqpro.SdqProContest;
import dev.sluice.papers.themis.ThemisContest;
import java.util.ArrayList;
import java.util.List;

/** The contests of the arena. */
public final class Contests {
  private Contests() {}

  /** All of them, in the order in which to show them. */
  public static List<Contest> all() {
    List<Contest> contests = new ArrayList<>();
    contests.addAll(AdapTbfContest.all());
    contests.addAll(IoSetsContest.all());
    contests.add(new SdqProContest());
    contests.addAll(PadllContest.all());
    contests.add(new ThemisContest());
    contests.addAll(GiftContest.all());
    contests.addAll(NeutralContest.all());
    return contests;
  }

  /** The arena with these contests, by their ids; with all where none is named. */
  public static Arena arena(List<String> ids) {
    List<Contest> all = all();
    List<String> known = all.stream().map(Contest::id).toList();
    for (String id : ids) {
      if (!known.contains(id)) {
        throw new IllegalArgumentException(
            "there is no contest \""
                + id
                + "\"; there are "
                + String.join(", ", known)
                + Suggestion.of(id, known));
      }
    }
    return new Arena(
        ids.isEmpty() ? all : all.stream().filter(one -> ids.contains(one.id())).toList());
  }
}
