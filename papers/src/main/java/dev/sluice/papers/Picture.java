package dev.sluice.papers;

/**
 * A picture.
 *
 * @param file its name without an ending
 * @param caption what it shows
 * @param svg for use inside a page
 */
public record Picture(String file, String caption, String svg) {}
