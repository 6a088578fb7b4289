-- Keep one item within the share of its platform, in one atomic step. Returns how many others had to go, or -1 when it was not
-- kept: it is larger than the share, or its document is known to be gone.
-- KEYS: last read (sorted set), ends (sorted set), notes (hash), figures (hash), versions (hash)
-- ARGV: digest, value, milliseconds to live, size, kind, version, digest of the document, now in seconds, share in bytes
local READ, ENDS, NOTES, FIGURES, VERSIONS = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local digest, value, ttl, size = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local kind, version, document = ARGV[5], ARGV[6], ARGV[7]
local now, share = tonumber(ARGV[8]), tonumber(ARGV[9])

local function forget(name)
  redis.call('UNLINK', 'i:' .. name)
  redis.call('ZREM', READ, name)
  redis.call('ZREM', ENDS, name)
  local noted = redis.call('HGET', NOTES, name)
  if not noted then return end
  redis.call('HDEL', NOTES, name)
  local note = cjson.decode(noted)
  redis.call('HINCRBY', FIGURES, 'bytes', -note.size)
  if redis.call('HINCRBY', VERSIONS, note.version, -1) <= 0 then redis.call('HDEL', VERSIONS, note.version) end
end

for _, name in ipairs(redis.call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', 0, 100)) do forget(name) end
forget(digest)
if size > share or (document ~= '' and redis.call('EXISTS', 'g:' .. document) == 1) then return -1 end

redis.call('SET', 'i:' .. digest, value, 'PX', ttl)
redis.call('ZADD', READ, now, digest)
redis.call('ZADD', ENDS, now + ttl / 1000, digest)
redis.call('HSET', NOTES, digest, cjson.encode({size = size, kind = kind, version = version, document = document}))
redis.call('HINCRBY', VERSIONS, version, 1)
local bytes = redis.call('HINCRBY', FIGURES, 'bytes', size)

local gone = 0
while bytes > share do
  local oldest = redis.call('ZRANGE', READ, 0, 1)
  if oldest[1] == digest then oldest[1] = oldest[2] end
  if not oldest[1] then break end
  forget(oldest[1])
  gone = gone + 1
  bytes = tonumber(redis.call('HGET', FIGURES, 'bytes'))
end
if gone > 0 then redis.call('HINCRBY', FIGURES, 'evicted', gone) end
return gone
