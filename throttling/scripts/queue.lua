-- Who waits, in which order, and what becomes of a call that no longer does.
local function forget_call(id)
  redis.call('HDEL', key('aanroepen'), id)
  redis.call('ZREM', key('leases'), id)
end

local function wake(call, message)
  local list = key('wek:') .. call[PROCESS]
  redis.call('RPUSH', list, message)
  redis.call('EXPIRE', list, 60)
end

local function row(name, visitor)
  if name == HOUSE then return key('rij:huis:') .. visitor end
  return key('rij:') .. name
end

-- The place of a session's head: turns go round over the house's visitors, its own maintenance (no visitor) comes last.
local function head_row(name)
  if name ~= HOUSE then return row(name) end
  return row(HOUSE, redis.call('LINDEX', key('kring'), 0) or '')
end

local function tag_member(name, age) return string.format('%015d|%s', age, name) end

local function unindex(name, s)
  if s[INDEXED] == 0 then return end
  redis.call('ZREM', key('tags'), tag_member(name, s[INDEXED]))
  redis.call('ZREM', key('leeftijd'), name)
  redis.call('ZREM', key('koppen'), name)
  S.heads = S.heads - s[HEAD]
  s[INDEXED] = 0
end

-- Let the session stand in the orders by tag, by age and by cost of its head; not when nothing of it waits.
local function index(name, s)
  unindex(name, s)
  if s[COUNT] == 0 then return end
  local head = read_call(redis.call('LINDEX', head_row(name), 0))
  s[HEAD] = head[COST]
  s[INDEXED] = s[AGE]
  S.heads = S.heads + s[HEAD]
  redis.call('ZADD', key('tags'), s[TAG], tag_member(name, s[AGE]))
  redis.call('ZADD', key('leeftijd'), s[AGE], name)
  redis.call('ZADD', key('koppen'), s[HEAD], name)
end

local function append(name, s, id, call, first)
  local list = row(name, call[VISITOR])
  local length = redis.call(first and 'LPUSH' or 'RPUSH', list, id)
  if name == HOUSE and call[VISITOR] ~= '' then
    if first then
      redis.call('LREM', key('kring'), 0, call[VISITOR])
      redis.call('LPUSH', key('kring'), call[VISITOR])
    elseif length == 1 then
      redis.call('RPUSH', key('kring'), call[VISITOR])
    end
  end
  call[STATE] = WAITING
  s[COUNT] = s[COUNT] + 1
  S.waiting = S.waiting + 1
  if s[LAST] == 0 then seen(name, S.now) end
end

local function enqueue(name, s, id, call, now)
  if s[COUNT] == 0 then begins(s, now) end
  append(name, s, id, call, false)
  s[LAST] = now
  index(name, s)
end

local unpark

-- Take a waiting call out of its row. The caller indexes and writes the session.
local function remove(name, s, id, call, now, served)
  local list = row(name, call[VISITOR])
  if redis.call('LINDEX', list, 0) == id then redis.call('LPOP', list) else redis.call('LREM', list, 1, id) end
  if name == HOUSE and call[VISITOR] ~= '' then
    local more = redis.call('LLEN', list) > 0
    if served or not more then redis.call('LREM', key('kring'), 1, call[VISITOR]) end
    if served and more then redis.call('RPUSH', key('kring'), call[VISITOR]) end
  end
  s[COUNT] = s[COUNT] - 1
  s[LAST] = now
  S.waiting = S.waiting - 1
end

-- A waiting call goes without a turn.
local function withdraw(id, call, now)
  local name = call[SESSION]
  local s = read_session(name)
  remove(name, s, id, call, now, false)
  index(name, s)
  write_session(name, s)
  if call[SOLO] ~= '' then unpark(call[SOLO], now) end
end

