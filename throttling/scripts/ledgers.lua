-- What happens to a charge after its grant, and when there is room again.
-- When there is room for cost by the passing of time alone; NEVER when only an answer can make it.
local function room_at(cost, now)
  if rules.in_flight >= 0 and S.flying >= rules.in_flight then return NEVER end
  if rules.kind == 'bucket' then
    if cost > rules.units - S.travelling then return NEVER end
    return now + math.max(cost - own(now), 0) / (rules.units / rules.seconds)
  end
  if rules.kind ~= 'window' then return now end
  local short, start = S.charged + cost - rules.units, 0
  while short > 0 do
    local found = redis.call('ZRANGE', key('venster'), start, start + 31, 'WITHSCORES')
    if #found == 0 then return NEVER end
    for i = 1, #found, 2 do
      short = short - tonumber(string.match(found[i], '^%d+'))
      if short <= 0 then return tonumber(found[i + 1]) end
    end
    start = start + 32
  end
  return now
end

-- Nothing of a call can arrive any more. What the bucket could not take in while it travelled must not come in afterwards.
local function arrived(cost, now)
  if rules.kind == 'bucket' then
    S.tokens = own(now)
    S.tokens_at = now
  end
  S.travelling = S.travelling - cost
end

-- Counted from the answer, also from one that came late: the platform counted at some moment before it.
local function settle(id, cost, now)
  arrived(cost, now)
  if rules.kind == 'window' and redis.call('ZSCORE', key('venster'), member(id, cost)) then
    stands_until(id, cost, now + rules.seconds)
  end
end

local function take_back_charge(id, cost, now)
  arrived(cost, now)
  if rules.kind == 'bucket' then
    S.tokens = S.tokens + cost
  elseif rules.kind == 'window' then
    if redis.call('ZREM', key('venster'), member(id, cost)) == 1 then S.charged = S.charged - cost end
  end
end

local function forget_old_charges(now)
  if now < S.window_next then return end
  local old = redis.call('ZRANGEBYSCORE', key('venster'), '-inf', now)
  for _, name in ipairs(old) do S.charged = S.charged - tonumber(string.match(name, '^%d+')) end
  redis.call('ZREMRANGEBYSCORE', key('venster'), '-inf', now)
  local first = redis.call('ZRANGE', key('venster'), 0, 0, 'WITHSCORES')
  S.window_next = first[2] and tonumber(first[2]) or NEVER
end
