package dev.sluice.core.schedule.themis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LotteryTest {
  private static final class Named extends Lottery.Ticket {}

  /** The theorem: whatever came and went, each ticket has as many numbers as it weighs. */
  @Test
  void eachTicketHasAsManyNumbersAsItWeighs() {
    SeededCases.forAll(
        300,
        random -> {
          Lottery<Named> lottery = new Lottery<>();
          List<Named> in = new ArrayList<>();
          for (int step = 0; step < 60; step++) {
            if (in.isEmpty() || random.nextInt(3) > 0) {
              Named ticket = new Named();
              lottery.reweigh(ticket, random.nextLong(1, 9));
              lottery.enter(ticket);
              in.add(ticket);
            } else if (random.nextBoolean()) {
              lottery.leave(in.remove(random.nextInt(in.size())));
            } else {
              lottery.reweigh(in.get(random.nextInt(in.size())), random.nextLong(1, 9));
            }
            lottery.checkInvariants();
          }
          long numbers = 0;
          for (Named ticket : in) {
            long drawn = 0;
            for (long number = 0; number < lottery.weight(); number++) {
              drawn += lottery.draw(number).equals(ticket) ? 1 : 0;
            }
            assertThat(drawn).isEqualTo(ticket.weight());
            numbers += drawn;
          }
          assertThat(numbers).isEqualTo(lottery.weight());
        });
  }

  @Test
  void aNumberThatNobodyHasIsRefused() {
    Lottery<Named> lottery = new Lottery<>();
    assertThatThrownBy(() -> lottery.draw(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected 0 to below 0, not 0");
  }
}
