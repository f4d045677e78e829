package dev.sluice.app.coupons;

import dev.sluice.app.FailedException;
import dev.sluice.ledger.Award;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerException;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.api.LedgerJson;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Hands out node-hours that are due. */
@Command(
    name = "award",
    description = {
      "Hand out the node-hours that are due, and record that they were handed out.",
      "",
      "Each is handed out once: what this prints is to be credited in the batch system, and",
      "whoever asks again is told that nothing is due. ./sluice coupons shows what is due",
      "without handing it out.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice coupons award                  to everybody",
      "          ./sluice coupons award lammps@alice     to one application"
    })
final class AwardCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin LedgerOption ledger = new LedgerOption();

  @Option(names = "--json", description = "Print JSON for programs instead of lines for people.")
  boolean json;

  @Parameters(
      arity = "0..1",
      paramLabel = "APPLICATION",
      description = "Whose to hand out (default: everybody's).")
  @Nullable String application;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    LedgerLocation where = ledger.location();
    List<Award> awards;
    try {
      awards =
          CouponBooks.handOut(
              where, application, ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()));
    } catch (LedgerException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
    Map<String, Long> sums = new TreeMap<>();
    awards.forEach(award -> sums.merge(award.application(), award.nodeSeconds(), Long::sum));
    if (json) {
      out.println(LedgerJson.awards(sums));
      return;
    }
    sums.forEach((name, nodeSeconds) ->
        out.println(name + ": " + CouponsText.nodeHours(nodeSeconds) + " node-hours"));
    if (sums.isEmpty()) {
      out.println(
          application == null ? "nothing is due" : "nothing is due for \"" + application + "\"");
    }
  }
}
