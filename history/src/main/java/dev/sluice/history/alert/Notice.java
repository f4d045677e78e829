package dev.sluice.history.alert;

/**
 * Tells that an alert fires, or that it is over.
 *
 * @param fires false when it is over
 * @param lastedMillis for how long what it is about has lasted
 * @param words what was seen, for people
 */
public record Notice(AlertKey key, boolean fires, long lastedMillis, String words) {}
