-- Giving a turn. What stands here and before it is all that a call needs that passes at once.
local function begins(s, now)
  if S.virtual > s[TAG] then s[TAG] = S.virtual end
  S.ages = S.ages + 1
  s[G0], s[T0], s[AGE] = S.given, now, S.ages
end

local function takes_off(id, flight, now)
  if flight == '' then return end
  redis.call('HSET', key('vluchten'), flight, id)
  redis.call('SREM', key('volgers:') .. flight, id)
  lease('v:' .. flight, now)
end

-- What a session uses, counts for the one whose heir it is as well: the next heir begins with all of it.
local function bequeath(s, cost, now)
  if not s[HEIR] then return end
  local giver = read_session(s[HEIR])
  giver[USED] = math.max(giver[USED] + cost, 0)
  if giver[LAST] == 0 then seen(s[HEIR], now) end
  giver[LAST] = now
  write_session(s[HEIR], giver)
end

-- Give a turn: charge it, move the session's tag, and let virtual time follow the smallest tag that waits.
local function grant(name, s, id, call, now, direct)
  local smallest = s[TAG]
  if not direct or S.waiting > 0 then
    local first = redis.call('ZRANGE', key('tags'), 0, 0, 'WITHSCORES')
    if first[2] and tonumber(first[2]) < smallest then smallest = tonumber(first[2]) end
  end
  if smallest > S.virtual then S.virtual = smallest end
  local cost = call[COST]
  local stride = cost
  if name ~= HOUSE then
    stride = cost * (1 + s[USED] / rules.units)
    s[USED] = s[USED] + cost
    bequeath(s, cost, now)
  end
  call[GRANTED], call[STRIDE] = now, stride
  call[OLD_G0], call[OLD_T0], call[OLD_AGE] = s[G0], s[T0], s[AGE]
  call[STATE] = FLYING
  s[TAG] = s[TAG] + stride
  S.given = S.given + cost
  S.ages = S.ages + 1
  s[G0], s[T0], s[AGE], s[LAST] = S.given, now, S.ages, now
  local pace = rules.seconds / rules.units
  if direct then
    S.slot = now + cost * pace
  else
    S.slot = math.max(S.slot, now - 5000 * pace) + cost * pace
  end
  charge(id, cost, now)
  takes_off(id, call[FLIGHT], now)
  lease(id, now)
  write_call(id, call)
end

-- May grants be given at all: not before the database knows until when, and not while switched off.
local function open(now) return now < S.may_until and now >= S.closed and S.off == '' end

-- What every decision answers: its word, the ledgers' clock, when to look again, until when grants may be given.
local function answer(word, now, next_look)
  local look = math.min(next_look, S.lease_next)
  save()
  local rests = math.max(S.closed, S.blocked)
  return string.format('%s|%.17g|%.17g|%.17g|%.17g|%s|%s', word, now, look, S.may_until, rests, S.epoch, S.off)
end
