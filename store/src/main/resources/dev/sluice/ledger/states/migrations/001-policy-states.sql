-- What policies remember, in words that SQLite and PostgreSQL both understand: one text for each policy and
-- what it decides about, a target or all of them, and the epoch of who wrote it. Later epochs replace earlier ones.
CREATE TABLE sluice_policy_state (
  policy TEXT NOT NULL,
  about TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (policy, about)
);
