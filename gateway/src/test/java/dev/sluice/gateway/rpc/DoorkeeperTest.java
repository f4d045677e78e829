package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.Doorkeeper.Verdict;
import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoorkeeperTest {
  @Test
  void onlyClientsComeInAndNoneTooOften() {
    SeededCases.forAll(
        300,
        random -> {
          int max = 1 + random.nextInt(20);
          int perAddress = 1 + random.nextInt(max);
          ClientAddress stranger = ClientAddress.parse("10.0.1.0");
          Doorkeeper doorkeeper =
              new Doorkeeper(address -> !address.equals(stranger), max, perAddress);
          Map<ClientAddress, Integer> inside = new HashMap<>();
          for (int step = 0; step < 200; step++) {
            ClientAddress address = ClientAddress.parse("10.0.0." + random.nextInt(5));
            int own = inside.getOrDefault(address, 0);
            int all = inside.values().stream().mapToInt(Integer::intValue).sum();
            if (own > 0 && random.nextInt(3) == 0) {
              doorkeeper.leave(address);
              inside.put(address, own - 1);
            } else {
              Verdict expected =
                  own >= perAddress
                      ? Verdict.TOO_MANY_OF_THIS_ADDRESS
                      : all >= max ? Verdict.TOO_MANY : Verdict.WELCOME;
              assertThat(doorkeeper.enter(address)).isEqualTo(expected);
              inside.put(address, expected == Verdict.WELCOME ? own + 1 : own);
            }
            assertThat(doorkeeper.enter(stranger)).isEqualTo(Verdict.STRANGER);
          }
        });
  }
}
