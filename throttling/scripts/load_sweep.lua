-- What time does: leases end, waiting comes to an end, what is old is forgotten. In order, so that a replay goes the same way.
local function sorted(map)
  local ids = {}
  for id in pairs(map) do ids[#ids + 1] = id end
  table.sort(ids)
  return ids
end

-- A worker that died gives its place back; its run goes first when there is one (rule L10).
local function end_leases()
  for _, id in ipairs(sorted(S.runs)) do
    local run = S.runs[id]
    if run.state == 'runs' and run.lease <= now then
      if run.stop then
        end_run(id, 'stopped')
      else
        run.deaths = run.deaths + 1
        end_run(id, run.deaths > rules.deaths and 'failed' or 'waits')
      end
    end
  end
end

-- Nothing waits longer than may be (rule L6); a run that began once does not wait, it goes on.
local function end_waiting()
  for _, id in ipairs(sorted(S.asks)) do
    local ask = S.asks[id]
    local run = S.runs[ask.run]
    if ask.state == 'open' and run.state == 'waits' and run.deaths == 0 and ask.at + rules.longest <= now then
      ask.state = 'refused'
      changed()
      event('refused', id)
      if #open_asks(ask.run) == 0 then run.state, run.ended = 'stopped', now end
    end
  end
end

local function forget()
  for _, id in ipairs(sorted(S.runs)) do
    local run = S.runs[id]
    if run.ended and run.ended + rules.fresh <= now then
      S.runs[id] = nil
      for ask_id, ask in pairs(S.asks) do if ask.run == id then S.asks[ask_id] = nil end end
    end
  end
  for by, rows in pairs(S.used) do
    while rows[1] and rows[1][1] + HOUR <= now do table.remove(rows, 1) end
    if not rows[1] then S.used[by] = nil end
  end
  for by, times in pairs(S.asked) do
    while times[1] and times[1] + HOUR <= now do table.remove(times, 1) end
    if not times[1] then S.asked[by] = nil end
  end
  for process, seen in pairs(S.seen) do if seen.at + FORGET_SIGNAL <= now then S.seen[process] = nil end end
end

forget()
changed()
weigh()
end_leases()
end_waiting()
start_who_may()
