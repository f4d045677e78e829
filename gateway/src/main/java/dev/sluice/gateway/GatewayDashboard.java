package dev.sluice.gateway;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Caller;
import dev.sluice.access.Refusals;
import dev.sluice.access.Role;
import dev.sluice.command.RequestHandler;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.web.OwnerToken;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.WebSettings;
import dev.sluice.web.api.AuditedCommands;
import dev.sluice.web.api.Changing;
import dev.sluice.web.api.HealthRoute;
import java.io.IOException;
import java.nio.file.Path;

/** Puts the dashboard in front of a gateway's commands. */
final class GatewayDashboard {
  private GatewayDashboard() {}

  /**
   * Starts it.
   *
   * @param state where the token is of whoever owns the gateway
   * @param policies those that may be chosen
   * @param refusals where those are noted down who may not ask
   * @param additions what it answers besides
   */
  static SluiceWeb start(
      WebSettings settings,
      Path state,
      PolicyRegistry policies,
      RequestHandler commands,
      AuditedCommands changes,
      Refusals refusals,
      WebAdditions additions)
      throws IOException {
    AccessTokens known =
        settings.tokens() == null ? AccessTokens.none() : AccessTokens.read(settings.tokens());
    return SluiceWeb.start(
        settings,
        known.with(new Caller("the gateway's owner", Role.ADMIN), OwnerToken.in(state)),
        new SluiceWeb.Program(
            commands,
            changes,
            policies.policies().stream().map(PolicyFactory::info).toList(),
            new HealthRoute(commands).and(additions.routes()),
            additions.metrics(),
            Changing.by(changes),
            refusals));
  }
}
