-- When runs that wait will probably start, in seconds from now: as the running ones end, one by one (rules L5, L6, L11).
-- What a part takes is learnt from the last runs by their parts: a short one that waited for a slow source says little of others.
-- What asks one source takes another time than what asks many side by side: each kind of run has its own.
-- Who runs now tells of today: a run that says how long still shows how many times as long as was learnt it takes, and what is
-- slow today is so for other kinds too, though of its own kind that says more.
local FADES, TODAY, LONG = 0.8, 0.5, 200
-- Parts of collecting, side by side, take less than those that are left: so much of what these take counts for all.
local OF_LEFT = 0.85
local LEAST = 0.001 -- no part takes nothing
local PACES

local function added(sums, fades, parts, seconds)
  local share = math.min(parts, LONG) / parts
  return { fades * sums[1] + share * parts, fades * sums[2] + share * seconds }
end

local function learn(run, parts, seconds)
  for _, kind in ipairs({ 'alle', run.kind }) do
    S.kinds[kind] = added(S.kinds[kind] or { 0, 0 }, FADES, parts, seconds)
  end
end

local function seconds_a_part(kinds, kind)
  local sums = kinds[kind] or kinds['alle']
  return sums and sums[1] > 0 and math.max(sums[2] / sums[1], LEAST) or rules.pace
end

-- A run that runs says itself how long still, once it can tell.
local function says(run)
  if run.state == 'runs' and (run.left or -1) >= 0 then return math.max(run.left - (now - run.said), 0) end
end

local function has_taken(run) return run.worker ~= '' and now - run.started or 0 end

-- Parts that a worker makes of a run, all together.
local function own_parts(run) return math.max(run.size - run.from, 1) end

