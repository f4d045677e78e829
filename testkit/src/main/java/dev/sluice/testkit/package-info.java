/** What the tests of every module share: seeded random cases. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
