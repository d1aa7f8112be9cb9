-- Add the result of a table to a person's record against the house, atomically and once.
--
-- KEYS  1 records (hash: "game level" -> JSON)   2 tables whose results are in the records (sorted set, ms since 1970);
--       both of one person
-- ARGV  1 the table   2 now (ms since 1970)   3 TTL of the memory of a table (ms)   4 "game level"
--       5 won (0 or 1)   6 lost (0 or 1)   7 points, or ''   8… badges
-- Returns 1 added, 0 added before.

if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 0
end
local kept = redis.call('HGET', KEYS[1], ARGV[4])
local record = kept and cjson.decode(kept) or {}
local won, points = tonumber(ARGV[5]), tonumber(ARGV[7])
record.games = (record.games or 0) + 1
record.wins = (record.wins or 0) + won
record.losses = (record.losses or 0) + tonumber(ARGV[6])
record.streak = won == 1 and (record.streak or 0) + 1 or 0
if points then
  record.best = math.max(record.best or points, points)
end
local badges = record.badges or {}
local has = {}
for _, badge in ipairs(badges) do
  has[badge] = true
end
for number = 8, #ARGV do
  if not has[ARGV[number]] then
    badges[#badges + 1] = ARGV[number]
  end
end
record.badges = #badges > 0 and badges or nil -- an empty table would be written as an object
redis.call('HSET', KEYS[1], ARGV[4], cjson.encode(record))
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. string.format('%d', tonumber(ARGV[2]) - tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
