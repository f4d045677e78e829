-- The books, in words that SQLite and PostgreSQL both understand. Times are nanoseconds since 1970.

-- One row: how far the books have got, and the regret period.
CREATE TABLE sluice_ledger (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entry BIGINT NOT NULL,
  writer TEXT NOT NULL,
  counted TEXT NOT NULL,
  coupons_issued BIGINT NOT NULL,
  period_began_nanos BIGINT,
  period_coupons_before BIGINT NOT NULL,
  period_unredeemed_millionths BIGINT NOT NULL,
  period_awarded_node_seconds BIGINT NOT NULL,
  regret_budget_node_seconds BIGINT NOT NULL
);

INSERT INTO sluice_ledger VALUES (1, 0, '', '', 0, NULL, 0, 0, 0, 0);

-- Every application that was ever owed something, with what it was issued and got back in all.
CREATE TABLE sluice_application (
  name TEXT PRIMARY KEY,
  account_issued BIGINT NOT NULL,
  coupons_issued BIGINT NOT NULL,
  issued_tokens BIGINT NOT NULL,
  redeemed_tokens BIGINT NOT NULL,
  touched_nanos BIGINT NOT NULL
);

-- The coupons that are not redeemed: those that are owed, and those that were paid for in compute time.
CREATE TABLE sluice_coupon (
  number BIGINT PRIMARY KEY,
  application TEXT NOT NULL REFERENCES sluice_application (name),
  ordinal BIGINT NOT NULL,
  issued_nanos BIGINT NOT NULL,
  worth_tokens BIGINT NOT NULL,
  redeemed_tokens BIGINT NOT NULL,
  awarded_node_seconds BIGINT NOT NULL,
  fair_tokens_per_second DOUBLE PRECISION NOT NULL,
  nodes BIGINT NOT NULL
);

-- Compute time that is due for coupons, and when somebody handed it out.
CREATE TABLE sluice_award (
  coupon BIGINT PRIMARY KEY,
  application TEXT NOT NULL REFERENCES sluice_application (name),
  node_seconds BIGINT NOT NULL,
  awarded_nanos BIGINT NOT NULL,
  handed_out_nanos BIGINT
);
