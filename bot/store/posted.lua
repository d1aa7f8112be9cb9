-- Remember the newest message that shows a table.
--
-- KEYS  1 the table (hash)   2 boards of the shard not known to be posted (sorted set)
-- ARGV  1 the table's id   2 the revision that the message shows   3 the message (JSON), '' if there is none to show
-- Gives 1 if the message is remembered, 0 if not: a newer one is known already, or there is no such table.
--
-- The board stays unposted while the table has moved on; one of a table that is gone does not.

local stored = redis.call('HMGET', KEYS[1], 'revision', 'posted_revision')
if not stored[1] or tonumber(ARGV[2]) >= tonumber(stored[1]) then
  redis.call('ZREM', KEYS[2], ARGV[1])
end
if ARGV[3] == '' or not stored[1] or tonumber(ARGV[2]) < tonumber(stored[2] or '0') then
  return 0
end
redis.call('HSET', KEYS[1], 'posted', ARGV[3], 'posted_revision', ARGV[2])
return 1
