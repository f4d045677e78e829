/** What everything that is kept in a database shares: connections, transactions, migrations. */
@NullMarked
package dev.sluice.ledger.sql;

import org.jspecify.annotations.NullMarked;
