-- Somebody asks for a run. ARGV: ask, requester, digest of what is asked for, run, its size in parts, its kind. Answers same,
-- starts, waits, joins, ready, or refused with its reason and when to come back.
local id, by, digest, run_id, size = ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])
local KEPT_EACH, LATER = 50, 300

-- However many ask, what is kept of it stays within bounds: first what ended longest ago is forgotten.
while redis.call('HLEN', key('vragen')) > KEPT_EACH * rules.most_open do
  local oldest = redis.call('ZRANGE', key('einde'), 0, 0)[1]
  if not oldest then break end
  drop_run(oldest)
end

local shared, ready = nil, nil
for other, run in pairs(S.runs) do if run.digest == digest and not run.stop then shared = other end end
if not shared then shared, ready = ready_run(digest) end
if ready then
  local same = redis.call('HGET', key('eigen'), own(shared, by))
  if same then return finish('same', same, shared) end
elseif shared then
  for other, ask in pairs(S.asks) do
    if ask.run == shared and ask.by == by then return finish('same', other, shared) end
  end
end

local function refused(reason, seconds)
  turned_away(by)
  return finish('refused', reason, seconds)
end

-- What failed or waited in vain is spared, as often as may be asked; what was cancelled is not (rule L12).
local rows, counted = rows_of('gevraagd', by), {}
for _, row in ipairs(rows) do if row[2] == 0 then counted[#counted + 1] = row end end
if #counted >= rules.per_hour then return refused('uur', counted[1][1] + HOUR - now) end
if #rows >= 2 * rules.per_hour then return refused('uur', rows[1][1] + HOUR - now) end

local ask = { run = shared or run_id, by = by, at = now }
if ready then
  S.number = S.number + 1
  ask.number = S.number
  keep_ask(id, ask, '')
  add_row('gevraagd', 'vragers', by, 0)
  return finish('ready', id, shared, 0, -1)
end

-- No more may be open at once; the first that ends makes room.
local open = 0
for _ in pairs(S.asks) do open = open + 1 end
if open >= rules.most_open then
  local first = nil
  for _, run in pairs(S.runs) do
    if run.state == 'runs' and not S.unmanned then first = math.min(first or takes(run), takes(run)) end
  end
  return refused('rij', first or LATER)
end

local run = S.runs[ask.run]
if not run then
  run = { state = 'waits', digest = digest, size = size, kind = 'soort ' .. ARGV[8], done = 0, from = 0, deaths = 0, by = by, worker = '' }
  S.runs[run_id] = run
end
S.number = S.number + 1
ask.number = S.number
S.asks[id] = ask
changed()
-- What was measured while a run was under way says nothing about a machine without runs until it is smoothed out (rule L8).
local alone = running() == 0 and now - (S.worked or 0) >= rules.smoothing
start_who_may()

local function refuse(reason, seconds)
  S.asks[id] = nil
  changed()
  if not shared then S.runs[run_id] = nil end
  return refused(reason, seconds)
end

local place, at = 0, 0
if run.state == 'waits' then
  if alone and is_full() then return refuse('vol', 0) end
  local found = forecast(ask.run)[ask.run]
  place, at = found[1], found[2]
  if at and low(at) > rules.longest then return refuse('wacht', at - highest(rules.longest)) end
  ask.told = at and now + at or nil
end
add_row('gevraagd', 'vragers', by, 0)
local words = { waits = 'waits', runs = shared and 'joins' or 'starts' }
return finish(words[run.state], id, ask.run, place, at or -1)
