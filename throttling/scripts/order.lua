-- Whose turn it is: start-time fair queueing whose stride grows with use, under an age guard in units granted (R1 to R7).
local BATCH = 32

-- Walk over the waiting sessions, longest waiting first, until look(name, session) says stop.
local function by_age(look)
  local start = 0
  while true do
    local names = redis.call('ZRANGE', key('leeftijd'), start, start + BATCH - 1)
    if #names == 0 then return end
    local raws = redis.call('HMGET', key('sessies'), unpack(names))
    for i, name in ipairs(names) do
      if look(name, cmsgpack.unpack(raws[i])) then return end
    end
    start = start + BATCH
  end
end

-- Would serving best first make anybody miss its floor (R6)?
local function somebody_starves(best)
  local dearest = tonumber(redis.call('ZREVRANGE', key('koppen'), 0, 0, 'WITHSCORES')[2])
  local margin = rules.units - dearest + 1000
  local ahead = S.given + read_session(best)[HEAD]
  local starves = false
  by_age(function(name, s)
    if name ~= best then
      ahead = ahead + s[HEAD]
      if ahead > s[G0] + margin then
        starves = true
        return true
      end
    end
    return S.given + S.heads <= s[G0] + margin
  end)
  return starves
end

-- Served at the spaced rate from the slot on, would anybody come later than a refill time after it began to wait?
local function somebody_late()
  local pace = rules.seconds / rules.units
  local at, last, late = S.slot, S.slot + S.heads * pace, false
  by_age(function(_, s)
    if at > s[T0] + rules.seconds then
      late = true
      return true
    end
    at = at + s[HEAD] * pace
    return last <= s[T0] + rules.seconds
  end)
  return late
end

-- The session whose turn it is and whether spacing yields to it; else nil and when to look again.
local function chosen(now)
  if now < S.blocked then return nil, S.blocked end
  local eldest = redis.call('ZRANGE', key('leeftijd'), 0, 0)[1]
  if rules.kind == 'window' and rules.spaced and now < S.slot then
    if somebody_late() then return eldest, true end
    return nil, S.slot
  end
  if rules.in_flight >= 0 and now > read_session(eldest)[T0] + rules.seconds then return eldest, false end
  local best = string.sub(redis.call('ZRANGE', key('tags'), 0, 0)[1], 17)
  if S.waiting > 1 and somebody_starves(best) then return eldest, false end
  return best, false
end

-- Undo charge, use and tag of a grant; what was given stays given.
local function take_back(id, call, now)
  local name = call[SESSION]
  if redis.call('HEXISTS', key('sessies'), name) == 1 then
    local s = read_session(name)
    s[TAG] = s[TAG] - call[STRIDE]
    if name ~= HOUSE then
      s[USED] = math.max(s[USED] - call[COST], 0)
      bequeath(s, -call[COST], now)
    end
    index(name, s)
    write_session(name, s)
  end
  S.flying = S.flying - 1
  take_back_charge(id, call[COST], now)
end

-- Serve the head of a session, or let it follow when somebody else is making that very call.
local function serve(name, now, yields)
  local s = read_session(name)
  local id = redis.call('LINDEX', head_row(name), 0)
  local call = read_call(id)
  local follows = call[FLIGHT] ~= '' and redis.call('HEXISTS', key('vluchten'), call[FLIGHT]) == 1
  if not follows and not room(call[COST], now) then return false, room_at(call[COST], now) end
  if follows then
    call[OLD_G0], call[OLD_T0], call[OLD_AGE] = s[G0], s[T0], s[AGE]
    call[STATE] = FOLLOWING
    write_call(id, call)
  else
    grant(name, s, id, call, now, yields)
    wake(call, 'g|' .. id .. '|' .. text(now))
  end
  remove(name, s, id, call, now, not follows)
  index(name, s)
  write_session(name, s)
  if call[SOLO] ~= '' then unpark(call[SOLO], now) end
  return true
end

-- Grant as long as somebody's turn has come and there is room; gives back when to look again.
local function dispatch(now)
  while S.waiting > 0 do
    if not open(now) then return now < S.closed and S.closed or NEVER end
    local name, extra = chosen(now)
    if not name then return extra end
    local served, at = serve(name, now, extra)
    if not served then return at end
  end
  return NEVER
end
