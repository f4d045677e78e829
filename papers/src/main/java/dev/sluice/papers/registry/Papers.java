package dev.sluice.papers.registry;

import dev.sluice.core.text.Suggestion;
import dev.sluice.papers.Paper;
import dev.sluice.papers.adaptbf.AdapTbfPaper;
import dev.sluice.papers.gift.GiftPaper;
import dev.sluice.papers.iosets.IoSetsPaper;
import dev.sluice.papers.padll.PadllPaper;
import dev.sluice.papers.sdqpro.SdqProPaper;
import java.util.List;

/** The papers whose experiments can be repeated. */
public final class Papers {
  private static final List<Paper> PAPERS =
      List.of(
          new AdapTbfPaper(),
          new GiftPaper(),
          new IoSetsPaper(),
          new SdqProPaper(),
          new PadllPaper());

  private Papers() {}

  public static List<Paper> all() {
    return PAPERS;
  }

  /** The one with this id. */
  public static Paper named(String id) {
    for (Paper paper : PAPERS) {
      if (paper.id().equals(id)) {
        return paper;
      }
    }
    List<String> ids = PAPERS.stream().map(Paper::id).toList();
    throw new IllegalArgumentException(
        "there is no paper \""
            + id
            + "\"; there are "
            + String.join(", ", ids)
            + Suggestion.of(id, ids));
  }
}
