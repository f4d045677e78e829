/** The books about coupons in a database, so that they outlive whoever keeps them. */
@NullMarked
package dev.sluice.ledger;

import org.jspecify.annotations.NullMarked;
