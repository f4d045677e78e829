/**
 * What the tests of every module share: seeded random cases, waiting for what comes about, which
 * programs there are, and a PostgreSQL to throw away.
 */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
