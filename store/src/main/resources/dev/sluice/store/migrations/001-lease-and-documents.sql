-- What controllers share, in words that SQLite and PostgreSQL both understand. Times are nanoseconds since 1970.

-- One row: who leads. No time in it: each controller measures by its own clock how long it stays the same.
CREATE TABLE sluice_lease (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch BIGINT NOT NULL,
  holder TEXT NOT NULL,
  renewals BIGINT NOT NULL
);

INSERT INTO sluice_lease VALUES (1, 0, '', 0);

-- Every document that was ever put in force, the newest last; what is in force is the last one.
CREATE TABLE sluice_document (
  version BIGINT PRIMARY KEY,
  applied_nanos BIGINT NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  restores BIGINT,
  changes TEXT NOT NULL,
  content TEXT NOT NULL
);
