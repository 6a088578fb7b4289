-- When runs that wait will probably start, in seconds from now: as the running ones end, one by one (rules L5, L6, L11).
local function pace_of(run)
  local parts = run.done - run.from
  if run.state == 'runs' and parts >= 5 then return (now - run.started) / parts end
  return S.pace > 0 and S.pace or rules.pace
end

local function takes(run) return math.max(run.size - run.done, 1) * pace_of(run) end

-- Each waiting run with its place and its start; without a start when nothing runs and a signal is shut. Who goes first is
-- asked for the moment at which a slot comes free.
local function forecast()
  local ends, found, place = {}, {}, 0
  for _, run in pairs(S.runs) do if run.state == 'runs' then ends[#ends + 1] = takes(run) end end
  local free = 0
  if not is_shut() then free = math.max((counts('plaatsen') and most() or rules.slots) - #ends, 0) end
  while true do
    table.sort(ends)
    local at = free > 0 and 0 or ends[1]
    local id = nil
    for _, row in ipairs(in_order(now + (at or 0))) do
      if not found[row[1]] then
        id = row[1]
        break
      end
    end
    if not id then return found end
    place = place + 1
    found[id] = { place, at }
    if free > 0 then free = free - 1 elseif at then table.remove(ends, 1) end
    if at then ends[#ends + 1] = at + takes(S.runs[id]) end
  end
end

-- The low end of an estimate: a quarter or a minute earlier.
local function low(at) return math.max(math.min(at * 0.75, at - 60), 0) end
