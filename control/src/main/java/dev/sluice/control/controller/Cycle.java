package dev.sluice.control.controller;

/**
 * One turn of the control loop, for whoever measures.
 *
 * @param beganNanos when the orders before it had gone out and reports were waited for
 * @param collectedNanos when enough reports were there
 * @param decidedNanos when it was known what everybody may do
 * @param toldNanos when all orders had been handed to the network
 */
public record Cycle(
    long round,
    int members,
    int agents,
    long beganNanos,
    long collectedNanos,
    long decidedNanos,
    long toldNanos) {}