local function telling()
  local found = {}
  for _, id in ipairs(sorted(S.runs)) do if says(S.runs[id]) then found[#found + 1] = S.runs[id] end end
  return found
end

-- In how many seconds such a run will have made them. Its last parts count for more where it began before they became slow.
local function in_all(run)
  local left = says(run)
  return math.max(has_taken(run) + left, OF_LEFT * own_parts(run) * left / math.max(run.size - run.done, 1))
end

local function paces()
  local kinds, told = { alle = S.kinds['alle'] or { 0, 0 } }, telling()
  for kind, sums in pairs(S.kinds) do kinds[kind] = sums end
  for _, run in ipairs(told) do kinds[run.kind] = kinds[run.kind] or { 0, 0 } end
  for _, run in ipairs(told) do
    local parts = own_parts(run)
    local each = in_all(run) / parts
    local times = each / seconds_a_part(S.kinds, run.kind)
    for kind, sums in pairs(kinds) do
      local fades, learnt = (kind == run.kind or kind == 'alle') and TODAY or FADES, seconds_a_part(S.kinds, kind)
      kinds[kind] = added(sums, fades, parts, parts * math.min(times * learnt, math.max(learnt, each)))
    end
  end
  return kinds
end

local function pace(kind)
  PACES = PACES or paces()
  return seconds_a_part(PACES, kind)
end

-- One that runs and cannot tell yet: once it is at it for longer than was foreseen, it will be as long again as it is over.
local function takes(run)
  local said, each = says(run), pace(run.kind)
  if said then return said end
  return math.max(math.max(run.size - run.done, 1) * each, has_taken(run) - own_parts(run) * each)
end

-- What each requester will have used when those that run, and those that were placed before, have ended (rule L9): in whole
-- thousandths, so that sums made in another order are the same.
local function will_use(used, by, seconds)
  used[by] = math.floor(1000 * ((used[by] or 1000 * used_by(by)) / 1000 + seconds) + 0.5)
end

-- A heap of rows { run, when it is due, key, number, requester }, lowest key and then number on top.
local function before(one, other) return one[3] < other[3] or one[3] == other[3] and one[4] < other[4] end

local function push(heap, row)
  local place = #heap + 1
  while place > 1 and before(row, heap[math.floor(place / 2)]) do
    heap[place], place = heap[math.floor(place / 2)], math.floor(place / 2)
  end
  heap[place] = row
end

local function pop(heap)
  local top, row = heap[1], table.remove(heap)
  local place, size = 1, #heap
  while size > 0 do
    local child = 2 * place
    if child < size and before(heap[child + 1], heap[child]) then child = child + 1 end
    if child > size or not before(heap[child], row) then break end
    heap[place], place = heap[child], child
  end
  if size > 0 then heap[place] = row end
  return top
end

-- The waiting runs as they will be due, each by the moment at which it is; and those that are not yet, by what will be used.
local function due_and_not(rows, used)
  local due, later = {}, {}
  for _, row in ipairs(rows) do
    if row[2] == 1 then due[#due + 1] = { row[1], now, row[4], 0, row[5] } end
    for _, ask in ipairs(row[2] == 2 and open_asks(row[1]) or {}) do
      will_use(used, ask.by, 0)
      due[#due + 1] = { row[1], due_at(ask), ask.number, 0, ask.by }
      push(later, { row[1], 0, used[ask.by], ask.number, ask.by })
    end
  end
  table.sort(due, function(one, other) return one[2] < other[2] or one[2] == other[2] and one[3] < other[3] end)
  return due, later
end

-- Who goes first at each moment asked for, and moments only get later: whose worker died, then who is due by then, then who will
-- have used least. Gives the run and whose time it will be.
local function one_by_one(rows, found, used)
  local due, later = due_and_not(rows, used)
  local heap, reached, first = {}, 1, 1
  return function(moment)
    while due[reached] and due[reached][2] <= moment do
      push(heap, due[reached])
      reached = reached + 1
    end
    if rows[first] and rows[first][2] == 0 then
      first = first + 1
      return rows[first - 1][1], rows[first - 1][5]
    end
    while heap[1] do
      local row = pop(heap)
      if not found[row[1]] then return row[1], row[5] end
    end
    while later[1] do
      local row = pop(later)
      if not found[row[1]] then
        if row[3] == used[row[5]] then return row[1], row[5] end
        row[3] = used[row[5]]
        push(later, row)
      end
    end
  end
end

local function soonest(ends)
  local best = nil
  for place, at in ipairs(ends) do if not best or at < ends[best] then best = place end end
  return best
end

-- What runs now shut the signal, as far as anybody can tell: each end lets one start, and the last end of all lets the others.
local function open_again(ends)
  local last = ends[1]
  for _, at in ipairs(ends) do last = math.max(last, at) end
  for _ = #ends + 1, last and most() or 0 do ends[#ends + 1] = last end
end

-- Each waiting run with its place and its start, up to the one that is `wanted`; without a start when nothing runs and a signal
-- is shut, and when nobody works. Who goes first is asked for the moment at which a slot comes free.
local function forecast(wanted)
  local ends, found, used, place = {}, {}, {}, 0
  PACES = nil
  for _, run in pairs(S.runs) do
    if run.state == 'runs' and not S.unmanned then
      ends[#ends + 1] = takes(run)
      will_use(used, run.by, takes(run))
    end
  end
  local free = 0
  if S.unmanned then free = 0 elseif is_shut() then open_again(ends) else free = math.max(most() - #ends, 0) end
  local next_at = one_by_one(in_order(), found, used)
  while true do
    local slot = soonest(ends)
    local at = free > 0 and 0 or ends[slot]
    local id, by = next_at(now + (at or 0))
    if not id then return found end
    place = place + 1
    found[id] = { place, at }
    if id == wanted then return found end
    if free > 0 then free = free - 1 elseif at then table.remove(ends, slot) end
    if at then
      ends[#ends + 1] = at + takes(S.runs[id])
      will_use(used, by, takes(S.runs[id]))
    end
  end
end
