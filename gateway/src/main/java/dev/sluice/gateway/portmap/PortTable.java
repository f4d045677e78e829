package dev.sluice.gateway.portmap;

import java.util.List;
import java.util.function.Predicate;

/** What can be called here, and where. Safe for use by many threads. */
final class PortTable {
  private volatile List<Service> services = List.of();

  /** Answers with these from now on. */
  void use(List<Service> known) {
    services = List.copyOf(known);
  }

  List<Service> all() {
    return services;
  }

  /** The port of a version of a program; 0 where it cannot be called in this way. */
  int port(int program, int version, Predicate<Service.Transport> by) {
    for (Service service : services) {
      if (service.program() == program
          && service.version() == version
          && by.test(service.transport())) {
        return service.port();
      }
    }
    return 0;
  }
}
