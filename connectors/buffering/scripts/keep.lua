-- Keep one item or one part within the share of its platform, in one atomic step. Returns how many others had to go, or -1 when
-- it was not kept: it is larger than the share, its document is known to be gone, or a part of it is not there.
-- ARGV: digest, value, milliseconds to live, size, kind, version, digest of the document, number of parts, digest of the item
-- it is a part of, now in seconds, share in bytes
local digest, value, ttl, size = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local kind, version, document = ARGV[5], ARGV[6], ARGV[7]
local parts, head = tonumber(ARGV[8]), ARGV[9]
local now, share = tonumber(ARGV[10]), tonumber(ARGV[11])

for _, name in ipairs(redis.call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', 0, 100)) do forget(name) end
forget(digest)
if size > share or (document ~= '' and redis.call('EXISTS', 'g:' .. document) == 1) then return -1 end
for place = 1, parts do
  if redis.call('EXISTS', 'i:' .. digest .. '.' .. place) == 0 then return -1 end
end

redis.call('SET', 'i:' .. digest, value, 'PX', ttl)
redis.call('ZADD', READ, now, digest)
redis.call('ZADD', ENDS, now + ttl / 1000, digest)
local note = {size = size, kind = kind, version = version, document = document, parts = parts, head = head}
redis.call('HSET', NOTES, digest, cjson.encode(note))
redis.call('HINCRBY', VERSIONS, version, 1)
local bytes = redis.call('HINCRBY', FIGURES, 'bytes', size)

local gone = 0
while bytes > share do
  local oldest = redis.call('ZRANGE', READ, 0, 1)
  if oldest[1] == digest then oldest[1] = oldest[2] end
  if not oldest[1] then break end
  gone = gone + forget(oldest[1])
  bytes = tonumber(redis.call('HGET', FIGURES, 'bytes'))
end
if gone > 0 then redis.call('HINCRBY', FIGURES, 'evicted', gone) end
return gone
