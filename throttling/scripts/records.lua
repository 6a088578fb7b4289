-- Who waits, in which order. A session is {tag, used, last, g0, t0, age, calls waiting, cost of its head, age it stands under,
-- whose heir it is (nothing: nobody's)}.
-- A call is {session, visitor, cost, granted at (-1: not), stride, g0, t0, age, process, flight, solo, state}.
local TAG, USED, LAST, G0, T0, AGE, COUNT, HEAD, INDEXED, HEIR = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
local SESSION, VISITOR, COST, GRANTED, STRIDE, OLD_G0, OLD_T0, OLD_AGE, PROCESS, FLIGHT, SOLO, STATE = 1, 2, 3, 4, 5, 6, 7, 8,
  9, 10, 11, 12
local WAITING, FLYING, LOST, FOLLOWING, PARKED = 'w', 'v', 'l', 'f', 'p'

local function read_session(name)
  local raw = redis.call('HGET', key('sessies'), name)
  if raw then return cmsgpack.unpack(raw) end
  return { 0, 0, 0, 0, 0, 0, 0, 0, 0 }
end

-- When to look whether a session is idle: at its first call, and then only when that moment has come.
local function seen(name, at)
  redis.call('ZADD', key('gezien'), at, name)
  if at + IDLE < S.idle_next then S.idle_next = at + IDLE end
end

local function write_session(name, s) redis.call('HSET', key('sessies'), name, cmsgpack.pack(s)) end

local function read_call(id)
  local raw = redis.call('HGET', key('aanroepen'), id)
  if raw then return cmsgpack.unpack(raw) end
end

local function write_call(id, call) redis.call('HSET', key('aanroepen'), id, cmsgpack.pack(call)) end

local function lease(id, now)
  redis.call('ZADD', key('leases'), now + rules.lease, id)
  if now + rules.lease < S.lease_next then S.lease_next = now + rules.lease end
end
