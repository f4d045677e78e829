package dev.sluice.document;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code guarantees} for {@link PromisesReader}. */
public final class GuaranteesReader {
  private static final int GUARANTEES_MAX = 1_000;

  private GuaranteesReader() {}

  /**
   * What is written, unless it does not fit.
   *
   * @param targets those whose capacities are known
   */
  public static Guarantees read(@Nullable DocumentNode node, List<Target> targets) {
    if (node == null) {
      return Guarantees.NONE;
    }
    List<Guarantee> read = new ArrayList<>();
    Set<String> whose = new HashSet<>();
    for (DocumentNode item : node.list()) {
      Guarantee guarantee = guarantee(item);
      if (!whose.add(guarantee.who() + guarantee.name())) {
        throw item.error("expected one guarantee for each " + guarantee.who().text());
      }
      read.add(guarantee);
      Guarantees sofar = new Guarantees(read);
      for (Target target : targets) {
        String refusal = sofar.refusal(target);
        if (refusal != null) {
          throw item.error(refusal);
        }
      }
    }
    if (read.size() > GUARANTEES_MAX) {
      throw node.error("expected at most " + GUARANTEES_MAX + " guarantees");
    }
    return new Guarantees(read);
  }

  private static Guarantee guarantee(DocumentNode item) {
    DocumentMap map = item.map("job", "user", "group", "account", "rate");
    Guarantee.Who who = who(item, map);
    String name = name(who, map);
    Quantities.CountedRate rate = map.required("rate").rate();
    try {
      return new Guarantee(who, name, rate.perSecond(), rate.counted());
    } catch (IllegalArgumentException e) {
      throw map.required("rate").error("expected a rate such as 20 MB/s or 500 ops/s");
    }
  }

  /** By what an item of the list says whose it is. */
  static Guarantee.Who who(DocumentNode item, DocumentMap map) {
    Guarantee.Who who = null;
    for (Guarantee.Who each : Guarantee.Who.values()) {
      if (map.optional(each.text()) != null) {
        if (who != null) {
          throw item.error("expected one of job, user, group and account");
        }
        who = each;
      }
    }
    if (who == null) {
      throw item.error("expected one of job, user, group and account");
    }
    return who;
  }

  static String name(Guarantee.Who who, DocumentMap map) {
    DocumentNode name = map.required(who.text());
    if (name.text().isEmpty()) {
      throw name.error("expected a name");
    }
    return name.text();
  }
}
