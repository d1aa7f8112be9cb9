-- Record the newest message that shows a table.
--
-- KEYS  1 the table (hash)   2 boards of the shard not known to be posted (sorted set)
--       3 private replies of the table that must not stay (set)
-- ARGV  1 the table's id   2 the revision that the message shows   3 the message (JSON), '' if there is none to show
--       4 name of the save that it shows, '' for a message without content yet, '*' for any save of this revision
--       5 the message that the caller knew before, '' for none, '*' if that does not matter
--       6 the place of the message, if that is not the table's own
-- Returns  1 false, or the recorded message (JSON) that the caller did not know: it remains unless it shows an
--       older revision   2 the number of private replies
--
-- The board stays unposted if the table has moved on, but not if the table is gone. Messages elsewhere do not matter for
-- that: they are stored by place in a field of their own.

local replies = redis.call('SCARD', KEYS[3])
local stored = redis.call('HMGET', KEYS[1], 'revision', 'posted_revision', 'save', 'posted', 'elsewhere')
local revision = tonumber(ARGV[2])
local elsewhere = ARGV[6] ~= '' and cjson.decode(stored[5] or '{}')
if elsewhere then
  stored[4] = elsewhere[ARGV[6]]
  stored[2] = stored[4] and cjson.decode(stored[4]).revision
elseif not stored[1] or ARGV[4] == stored[3] or (ARGV[4] == '*' and revision >= tonumber(stored[1])) then
  redis.call('ZREM', KEYS[2], ARGV[1])
end
if ARGV[3] == '' or not stored[1] then
  return {false, replies}
end
local unknown = false
if stored[4] and ARGV[5] ~= '*' then
  local message = cjson.decode(stored[4]).message
  if message ~= ARGV[5] and message ~= cjson.decode(ARGV[3]).message then
    unknown = stored[4]
  end
end
-- A message with a later revision than the table's shows a lost save.
local shown = tonumber(stored[2] or '0')
if shown <= tonumber(stored[1]) and (revision < shown or (unknown and revision == shown)) then
  return {unknown, replies}
end
if elsewhere then
  elsewhere[ARGV[6]] = ARGV[3]
  redis.call('HSET', KEYS[1], 'elsewhere', cjson.encode(elsewhere))
else
  redis.call('HSET', KEYS[1], 'posted', ARGV[3], 'posted_revision', ARGV[2])
end
return {unknown, replies}
