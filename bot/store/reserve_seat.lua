-- Reserve a seat for a person if there is room for one more, counting reservations at other tables.
--
-- KEYS  1 reserved seats (sorted set: tables by the time until which they count, ms since 1970)
-- ARGV  1 the table   2 now (ms since 1970)   3 TTL of the reservation (ms)
--       4 number of further seats, besides ARGV 5   5 .. tables that are counted already
-- Returns 1 if the seat is reserved, now or by an earlier try, 0 if there is no room.

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
