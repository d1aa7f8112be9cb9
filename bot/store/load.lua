-- Load a table with its newest message and the end of its log.
--
-- KEYS  1 the table (hash)   2 its log (list)
-- ARGV  1 number of the newest entries   2 name of the save that the caller has cached, '' for none
-- Returns nothing if there is no such table, else: the newest message (JSON or nothing), those elsewhere (JSON object of
--       JSON by place, or nothing), the count of votes (JSON or nothing); and, if the caller has not cached it: name of the last save, document (JSON), its
--       schema, entries (JSON array, oldest first).

local stored = redis.call('HMGET', KEYS[1], 'posted', 'elsewhere', 'save', 'json', 'schema', 'aside:count')
if not stored[3] then
  return false
end
if stored[3] == ARGV[2] then
  return {stored[1], stored[2], stored[6]}
end
local entries = redis.call('LRANGE', KEYS[2], '-' .. ARGV[1], -1)
return {stored[1], stored[2], stored[6], stored[3], stored[4], stored[5], '[' .. table.concat(entries, ',') .. ']'}
