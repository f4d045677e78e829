package dev.sluice.app.lustre;

import dev.sluice.app.BadInputException;
import dev.sluice.core.text.Suggestion;
import dev.sluice.lustre.LustreService;

/** The service that the option {@code --service} names. */
final class ServiceOption {
  private ServiceOption() {}

  static LustreService named(String name) {
    if (!LustreService.names().contains(name)) {
      throw new BadInputException(
          "--service \""
              + name
              + "\": expected one of "
              + String.join(", ", LustreService.names())
              + Suggestion.of(name, LustreService.names()));
    }
    return LustreService.named(name);
  }
}
