package dev.sluice.ledger;

import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.gift.GiftState;
import dev.sluice.core.policy.gift.LedgerEvent;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A program that decides as fast as it can until it is killed. Before it keeps a decision it says
 * which one, and after that it says that it has.
 */
final class BusyBooks {
  static final String TRIES = "tries";
  static final String KEPT = "kept";

  private BusyBooks() {}

  /** Arguments: the file with the books, and a seed. */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    RandomDecisions source =
        new RandomDecisions(new SplittableRandom(Long.parseLong(arguments[1])));
    CouponBooks books = new CouponBooks(new LedgerLocation.SqliteFile(Path.of(arguments[0])));
    Memory<GiftState> memory = books.memory(RandomDecisions.GIFT.codec());
    while (true) {
      GiftState before = memory.current(RandomDecisions.BYTES);
      GiftState next = source.next(before);
      if (next.events().isEmpty()) {
        continue;
      }
      StringBuilder line = new StringBuilder(TRIES);
      next.events().forEach(event -> line.append(' ').append(words(event)));
      out.println(line);
      memory.keep(before, next);
      out.println(KEPT);
    }
  }

  private static String words(LedgerEvent event) {
    return switch (event) {
      case LedgerEvent.PeriodBegan _ -> "period";
      case LedgerEvent.Issued(var coupon) ->
          "issued:" + coupon.number() + ":" + coupon.worthTokens();
      case LedgerEvent.Redeemed(_, var coupon, var tokens) -> "redeemed:" + coupon + ":" + tokens;
      case LedgerEvent.Awarded(_, var coupon, var seconds) -> "awarded:" + coupon + ":" + seconds;
      case LedgerEvent.Forgotten(_, var coupon) -> "forgotten:" + coupon + ":0";
    };
  }
}