-- Back to the head of its session, in its old place.
local function put_back(id, call, now)
  local name = call[SESSION]
  local s = read_session(name)
  append(name, s, id, call, true)
  s[G0], s[T0], s[AGE] = call[OLD_G0], call[OLD_T0], call[OLD_AGE]
  call[GRANTED] = -1
  index(name, s)
  write_session(name, s)
  write_call(id, call)
  lease(id, now)
end

-- A kind of work that has one call in the queue at a time: the next one comes in when the first is out.
function unpark(solo, now)
  while true do
    local id = redis.call('LPOP', key('geparkeerd:') .. solo)
    if not id then
      redis.call('HDEL', key('solo'), solo)
      return
    end
    local call = read_call(id)
    if call and call[STATE] == PARKED then
      local s = read_session(call[SESSION])
      redis.call('HSET', key('solo'), solo, id)
      enqueue(call[SESSION], s, id, call, now)
      write_session(call[SESSION], s)
      write_call(id, call)
      return
    end
  end
end

-- Flights: whoever is granted first makes the call, the others follow it and leave uncharged.
local function end_flight(flight)
  redis.call('HDEL', key('vluchten'), flight)
  redis.call('ZREM', key('leases'), 'v:' .. flight)
  local ids = redis.call('SMEMBERS', key('volgers:') .. flight)
  redis.call('DEL', key('volgers:') .. flight)
  table.sort(ids)
  return ids
end

-- Nobody makes this call any more: those who followed it wait again, each in its old place.
local function break_flight(flight, now)
  for _, id in ipairs(end_flight(flight)) do
    local call = read_call(id)
    if call then
      redis.call('SADD', key('volgers:') .. flight, id)
      if call[STATE] == FOLLOWING then put_back(id, call, now) end
    end
  end
end

local function leads(id, flight) return flight ~= '' and redis.call('HGET', key('vluchten'), flight) == id end

-- Whoever waited, followed or was parked goes away. What was granted is none of this function's business.
local function leave(id, now)
  local call = read_call(id)
  if not call or call[GRANTED] >= 0 then return end
  if call[FLIGHT] ~= '' then redis.call('SREM', key('volgers:') .. call[FLIGHT], id) end
  if call[STATE] == WAITING then withdraw(id, call, now) end
  forget_call(id)
end

-- The process of a granted call is gone, and its place is free. What it sent may still arrive at a bucket until the deadline.
local function lose(id, call, now)
  if call[STATE] == FLYING then S.flying = S.flying - 1 end
  local latest = call[GRANTED] + rules.longest
  if call[STATE] == FLYING and rules.kind == 'bucket' and now < latest then
    call[STATE] = LOST
    write_call(id, call)
    redis.call('ZADD', key('leases'), latest, id)
  else
    arrived(call[COST], now)
    forget_call(id)
  end
end

local function forget_leases(now)
  if now < S.lease_next then return end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('leases'), '-inf', now)) do
    redis.call('ZREM', key('leases'), id)
    if string.sub(id, 1, 2) == 'v:' then
      break_flight(string.sub(id, 3), now)
    else
      local call = read_call(id)
      if call and call[GRANTED] >= 0 then
        lose(id, call, now)
      else
        leave(id, now)
      end
    end
  end
  local first = redis.call('ZRANGE', key('leases'), 0, 0, 'WITHSCORES')
  S.lease_next = first[2] and tonumber(first[2]) or NEVER
end

local function forget_idle(now)
  if now <= S.idle_next then return end
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', key('gezien'), '-inf', '(' .. text(now - IDLE))) do
    local s = read_session(name)
    if s[COUNT] > 0 then
      seen(name, now)
    elseif s[LAST] >= now - IDLE then
      seen(name, s[LAST])
    else
      redis.call('HDEL', key('sessies'), name)
      redis.call('ZREM', key('gezien'), name)
    end
  end
  local first = redis.call('ZRANGE', key('gezien'), 0, 0, 'WITHSCORES')
  S.idle_next = first[2] and tonumber(first[2]) + IDLE or NEVER
end

local function sweep(now)
  forget_leases(now)
  forget_old_charges(now)
  forget_idle(now)
end
