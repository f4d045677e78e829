package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreJobId;

/** What a job had a server do in some time, on all its targets together. */
public record JobActivity(LustreJobId job, long rpcs, long readBytes, long writtenBytes) {}
