-- When runs that wait will probably start, in seconds from now: as the running ones end, one by one (rules L5, L6, L11).
local function pace_of(run)
  local parts = run.done - run.from
  if run.state == 'runs' and parts >= 5 then return (now - run.started) / parts end
  return S.pace > 0 and S.pace or rules.pace
end

local function takes(run) return math.max(run.size - run.done, 1) * pace_of(run) end

-- The waiting runs as they will be due, each with the moment and the number of the ask by which it goes then.
local function due_rows(rows)
  local found = {}
  for _, row in ipairs(rows) do
    for _, ask in ipairs(row[2] == 2 and open_asks(row[1]) or {}) do found[#found + 1] = { row[1], due_at(ask), ask.number } end
  end
  table.sort(found, function(one, other) return one[2] < other[2] or one[2] == other[2] and one[3] < other[3] end)
  return found
end

-- Who goes first at a moment: whose worker died, then who is due by then, then who used least.
local function next_at(moment, rows, due, found)
  local best = nil
  for _, row in ipairs(rows) do
    if row[2] == 2 or best then break end
    if not found[row[1]] then
      if row[2] == 0 then return row[1] end
      best = { row[1], row[2], row[4] }
    end
  end
  for _, row in ipairs(due) do
    if row[2] > moment then break end
    if not found[row[1]] and (not best or row[3] < best[3]) then best = row end
  end
  if best then return best[1] end
  for _, row in ipairs(rows) do if not found[row[1]] then return row[1] end end
end

-- Each waiting run with its place and its start; without a start when nothing runs and a signal is shut. Who goes first is
-- asked for the moment at which a slot comes free.
local function forecast()
  local ends, found, place = {}, {}, 0
  for _, run in pairs(S.runs) do if run.state == 'runs' then ends[#ends + 1] = takes(run) end end
  local free = 0
  if not is_shut() then free = math.max(most() - #ends, 0) end
  local rows = in_order()
  local due = due_rows(rows)
  while true do
    table.sort(ends)
    local at = free > 0 and 0 or ends[1]
    local id = next_at(now + (at or 0), rows, due, found)
    if not id then return found end
    place = place + 1
    found[id] = { place, at }
    if free > 0 then free = free - 1 elseif at then table.remove(ends, 1) end
    if at then ends[#ends + 1] = at + takes(S.runs[id]) end
  end
end

-- The low end of an estimate: a quarter or a minute earlier.
local function low(at) return math.max(math.min(at * 0.75, at - 60), 0) end
