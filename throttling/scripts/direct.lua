-- A call comes in: ARGV id, process, session, visitor, cost, flight, solo, heir of, as one text. Most pass at once, and then
-- nothing that follows in this script need be read: making its functions costs as much as the decision.
if not load() then return 'lost' end
local now = clock()
local id, process, name, visitor, price, flight, solo, heir_of = string.match(ARGV[REST],
  '^([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)$')
local cost = math.min(tonumber(price), rules.units)
local call = { name, visitor, cost, -1, 0, 0, 0, 0, process, flight, solo, WAITING }

local function session()
  local s = read_session(name)
  if heir_of ~= '' then
    if s[AGE] == 0 and s[USED] == 0 then s[USED] = read_session(heir_of)[USED] end
    s[HEIR] = heir_of
  end
  return s
end

local function follows() return flight ~= '' and redis.call('HEXISTS', key('vluchten'), flight) == 1 end

-- What a call that passes hears: `landed` when the answer to the same came while it may have been on its way here.
local function granted()
  local at = flight ~= '' and redis.call('GET', key('geland:') .. flight)
  return at and now - tonumber(at) < LANDED and 'landed' or 'granted'
end

-- Nobody waits and there is room: the call passes at once.
local function passes()
  if S.waiting > 0 or now < S.blocked or not open(now) or not room(cost, now) or follows() then return false end
  local s = session()
  if s[LAST] == 0 then seen(name, now) end
  begins(s, now)
  if s[TAG] > S.virtual then S.virtual = s[TAG] end
  grant(name, s, id, call, now, true)
  write_session(name, s)
  return true
end

local nothing_ran_out = now < S.lease_next and now < S.window_next and now <= S.idle_next
if nothing_ran_out and passes() then return answer(granted(), now, NEVER) end
