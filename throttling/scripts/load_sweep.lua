-- What time does: leases end, waiting comes to an end, what is old is forgotten. In order, so that a replay goes the same way.
local MANY = 200 -- of what is old, so many are forgotten in one decision

-- Whether an ask waited as long as may be (rule L6): since it was made, or since a worker last had what it asks for.
local function is_late(ask)
  local run = S.runs[ask.run]
  local had = run.begun and (run.worked or run.started) or 0 -- another version wrote no `worked`
  return math.max(ask.at, had) + rules.longest <= now
end

local function due(map, holds)
  local found = {}
  for id, one in pairs(map) do if holds(one) then found[id] = true end end
  return sorted(found)
end

local function works()
  for _, run in pairs(S.runs) do if run.state == 'runs' and run.worker ~= '' then return true end end
  return false
end

-- A start that no worker took is no death: it is said again, and who waited too long for it is refused (rule L6). Where no worker
-- has any other run either, whoever does the work is away. But where nobody at all decided anything since, all was down: then
-- what no worker took says nothing about who is there now.
local function start_again(id)
  local run = S.runs[id]
  local was_down = now - run.lease >= math.max(rules.lease, FRESH_SIGNAL)
  S.unmanned = S.unmanned or not works() or nil
  local late = due(S.asks, function(ask) return ask.run == id and is_late(ask) end)
  for _, ask_id in ipairs(late) do refuse_late(ask_id) end
  if was_down then S.unmanned = nil end
  if #open_asks(id) > 0 then return say_start(id) end
  end_run(id, 'stopped')
end

-- A worker that died gives its place back; its run goes first when there is one (rule L10).
local function end_leases()
  for _, id in ipairs(due(S.runs, function(run) return run.state == 'runs' and run.lease <= now end)) do
    local run = S.runs[id]
    if run.stop then
      end_run(id, 'stopped')
    elseif run.worker == '' then
      start_again(id)
    else
      run.deaths = run.deaths + 1
      end_run(id, run.deaths > rules.deaths and 'failed' or 'waits')
    end
  end
end

-- Nothing waits longer than may be (rule L6), also where a worker had it before.
local function end_waiting()
  local function waits_too_long(ask) return S.runs[ask.run].state == 'waits' and is_late(ask) end
  for _, id in ipairs(due(S.asks, waits_too_long)) do
    local ask = S.asks[id]
    refuse_late(id)
    if #open_asks(ask.run) == 0 then keep_run(ask.run, 'stopped') end
  end
end

local function old(index, before) return redis.call('ZRANGEBYSCORE', key(index), '-inf', before, 'LIMIT', 0, MANY) end

local function forget()
  for _, id in ipairs(old('einde', now - rules.fresh)) do drop_run(id) end
  for _, by in ipairs(old('gebruikers', now - HOUR)) do write_rows('gebruikt', 'gebruikers', by, {}) end
  for _, by in ipairs(old('vragers', now - HOUR)) do write_rows('gevraagd', 'vragers', by, {}) end
  for _, by in ipairs(old('geweigerden', now - HOUR)) do write_rows('geweigerd', 'geweigerden', by, {}) end
  for process, seen in pairs(SEEN) do
    if seen.at + FORGET_SIGNAL <= now then
      SEEN[process] = nil
      redis.call('HDEL', key('gezien'), process)
    end
  end
  local function forget_minutes(late)
    for minute in pairs(late) do
      if minute * MINUTE + HOUR <= now then late[minute], dirty = nil, true end
    end
  end
  forget_minutes(S.late)
  for _, own in pairs(S.why) do forget_minutes(own.late) end
end

forget()
weigh()
end_waiting() -- first: who waited too long gets no place that comes free now
end_leases()
start_who_may()
-- With nothing to do nobody is missed.
if S.unmanned and running() == 0 then S.unmanned, dirty = nil, true end
