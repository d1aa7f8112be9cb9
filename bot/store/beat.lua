-- Look how long no process has reached a platform, and record a heartbeat. The heartbeat's TTL tells its age, so the
-- clocks of machines do not matter.
--
-- KEYS  1 the heartbeat   2 outages (sorted set of "<start>-<end>" by end, ms since 1970)
-- ARGV  1 now (ms since 1970)   2 TTL of both (ms)   3 the shortest outage (ms)   4 '1' to record a heartbeat, '' not to
--       5 how many outages are kept
-- Returns the age of the former heartbeat (ms, -1: none), and the outages, oldest first.

local left = redis.call('PTTL', KEYS[1])
local age = left < 0 and -1 or ARGV[2] - left
if ARGV[4] ~= '' then
  if age >= tonumber(ARGV[3]) then
    redis.call('ZADD', KEYS[2], ARGV[1], string.format('%d-%s', ARGV[1] - age, ARGV[1]))
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[5])
    redis.call('PEXPIRE', KEYS[2], ARGV[2])
  end
  redis.call('SET', KEYS[1], '', 'PX', ARGV[2])
end
return {age, redis.call('ZRANGE', KEYS[2], 0, -1)}
