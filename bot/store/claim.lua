-- Claim what is due: nobody else gets it until the lease is over.
--
-- KEYS  1 sorted set by time (ms since 1970)
-- ARGV  1 now (ms since 1970)   2 the end of the lease (ms since 1970)   3 how many at most
-- Gives the members claimed, each before the time it had, the longest due first.

local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for i = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], ARGV[2], due[i])
end
return due
