-- Somebody asks for a run. ARGV: ask, requester, digest of what is asked for, run, its size in parts. Answers same, starts, waits,
-- joins, ready, or refused with its reason and when to come back.
local id, by, digest, run_id, size = ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])

local function is_fresh(run) return run.state ~= 'ready' or run.ended + rules.fresh > now end

local same, shared = nil, nil
for other, run in pairs(S.runs) do
  if run.digest == digest and not run.stop and (run.state == 'waits' or run.state == 'runs' or run.state == 'ready') then
    if is_fresh(run) then shared = other end
  end
end
if shared then
  for other, ask in pairs(S.asks) do
    if ask.run == shared and ask.by == by and ask.state == 'open' and (not same or ask.number < S.asks[same].number) then
      same = other
    end
  end
end
if same then return finish('same', same, shared) end

local times = S.asked[by] or {}
if #times >= rules.per_hour then return finish('refused', 'uur', times[1] + HOUR - now) end
local run = S.runs[shared or run_id]
if not run then
  run = { state = 'waits', digest = digest, size = size, done = 0, from = 0, deaths = 0, by = by, worker = '' }
  S.runs[run_id] = run
end
S.number = S.number + 1
S.asks[id] = { run = shared or run_id, by = by, at = now, number = S.number, state = 'open' }
changed()
local alone = running() == 0
start_who_may()

local function refuse(reason, seconds)
  S.asks[id] = nil
  changed()
  if not shared then S.runs[run_id] = nil end
  return finish('refused', reason, seconds)
end

local place, at = 0, 0
if run.state == 'waits' then
  if alone and is_shut() then return refuse('vol', 0) end
  local found = forecast()[shared or run_id]
  place, at = found[1], found[2]
  if at and low(at) > rules.longest then return refuse('wacht', low(at) - rules.longest) end
end
times[#times + 1] = now
S.asked[by] = times
S.asks[id].told = run.state == 'waits' and at and now + at or nil
local words = { waits = 'waits', runs = shared and 'joins' or 'starts', ready = 'ready' }
return finish(words[run.state], id, shared or run_id, place, at or -1)
