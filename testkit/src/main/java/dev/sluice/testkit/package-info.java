/** What the tests of every module share: seeded random cases, and a PostgreSQL to throw away. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
