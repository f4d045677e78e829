package dev.sluice.control.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller has shown.
 *
 * @param claimedName who it says it is
 * @param address where it calls from, for the log
 * @param certificateNames the names in its verified client certificate; none without one
 * @param token the secret that it sent; null where it sent none
 */
public record Credentials(
    String claimedName, String address, List<String> certificateNames, @Nullable String token) {
  public Credentials {
    certificateNames = List.copyOf(certificateNames);
  }

  /** Without the secret, so that no log has it. */
  @Override
  public String toString() {
    return claimedName
        + " from "
        + address
        + " with "
        + (certificateNames.isEmpty() ? "no certificate" : "a certificate for " + certificateNames)
        + " and "
        + (token == null ? "no token" : "a token");
  }
}
