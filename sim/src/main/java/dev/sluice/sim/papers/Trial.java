package dev.sluice.sim.papers;

import dev.sluice.sim.scenario.Scenario;

/** A scenario to be run under a policy. */
public record Trial(String name, Scenario scenario, String policy) {}
