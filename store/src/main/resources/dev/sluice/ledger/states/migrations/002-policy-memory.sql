-- What policies remember, in the order of who took it over, and no more in that of clocks: by epoch, the number of a leader,
-- 0 for who has no lease; then by turn, how many times it was taken over; then by what was written in that turn.
-- What gateways and what controllers remember lies apart: their numbers have nothing to do with each other.
-- A state that is null is one that nobody has written yet.
CREATE TABLE sluice_policy_memory (
  keeper TEXT NOT NULL,
  policy TEXT NOT NULL,
  about TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  state TEXT,
  PRIMARY KEY (keeper, policy, about)
);
-- The epochs of gateways were times. Who wrote about all targets is not known; so both go on from it, a
-- controller in its epoch, unless that is a time, too.
INSERT INTO sluice_policy_memory (keeper, policy, about, epoch, turn, sequence, state)
  SELECT 'gateway', policy, about, 0, 0, 0, state FROM sluice_policy_state;
INSERT INTO sluice_policy_memory (keeper, policy, about, epoch, turn, sequence, state)
  SELECT 'controller', policy, about, CASE WHEN epoch < 1000000000000 THEN epoch ELSE 0 END, 0, 0, state
    FROM sluice_policy_state WHERE about = 'all targets';
DROP TABLE sluice_policy_state;
