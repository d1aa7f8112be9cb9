-- Take a seat for a person, if there is room for one more, counting those that are being taken elsewhere just now.
--
-- KEYS  1 seats that are being taken (sorted set: tables by the time until which they count, ms since 1970)
-- ARGV  1 the table   2 now (ms since 1970)   3 for how long the seat counts by this (ms)
--       4 for how many more there is room, besides ARGV 5   5 .. tables that are counted already
-- Gives 1 if the seat is taken, now or by an earlier try, 0 if there is no room.

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
local taken = redis.call('ZCARD', KEYS[1])
for i = 5, #ARGV do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    taken = taken - 1
  end
end
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  taken = taken - 1
end
if taken >= tonumber(ARGV[4]) then
  return 0
end
redis.call('ZADD', KEYS[1], string.format('%d', tonumber(ARGV[2]) + tonumber(ARGV[3])), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
