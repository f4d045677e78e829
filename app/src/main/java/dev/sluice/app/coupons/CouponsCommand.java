package dev.sluice.app.coupons;

import dev.sluice.app.FailedException;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerException;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.LedgerSummary;
import dev.sluice.store.api.LedgerJson;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows who is owed what. */
@Command(
    name = "coupons",
    description = {
      "Show who is owed what under the policy gift, and hand out node-hours.",
      "",
      "gift slows a job down a little where others gain more by it, and owes its application",
      "a coupon: so many bytes, given back as bandwidth as soon as nobody else loses by it. A",
      "coupon that is not redeemed in time is paid for in node-hours, from a budget for each",
      "regret period. An application is what a job runs and whose it is (lammps@alice), in",
      "every run of it.",
      "",
      "  owed      what can still be redeemed      issued, redeemed  in all",
      "  regret    the node-hours that what is owed has cost the application",
      "  due       node-hours that were found due and not handed out yet",
      ""
    },
    subcommands = AwardCommand.class,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "It looks into the ledger itself, whether the gateway runs or not.",
      "",
      "Examples: ./sluice coupons",
      "          ./sluice coupons --ledger /var/lib/sluice/coupons.db --json",
      "          ./sluice coupons award lammps@alice"
    })
public final class CouponsCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin LedgerOption ledger = new LedgerOption();

  @Option(names = "--json", description = "Print JSON for programs instead of a table for people.")
  boolean json;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    LedgerLocation where = ledger.location();
    LedgerSummary summary;
    try {
      summary = CouponBooks.summary(where);
    } catch (LedgerException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
    if (json) {
      out.println(LedgerJson.text(where, summary));
    } else {
      CouponsText.lines(where, summary).forEach(out::println);
    }
  }
}
