-- The queue as it is, as JSON: state, sessions, calls, charges, the house's visitors, leases, and each row of waiting calls.
if not load() then return { 'lost' } end
local now = clock()
sweep(now)
save()
local rows = {}
local function add(name, list)
  local row = redis.call('LRANGE', list, 0, -1)
  if #row > 0 then
    table.insert(row, 1, name)
    rows[#rows + 1] = row
  end
end
for _, name in ipairs(redis.call('ZRANGE', key('leeftijd'), 0, -1)) do
  if name ~= HOUSE then add(name, row(name)) end
end
local ring = redis.call('LRANGE', key('kring'), 0, -1)
for _, visitor in ipairs(ring) do add(HOUSE, row(HOUSE, visitor)) end
add(HOUSE, row(HOUSE, ''))
local function opened(name)
  local flat, found = redis.call('HGETALL', key(name)), {}
  for i = 1, #flat, 2 do found[#found + 1] = { flat[i], cmsgpack.unpack(flat[i + 1]) } end
  return found
end
local charges, leases = redis.call('ZRANGE', key('venster'), 0, -1, 'WITHSCORES'), {}
for i = 1, #charges, 2 do charges[i + 1] = tonumber(charges[i + 1]) end
local until_then = redis.call('ZRANGE', key('leases'), 0, -1, 'WITHSCORES')
for i = 1, #until_then, 2 do leases[#leases + 1] = { until_then[i], tonumber(until_then[i + 1]) } end
local all = { S, opened('sessies'), opened('aanroepen'), charges, ring, leases, rows }
return { 'done', cjson.encode(all) }
