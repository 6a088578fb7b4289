-- What is kept beside what is under way: asks and runs that ended, until they are fresh no more; asks and used time of the last
-- hour by requester; what was foretold and how long was waited. Keys: werken (runs), einde (when they ended), zelfde (digest to
-- the run that is ready), vragen (asks), van:<run> (its asks), eigen (run and requester to the ask); gevraagd and vragers,
-- gebruikt and gebruikers, geweigerd and geweigerden (rows by requester, and when the last was); voorspeld; gezien (what
-- processes measure).
local function read(name, id)
  local packed = redis.call('HGET', key(name), id)
  return packed and cmsgpack.unpack(packed)
end

local function write(name, id, value)
  redis.call('HSET', key(name), id, cmsgpack.pack(value))
  wrote = true
end

local function own(run, by) return run .. '|' .. by end

-- An ask of its own state, or of none: then it is as its run.
local function keep_ask(id, ask, state)
  S.asks[id] = nil
  changed()
  ask.state = state
  write('vragen', id, ask)
  redis.call('RPUSH', key('van:' .. ask.run), id)
  if state == '' then redis.call('HSETNX', key('eigen'), own(ask.run, ask.by), id) end
end

local function drop_ask(id, ask)
  redis.call('HDEL', key('vragen'), id)
  if redis.call('HGET', key('eigen'), own(ask.run, ask.by)) == id then
    redis.call('HDEL', key('eigen'), own(ask.run, ask.by))
  end
  wrote = true
end

local function unready(id, run)
  if redis.call('HGET', key('zelfde'), run.digest) == id then redis.call('HDEL', key('zelfde'), run.digest) end
end

local function keep_run(id, state)
  local run = S.runs[id]
  run.state, run.worker, run.ended = state, '', now
  for ask_id, ask in pairs(S.asks) do if ask.run == id then keep_ask(ask_id, ask, '') end end
  S.runs[id] = nil
  changed()
  write('werken', id, run)
  redis.call('ZADD', key('einde'), now, id)
  if state == 'ready' and not run.stop then redis.call('HSET', key('zelfde'), run.digest, id) end
end

local function kept_asks(run) return redis.call('LRANGE', key('van:' .. run), 0, -1) end

local function drop_run(id)
  local run = read('werken', id)
  if run then unready(id, run) end
  for _, ask_id in ipairs(kept_asks(id)) do
    local ask = read('vragen', ask_id)
    if ask then drop_ask(ask_id, ask) end
  end
  redis.call('DEL', key('van:' .. id))
  redis.call('HDEL', key('werken'), id)
  redis.call('ZREM', key('einde'), id)
  wrote = true
end

-- The run that is ready for who asks the same, and not long ago.
local function ready_run(digest)
  local id = redis.call('HGET', key('zelfde'), digest)
  local run = id and read('werken', id)
  if run and run.ended + rules.fresh > now then return id, run end
end

-- Rows of the last hour by requester: { when, what }.
local function rows_of(name, by)
  local rows = read(name, by) or {}
  while rows[1] and rows[1][1] + HOUR <= now do table.remove(rows, 1) end
  return rows
end

local function write_rows(name, index, by, rows)
  if not rows[1] then
    redis.call('HDEL', key(name), by)
    redis.call('ZREM', key(index), by)
    wrote = true
    return
  end
  write(name, by, rows)
  redis.call('ZADD', key(index), rows[#rows][1], by)
end

local function add_row(name, index, by, value)
  local rows = rows_of(name, by)
  rows[#rows + 1] = { now, value }
  write_rows(name, index, by, rows)
end

-- The row of an ask among those of its hour: { when, 0, or 1 where nothing came of it through no fault of who asked }.
local function row_of(rows, ask, spared)
  for place = #rows, 1, -1 do
    if rows[place][1] == ask.at and (spared == nil or rows[place][2] == spared) then return place end
  end
end

-- Nothing came of an ask: it leaves room for another this hour, though not without end (rule L12).
local function spare(ask)
  local rows = rows_of('gevraagd', ask.by)
  local place = row_of(rows, ask, 0)
  if place then
    rows[place][2] = 1
    write_rows('gevraagd', 'vragers', ask.by, rows)
  end
end

-- Somebody was turned away: how often, by the minute, and of so many requesters at most. It is for operators, and decides nothing.
local function turned_away(by)
  local rows = rows_of('geweigerd', by)
  local last = rows[#rows]
  if not last and redis.call('HLEN', key('geweigerd')) >= AWAY_MOST then return end
  if last and now - last[1] < MINUTE then last[2] = last[2] + 1 else rows[#rows + 1] = { now, 1 } end
  write_rows('geweigerd', 'geweigerden', by, rows)
end

-- Report time of the last hour, with what runs now (rule L9).
local function used_by(requester)
  USED = USED or {}
  if not USED[requester] then
    local sum = 0
    for _, row in ipairs(rows_of('gebruikt', requester)) do sum = sum + row[2] end
    for _, run in pairs(S.runs) do
      if run.state == 'runs' and run.worker ~= '' and run.by == requester then sum = sum + now - run.started end
    end
    USED[requester] = sum
  end
  return USED[requester]
end

-- What was foretold (-1: nothing) beside what came of it (rule L11), and of which group of requesters; a start that never came
-- is -1.
local function keep_told(ask, real)
  local group = string.match(ask.by, '^[^:]*')
  redis.call('RPUSH', key('voorspeld'), cmsgpack.pack({ ask.at, ask.told or -1, real, group }))
  redis.call('LTRIM', key('voorspeld'), -TOLD, -1)
  wrote = true
end

-- Counted by the minute, all together and by why: another version keeps only the sum.
local function count_late(why)
  local minute = math.floor(now / MINUTE)
  local own = S.why[why] or { late = {}, refused = 0 }
  for _, one in ipairs({ S, own }) do
    one.late[minute] = (one.late[minute] or 0) + 1
    one.refused = one.refused + 1
  end
  S.why[why] = own
end

-- Rows { why, in the last hour, ever }; of what another version counted nobody can tell why.
local function late_by_why()
  local rows, lately, ever = {}, 0, S.refused
  for _, number in pairs(S.late) do lately = lately + number end
  for _, why in ipairs(sorted(S.why)) do
    local number = 0
    for _, one in pairs(S.why[why].late) do number = number + one end
    rows[#rows + 1] = { why, number, S.why[why].refused }
    lately, ever = lately - number, ever - S.why[why].refused
  end
  rows[#rows + 1] = { 'onbekend', lately, ever }
  return rows
end

-- An ask waited in vain: it was too busy, or nobody was there to work.
local function refuse_late(id)
  local ask = S.asks[id]
  ask.why = S.unmanned and 'geen-werker' or 'wacht'
  count_late(ask.why)
  spare(ask)
  if not S.runs[ask.run].begun then keep_told(ask, -1) end -- the real start of what began is kept already
  keep_ask(id, ask, 'refused')
  event(S.unmanned and 'unmade' or 'refused', id)
end

-- What processes measure.
local SEEN = {}
do
  local all = redis.call('HGETALL', key('gezien'))
  for i = 1, #all, 2 do SEEN[all[i]] = cmsgpack.unpack(all[i + 1]) end
end
