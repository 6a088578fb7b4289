-- One request. ARGV: contract, token, its proof, seconds that the proof must be remembered, operation, class of the token, class
-- of the operation, resource, units, request, seconds of a lease, whether it is a dry run, node, what the edge found against it
-- already (empty: nothing). Answers reason (empty: allowed), units left, state changes left, in flight, cap, seconds to wait, units
-- and state changes granted.
local id, token, proof, memory, operation, class, access = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[8]
local resource, COST, request, lease, dry, node = ARGV[9], ARGV[10], ARGV[11], tonumber(ARGV[12]), ARGV[13], ARGV[14]
local barred, PROTOCOL = ARGV[15], 'mcp'
local QUIET_RETRY, FROZEN_RETRY, REMEMBERED = 5, 300, 60
local cost, write = tonumber(COST), access == 'write'
local C = contract(id, 'op:' .. operation)
local LEASED = id .. MARK .. request
local places, held, again, reclaimed, earned, flying = {}, false, false, 0, {}, nil

-- A prefix ends where a part of the address ends: /document/a is not the beginning of /document/ab.
local function within(prefixes)
  if prefixes == '' then return true end
  for prefix in string.gmatch(prefixes, '[^\n]+') do
    local rest = string.sub(resource, #prefix + 1, #prefix + 1)
    if string.sub(resource, 1, #prefix) == prefix
      and (rest == '' or rest == '/' or string.sub(prefix, -1) == '/') then return true end
  end
  return false
end

local function scope()
  if class ~= access or write and C.tier ~= 'federated' then return 'class-mismatch' end
  if operation == PROTOCOL then return nil end
  if operation == '' or not C.besides or not within(C.besides) then return 'out-of-scope' end
end

-- The same request asked again (a proxy that tries once more) is charged once, and its proof is not a replay.
local function replayed()
  local kept = redis.call('GET', key('q', LEASED))
  if kept then
    local till, same = string.match(kept, '^([^|]*)|%d+|%d|(.*)$')
    if tonumber(till) > now then
      again = same == operation .. MARK .. proof
      return not again
    end
  end
  return (tonumber(redis.call('ZSCORE', key('j', id), proof) or 0) or 0) > now
end

local function crowded()
  for i, place in ipairs(places) do
    local gone = redis.call('ZREMRANGEBYSCORE', place[1], '-inf', NOW)
    place.taken = redis.call('ZCARD', place[1])
    if i == 1 then
      reclaimed, flying = gone, place.taken
      held = again and redis.call('ZSCORE', place[1], LEASED)
    end
  end
  if held then return end
  for _, place in ipairs(places) do
    if place.taken >= place[2] then return place[3], 1 end
  end
end

-- A pool is earned back steadily. Of one that was never used here, all is taken to be used at the moment we opened.
local function drained()
  for _, place in ipairs(places) do
    local name, units, seconds = place[4], place[5], place[6]
    if name then
      local full_at = tonumber(redis.call('GET', key('p', name)) or '') or opened + seconds
      local next_full = math.max(full_at, now) + cost * seconds / units
      if next_full > now + seconds + 1e-6 then return 'public-limit', math.ceil(next_full - now - seconds) end
      earned[#earned + 1] = { key('p', name), next_full, seconds }
    end
  end
end

local function judge()
  local over = stopped(C)
  if over then return over, over == 'admission-unavailable' and QUIET_RETRY or nil end
  if (tonumber(redis.call('ZSCORE', key('t'), token) or 0) or 0) > now then return 'token-invalid' end
  local outside = scope()
  if outside then return outside end
  if write and redis.call('HGET', key('x'), 'freeze') then return 'admission-unavailable', FROZEN_RETRY end
  if write and writes_from > now then return 'admission-unavailable', math.ceil(writes_from - now) end
  if barred ~= '' then return barred end
  if replayed() then return 'proof-invalid' end
  if not again and (cost > C.left or write and C.wleft < 1) then return 'quota-exhausted' end
  places = boards(id, C)
  local full, wait = crowded()
  if full then return full, wait end
  if not again then return drained() end
end

local function take()
  if not again then
    C.LEFT = whole(redis.call('HINCRBY', key('c', id), 'left', '-' .. COST))
    if write then C.WLEFT = whole(redis.call('HINCRBY', key('c', id), 'wleft', -1)) end
    redis.call('ZADD', key('j', id), exact(now + memory), proof)
    local kept = table.concat({ exact(now + REMEMBERED), COST, write and '1' or '0', operation .. MARK .. proof }, '|')
    redis.call('SET', key('q', LEASED), kept, 'EX', PLAYED == '' and 2 * REMEMBERED or 3600)
    for _, pool in ipairs(earned) do
      redis.call('SET', pool[1], exact(pool[2]), 'EX', PLAYED == '' and math.ceil(2 * pool[3]) or 3600)
    end
  end
  if held then return end
  local till = exact(now + lease)
  for _, place in ipairs(places) do redis.call('ZADD', place[1], till, LEASED) end
  flying = flying + 1
end

local reason, wait = judge()
if not reason then
  take()
elseif C then
  redis.call('HINCRBY', key('c', id), 'refused', 1)
end
flying = whole(flying or C and redis.call('ZCOUNT', key('l', id), '(' .. NOW, '+inf') or 0)
C = C or { LEFT = '0', WLEFT = '0', CAP = '0', UNITS = '0', WRITES = '0' }
local waits = reason == 'in-flight-exceeded' or reason == 'public-limit'
-- The same answer to the same request is the same decision, and has its event.
if not (again and not reason) then
  event(not reason and 'allow' or waits and 'throttle' or 'deny', {
    'contract', id, 'workload', C.workload or '', 'tier', C.tier or '', 'op', operation, 'class', access,
    'reason', reason or '', 'cost', COST, 'left', C.LEFT, 'wleft', C.WLEFT, 'in_flight', flying,
    'reclaimed', reclaimed == 0 and '0' or whole(reclaimed), 'request', request, 'node', node, 'dry', dry,
  })
end
return finish(table.concat({ reason or '', C.LEFT, C.WLEFT, flying, C.CAP, wait and whole(wait) or '0', C.UNITS, C.WRITES }, '|'))
