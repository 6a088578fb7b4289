-- Thresholds of signals that have their own: from where on shut, from where on open again.
local OWN = {}
for signal, shut_at, open_at in string.gmatch(given[13] or '', '([^:,]+):([^:,]+):([^:,]+)') do
  OWN[signal] = { tonumber(shut_at), tonumber(open_at) }
end

local function shut_at(signal) return OWN[signal] and OWN[signal][1] or rules.shut_at end

local function open_at(signal) return OWN[signal] and OWN[signal][2] or rules.open_at end

-- Which signals are shut, who goes first, and who may start. A process that is silent of late may be too busy to speak: what it
-- said last counts while that shuts, until it is forgotten.
-- `since`: what a process has seen nothing of from then on does not count.
local function value_of(signal, since)
  local highest = 0
  for _, seen in pairs(SEEN) do
    local share, unseen = seen[signal] or 0, since and seen[signal .. ':ongezien']
    if unseen and seen.at - unseen <= since then share = 0 end
    if now - seen.at <= FRESH_SIGNAL or share >= shut_at(signal) then highest = math.max(highest, share) end
  end
  return highest
end

local function counts(signal) return string.find(',' .. rules.counts .. ',', ',' .. signal .. ',', 1, true) ~= nil end

-- Shut from the one threshold on, open again at the other, so that the gate does not flap (rule L4).
local function weigh()
  for _, signal in ipairs(SIGNALS) do
    local value, before = value_of(signal), S.shut[signal]
    if not counts(signal) or value <= open_at(signal) then
      S.shut[signal] = nil
    elseif value >= shut_at(signal) then
      S.shut[signal] = true
    end
    if S.shut[signal] ~= before then dirty = true end
  end
end

-- Below the threshold a run starts at once; the one that reaches it is the last (rule L4). Where slots do not count, all may be
-- taken.
local function most()
  return counts('plaatsen') and math.max(math.ceil(shut_at('plaatsen') * rules.slots - 1e-9), 1) or rules.slots
end

local function has_slot() return running() < most() end

local function is_shut() return next(S.shut) ~= nil end

-- A signal that counts is at the threshold or over it: not only kept shut on its way down, and not only seen beside the last run
-- (rule L8).
local function is_full()
  for _, signal in ipairs(SIGNALS) do
    if counts(signal) and value_of(signal, S.worked or 0) >= shut_at(signal) then return true end
  end
  return false
end

-- Work has a slot, a worker has none of it, and a start was not heard for a lease: whoever does the work is away.
local function is_unmanned() return S.unmanned == true and running() > 0 end

-- The low end of an estimate: a quarter or a minute earlier.
local function low(at) return math.max(math.min(at * 0.75, at - 60), 0) end

-- The longest estimate of which this is the low end: who is told that one waits no longer than may be (rule L6).
local function highest(seconds) return math.max(seconds / 0.75, seconds + 60) end

-- When an ask goes before those who used less: from the low end of what it was told on, or when it waited half of what anybody
-- may wait. So what was said holds (rule L11), and nobody starves.
local function due_at(ask)
  local half = ask.at + rules.longest / 2
  return ask.told and math.min(ask.at + low(ask.told - ask.at), half) or half
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

-- A run has a slot, and no worker yet; or none any more. Since when that is so is kept however often its start is said.
local function say_start(id)
  local run = S.runs[id]
  run.left_at = run.state == 'runs' and run.worker == '' and (run.left_at or run.started) or now
  run.state, run.started, run.lease, run.worker, run.left = 'runs', now, now + rules.lease, '', -1
  changed()
  event('start', id)
end

local function start(row)
  local run = S.runs[row[1]]
  run.by = row[5]
  say_start(row[1])
end

local function start_who_may()
  while not is_shut() and has_slot() do
    local row = in_order()[1]
    if not row then return end
    start(row)
  end
end

-- The time that a worker had a run is its payer's. Until when one had it is kept: from then on it waits (rule L6).
local function charge(run)
  if run.worker == '' then return end
  add_row('gebruikt', 'gebruikers', run.by, now - run.started)
  run.worked = now
end

-- A run ends. From the threshold on this is what lets the next one start.
local function end_run(id, state)
  local run = S.runs[id]
  charge(run)
  if run.worker ~= '' then S.worked = now end
  for _, ask in ipairs(state == 'failed' and open_asks(id) or {}) do spare(ask) end
  if state == 'waits' then
    run.state, run.worker = state, ''
    changed()
  else
    keep_run(id, state)
  end
  if state == 'failed' then event('failed', id) end
  local row = has_slot() and in_order()[1]
  if row then start(row) end
end

-- Nobody asks for a run any more; a worker that has it hears so.
local function unwanted(id)
  local run = S.runs[id]
  if run.state == 'waits' then
    keep_run(id, 'stopped')
  elseif run.worker == '' then
    end_run(id, 'stopped')
  else
    run.stop = true
    changed()
  end
end
