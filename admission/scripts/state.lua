-- What every decision about admission shares (decision record 0027). All keys begin with KEYS[1], which holds one hash tag: a
-- decision sees and changes all that it depends on at once. ARGV 1: now (empty: the server's clock), what the caller's clock
-- expects, how far they may differ, and which run of the server the caller is connected to, as one text with bars.
local KEPT, STEP, EVENTS, MARK = 172800, 0.05, 50000, '\31'
local function key(kind, name) return KEYS[1] .. kind .. ':' .. (name or '') end

-- Our own clock: the server's, made even where that steps (as load_state.lua), so that a clock set back gives nobody time.
local PLAYED, EXPECTED, SLACK, RUN = string.match(ARGV[1], '^([^|]*)|([^|]*)|([^|]*)|(%w+)$')
local last, OFFSET = string.match(redis.call('GET', key('tijd')) or '0|0', '^([^|]*)|([^|]*)$')
last = tonumber(last)
local offset = tonumber(OFFSET)
local now = tonumber(PLAYED)
if not now then
  local time = redis.call('TIME')
  local server = tonumber(time[1]) + tonumber(time[2]) / 1e6
  now = server + offset
  local expected = tonumber(EXPECTED)
  if expected and (now < expected or now > expected + tonumber(SLACK)) then now = expected end
  if math.abs(now - server - offset) > STEP then
    offset = now - server
    OFFSET = string.format('%.17g', offset)
  end
end
if now < last then now = last end

-- To write a number costs as much as to ask the server something small: what was read as a text is kept as one.
local function exact(number) return string.format('%.17g', number) end

local function whole(number) return string.format('%.0f', number) end

local NOW = exact(now)
redis.call('SET', key('tijd'), NOW .. '|' .. OFFSET)

-- A server that was started again, or another that took its place, may miss the last second: nothing counts there until it was
-- loaded into this run of it. (INFO says the same, and costs more than all else of a decision.)
local OPENED_IN, opened, writes_from = unpack(redis.call('HMGET', key('stand'), 'run', 'open', 'writes'))
opened, writes_from = tonumber(opened), tonumber(writes_from)

local function is_open() return OPENED_IN == RUN end

-- ``besides`` is a further field of it. ``CAP`` and the like are the texts of the numbers.
local function contract(id, besides)
  local found = redis.call('HMGET', key('c', id), 'status', 'ends', 'cap', 'left', 'wleft', 'workload', 'issuer', 'tier', 'wcap',
    'pools', 'number', 'run', 'units', 'writes', besides or 'status')
  if not found[1] then return nil end
  local C = { status = found[1], workload = found[6], issuer = found[7], tier = found[8], pools = found[10], run = found[12],
    besides = found[15], CAP = found[3] or '0', LEFT = found[4] or '0', WLEFT = found[5] or '0', UNITS = found[13] or '0',
    WRITES = found[14] or '0', ends = tonumber(found[2]) or 0, wcap = tonumber(found[9]) or 0, number = tonumber(found[11]) or 0 }
  C.cap, C.left, C.wleft = tonumber(C.CAP), tonumber(C.LEFT), tonumber(C.WLEFT)
  C.units, C.writes = tonumber(C.UNITS), tonumber(C.WRITES)
  return C
end

-- The contracts that a ban ended are those with a number up to its own; the ban itself says whether new ones may come.
local function read_ban(said)
  if not said then return 0, false end
  local number, bars = string.match(said, '^(%d+)|(%d)$')
  return tonumber(number), bars == '1'
end

local function ban(kind, name) return read_ban(redis.call('HGET', key('x'), kind .. name)) end

local function ended(C)
  if not C then return 'contract-expired' end
  if C.status == 'revoked' then return 'contract-revoked' end
  if C.workload then
    local bans = redis.call('HMGET', key('x'), 'w' .. C.workload, 'i' .. C.issuer)
    if C.number <= read_ban(bans[1]) or C.number <= read_ban(bans[2]) then return 'contract-revoked' end
  end
  if C.status ~= 'active' or C.ends <= now then return 'contract-expired' end
  return nil
end

-- Why nothing may be done under a contract now. One that was not loaded since the server started may know too little.
local function stopped(C)
  if not is_open() then return 'admission-unavailable' end
  local over = ended(C)
  if not over and C.run ~= RUN then return 'admission-unavailable' end
  return over
end

-- Where a lease lies: with the contract, with its workload, and with the pools it draws from. Each has a cap.
local function boards(id, C)
  local found = {
    { key('l', id), C.cap, 'in-flight-exceeded' },
    { key('m', C.workload), C.wcap, 'in-flight-exceeded' },
  }
  for name, cap, units, seconds in string.gmatch(C.pools, '([^|\n]*)|([^|\n]*)|([^|\n]*)|([^|\n]*)') do
    found[#found + 1] = { key('pl', name), tonumber(cap), 'public-limit', name, tonumber(units), tonumber(seconds) }
  end
  return found
end

local function give_back(id, C, request)
  local was = false
  for i, board in ipairs(boards(id, C)) do
    local had = redis.call('ZREM', board[1], id .. MARK .. request) == 1
    if i == 1 then was = had end
  end
  return was
end

-- One event a decision, by the decision itself. Never a resource: it may be what somebody looked for.
local function event(kind, fields)
  redis.call('XADD', key('e'), 'MAXLEN', '~', EVENTS, '*', 'event', kind, 'at', string.format('%.6f', now), unpack(fields))
end

-- Every answer begins with the time, so that the caller can expect it.
local function finish(answer) return NOW .. '|' .. answer end
