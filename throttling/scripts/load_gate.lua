-- Which signals are shut, who goes first, and who may start.
local function value_of(signal)
  local highest = 0
  for _, seen in pairs(S.seen) do
    if now - seen.at <= FRESH_SIGNAL then highest = math.max(highest, seen[signal] or 0) end
  end
  return highest
end

local function counts(signal) return string.find(',' .. rules.counts .. ',', ',' .. signal .. ',', 1, true) ~= nil end

-- Shut from the one threshold on, open again at the other, so that the gate does not flap (rule L4).
local function weigh()
  for _, signal in ipairs(SIGNALS) do
    local value = value_of(signal)
    if not counts(signal) or value <= rules.open_at then
      S.shut[signal] = nil
    elseif value >= rules.shut_at then
      S.shut[signal] = true
    end
  end
end

-- Below the threshold a run starts at once; the one that reaches it is the last (rule L4). Where slots do not count, all may be
-- taken.
local function most()
  return counts('plaatsen') and math.max(math.ceil(rules.shut_at * rules.slots - 1e-9), 1) or rules.slots
end

local function has_slot() return running() < most() end

local function is_shut() return next(S.shut) ~= nil end

-- When an ask goes before those who used less: its foretold start is near, or it waited half of what anybody may wait. So what
-- was said holds (rule L11), and nobody starves.
local function due_at(ask)
  local half = ask.at + rules.longest / 2
  return ask.told and math.min(ask.told - HELD, half) or half
end

-- Rule L9: least used first, then who waits longest. A run whose worker died goes first of all (rule L10).
local function rank(id, run)
  local best = nil
  for _, ask in ipairs(open_asks(id)) do
    local first = run.deaths > 0 and 0 or due_at(ask) <= now and 1 or 2
    local row = { id, first, first == 2 and used_by(ask.by) or 0, ask.number, ask.by }
    if not best or row[2] < best[2] or row[2] == best[2]
      and (row[3] < best[3] or row[3] == best[3] and row[4] < best[4]) then
      best = row
    end
  end
  return best
end

local function in_order()
  local rows = {}
  for id, run in pairs(S.runs) do if run.state == 'waits' then rows[#rows + 1] = rank(id, run) end end
  table.sort(rows, function(one, other)
    if one[2] ~= other[2] then return one[2] < other[2] end
    if one[3] ~= other[3] then return one[3] < other[3] end
    return one[4] < other[4]
  end)
  return rows
end

local function start(row)
  local run = S.runs[row[1]]
  run.state, run.started, run.lease, run.worker, run.by = 'runs', now, now + rules.lease, '', row[5]
  changed()
  event('start', row[1])
  for _, ask in ipairs(open_asks(row[1])) do
    if ask.told and run.deaths == 0 then S.told[#S.told + 1] = { ask.at, ask.told, now } end
  end
  while #S.told > TOLD do table.remove(S.told, 1) end
end

local function start_who_may()
  while not is_shut() and has_slot() do
    local row = in_order()[1]
    if not row then return end
    start(row)
  end
end

-- A run ends: its time is its payer's. From the threshold on this is what lets the next one start.
local function end_run(id, state)
  local run = S.runs[id]
  local rows = S.used[run.by] or {}
  rows[#rows + 1] = { now, now - run.started }
  S.used[run.by] = rows
  run.state, run.worker = state, ''
  changed()
  if state ~= 'waits' then run.ended = now end
  if state == 'failed' then event('failed', id) end
  local row = has_slot() and in_order()[1]
  if row then start(row) end
end
