package dev.sluice.lustre.config;

import dev.sluice.jobs.source.JobSource;
import dev.sluice.lustre.LustreService;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a Lustre server is looked after.
 *
 * @param capacityPerSecond how many requests a second the service can serve, all targets together
 * @param periodNanos how often is decided, at most
 * @param jobs who tells which jobs run; null where nobody does and all count alike
 * @param state the directory of the journal
 * @param lctl the program
 * @param patienceNanos how long it may take
 * @param rulePrefix what our rules' names begin with
 * @param floorPerSecond the smallest rate that is written
 * @param deadBand by which part a rule's rate may be off before it is changed
 * @param rulesMax how many rules there may be at once
 * @param recordRetentionNanos how long AdapTBF remembers what an idle job lent or borrowed
 * @param switchPolicy whether the filter may be turned on where it is off
 * @param realtime whether rules with {@code realtime} are asked for
 */
public record LustreConfiguration(
    LustreService service,
    long capacityPerSecond,
    long periodNanos,
    @Nullable JobSource jobs,
    Path state,
    String lctl,
    long patienceNanos,
    String rulePrefix,
    long floorPerSecond,
    double deadBand,
    int rulesMax,
    long recordRetentionNanos,
    boolean switchPolicy,
    boolean realtime) {}
