-- Forget items at once: their bytes are free for others of the same platform. Returns how many there were.
-- KEYS: last read (sorted set), ends (sorted set), notes (hash), figures (hash), versions (hash)
-- ARGV: digests
local gone = 0
for _, name in ipairs(ARGV) do
  gone = gone + redis.call('UNLINK', 'i:' .. name)
  redis.call('ZREM', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
  local noted = redis.call('HGET', KEYS[3], name)
  if noted then
    redis.call('HDEL', KEYS[3], name)
    local note = cjson.decode(noted)
    redis.call('HINCRBY', KEYS[4], 'bytes', -note.size)
    if redis.call('HINCRBY', KEYS[5], note.version, -1) <= 0 then redis.call('HDEL', KEYS[5], note.version) end
  end
end
return gone
