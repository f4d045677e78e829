package dev.sluice.gateway.knfsd;

import dev.sluice.document.Place;
import java.util.List;

/**
 * One client of one exported directory, with all options that hold for it.
 *
 * @param path the directory, without a slash at its end
 * @param pathPlace where the directory is written
 * @param client as it is written; empty for everybody
 * @param place where the client is written
 */
record KernelExport(
    String path, Place pathPlace, String client, Place place, List<Option> options) {
  KernelExport {
    options = List.copyOf(options);
  }

  /**
   * An option as it is written.
   *
   * @param value what stands after the equals sign; empty without one
   */
  record Option(String name, String value, Place place) {
    /** As it is written. */
    String text() {
      return value.isEmpty() ? name : name + "=" + value;
    }
  }
}
