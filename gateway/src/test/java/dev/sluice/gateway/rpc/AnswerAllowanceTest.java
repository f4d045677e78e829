package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerAllowanceTest {
  private static final long SECOND = 1_000_000_000L;

  /** In no second more than so many, to an address and in all; the next second begins anew. */
  @Test
  void boundsHoldInEverySecond() {
    SeededCases.forAll(
        200,
        random -> {
          int perAddress = random.nextInt(1, 5);
          int total = random.nextInt(1, 20);
          AnswerAllowance allowance = new AnswerAllowance(perAddress, total, 0);
          for (long second = 0; second < 3; second++) {
            Map<Integer, Integer> answered = new HashMap<>();
            int all = 0;
            for (int i = 0; i < 60; i++) {
              int client = random.nextInt(8);
              boolean expected = all < total && answered.getOrDefault(client, 0) < perAddress;
              boolean taken = allowance.take(new ClientAddress(0, client), second * SECOND + i);
              assertThat(taken).isEqualTo(expected);
              if (taken) {
                answered.merge(client, 1, Integer::sum);
                all++;
              }
            }
          }
        });
  }
}
