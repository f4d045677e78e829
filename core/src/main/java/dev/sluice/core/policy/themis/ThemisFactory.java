package dev.sluice.core.policy.themis;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link ThemisPolicy}. */
public final class ThemisFactory implements PolicyFactory {
  private static final String TICKETS = "tickets";

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        "themis",
        "who is next is drawn by share, over accounts, users and jobs",
        "Huang and others, Fine-grained Policy-driven I/O Sharing for Burst Buffers (SC 2023)",
        "Of those that wait, the one that is served next is drawn, each as likely as its share: by"
            + " its nodes (size-fair) or alike (job-fair), and with the key shares by user, group"
            + " or account before that (user-fair, group-then-user-fair). What somebody does not"
            + " use falls to the others at once. Nobody is limited, and no target talks to"
            + " another.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        500_000_000L,
        SchedulerKind.THEMIS,
        Set.of(PolicyInfo.Need.NODES),
        List.of(
            new PolicyInfo.Parameter(
                TICKETS,
                "size",
                "what jobs beside each other have: size (by nodes) or job (alike)")));
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new ThemisPolicy(settings.choice(TICKETS, ThemisPolicy.Tickets.class));
  }
}
