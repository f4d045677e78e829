package dev.sluice.gateway.config;

import dev.sluice.document.DocumentNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How clients that ask a portmapper find the ports. */
public enum PortmapperChoice {
  /** The machine's rpcbind if it takes us, else our own if the port is free, else none. */
  AUTO,
  /** Ours, or the gateway does not start. */
  OWN,
  /** The machine's rpcbind, or the gateway does not start. */
  RPCBIND,
  /** None: clients name the ports. */
  OFF;

  /**
   * Reads what a configuration says.
   *
   * @param rpcbind an older key, true for {@link #RPCBIND} and false for {@link #OFF}
   */
  static PortmapperChoice read(@Nullable DocumentNode portmapper, @Nullable DocumentNode rpcbind) {
    if (rpcbind != null) {
      boolean registers = rpcbind.bool();
      if (portmapper != null) {
        throw rpcbind.error("expected no such key beside \"portmapper\", which stands in for it");
      }
      return registers ? RPCBIND : OFF;
    }
    return portmapper == null ? AUTO : valueOf(portmapper.oneOf(names()).toUpperCase(Locale.ROOT));
  }

  private static List<String> names() {
    return Arrays.stream(values()).map(choice -> choice.name().toLowerCase(Locale.ROOT)).toList();
  }
}
