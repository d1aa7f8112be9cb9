-- Reserve the next slot of a queue. The queue is as long as its key lives, so no clock is asked.
--
-- KEYS  1 the queue
-- ARGV  1 the length of each slot (ms)
-- Returns the milliseconds until the caller's slot begins; the slot is used up even if the caller does not come.

local left = math.max(redis.call('PTTL', KEYS[1]), 0)
redis.call('SET', KEYS[1], '', 'PX', left + ARGV[1])
return left
