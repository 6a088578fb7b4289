-- What both scripts forget with; stands before each of them. An item in parts goes as a whole: half of it is worth nothing.
-- KEYS: last read (sorted set), ends (sorted set), notes (hash), figures (hash), versions (hash)
local READ, ENDS, NOTES, FIGURES, VERSIONS = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

-- Take one name away. Returns its note (nil when nothing was noted) and whether it was still there, as 1 or 0.
local function drop(name)
  local there = redis.call('UNLINK', 'i:' .. name)
  redis.call('ZREM', READ, name)
  redis.call('ZREM', ENDS, name)
  local noted = redis.call('HGET', NOTES, name)
  if not noted then return nil, there end
  redis.call('HDEL', NOTES, name)
  local note = cjson.decode(noted)
  redis.call('HINCRBY', FIGURES, 'bytes', -note.size)
  if redis.call('HINCRBY', VERSIONS, note.version, -1) <= 0 then redis.call('HDEL', VERSIONS, note.version) end
  return note, there
end

-- Take a name away, with all that is of no use without it. Returns how many there were.
local function forget(name)
  local note, gone = drop(name)
  local head, there = name, 0
  if note and (note.head or '') ~= '' then
    head = note.head
    note, there = drop(head)
    gone = gone + there
  end
  if not note then return gone end
  for place = 1, note.parts or 0 do
    there = select(2, drop(head .. '.' .. place))
    gone = gone + there
  end
  return gone
end

