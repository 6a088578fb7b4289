-- What a platform can bear: a bucket, a window, calls under way. Units are whole thousandths.
local function own(now)
  local grown = S.tokens + rules.units / rules.seconds * math.max(now - S.tokens_at, 0)
  return math.min(grown, rules.units - S.travelling)
end

local function room(cost, now)
  if rules.in_flight >= 0 and S.flying >= rules.in_flight then return false end
  if rules.kind == 'bucket' then return cost <= own(now) + CLOSE end
  if rules.kind == 'window' then return S.charged + cost <= rules.units end
  return true
end

local function member(id, cost) return string.format('%d:%s', cost, id) end

local function stands_until(id, cost, expires)
  redis.call('ZADD', key('venster'), expires, member(id, cost))
  if expires < S.window_next then S.window_next = expires end
end

local function charge(id, cost, now)
  if rules.kind == 'bucket' then
    S.tokens = own(now) - cost
    S.tokens_at = now
  elseif rules.kind == 'window' then
    S.charged = S.charged + cost
    stands_until(id, cost, now + rules.longest + rules.seconds)
  end
  S.flying = S.flying + 1
  S.travelling = S.travelling + cost
end
