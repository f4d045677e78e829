package dev.sluice.web.browser;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Caller;
import dev.sluice.access.Role;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.SyntheticHistory;
import dev.sluice.web.SyntheticProgram;
import dev.sluice.web.WebSettings;
import dev.sluice.web.api.AuditedCommands;
import java.io.IOException;
import java.time.InstantSource;

/** Serves a program with everything that comes with it. */
final class ServedProgram {
  /** Of somebody who may change things. */
  static final String TOKEN = "0123456789abcdef";

  private ServedProgram() {}

  static SluiceWeb serve(SyntheticProgram program, WebSettings settings) throws IOException {
    return SluiceWeb.start(
        settings,
        AccessTokens.none().with(new Caller("olga", Role.OPERATE), TOKEN),
        new SluiceWeb.Program(
            program,
            new AuditedCommands(program, InstantSource.system()),
            PolicyRegistry.all().stream().map(PolicyFactory::info).toList(),
            new SyntheticHistory(program, System::currentTimeMillis)::addTo));
  }
}
