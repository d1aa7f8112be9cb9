-- Claim due members: no other process gets them until the lease ends.
--
-- KEYS  1 sorted set by time (ms since 1970)
-- ARGV  1 now (ms since 1970)   2 the end of the lease (ms since 1970)   3 limit
-- Returns the claimed members, each followed by its former time, the oldest first.

local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for i = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], ARGV[2], due[i])
end
return due
