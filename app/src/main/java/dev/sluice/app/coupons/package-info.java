/** The commands that look into the ledger of coupons. */
@NullMarked
package dev.sluice.app.coupons;

import org.jspecify.annotations.NullMarked;
