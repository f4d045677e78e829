package dev.sluice.core.period;

/** What can be said about a job's period at some moment. */
public sealed interface PeriodAnswer permits Period, Inconclusive {}
