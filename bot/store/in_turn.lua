-- Stand in line: how long until the caller's turn. The line is as long as its key lives, so no clock is asked.
--
-- KEYS  1 the line
-- ARGV  1 how long each turn takes (ms)
-- Gives the milliseconds until the turn, which then is the caller's, whether it comes or not.

local left = math.max(redis.call('PTTL', KEYS[1]), 0)
redis.call('SET', KEYS[1], '', 'PX', left + ARGV[1])
return left
