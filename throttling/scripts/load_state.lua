-- The state of the heavy work that may wait (rules L1-L12): one value under KEYS[1], read and written whole, for there are few.
-- ARGV 1: now (empty: the server's clock). ARGV 2: the rules, with bars between them.
local HOUR, FRESH_SIGNAL, FORGET_SIGNAL, TOLD, HELD = 3600, 15, 60, 200, 30
local SIGNALS = { 'processor', 'database', 'pagina' }
local KEY = KEYS[1] .. 'staat'
local given = {}
for part in string.gmatch(ARGV[2], '[^|]+') do given[#given + 1] = part end
local rules = {
  slots = tonumber(given[1]), shut_at = tonumber(given[2]), open_at = tonumber(given[3]), longest = tonumber(given[4]),
  fresh = tonumber(given[5]), per_hour = tonumber(given[6]), lease = tonumber(given[7]), deaths = tonumber(given[8]),
  pace = tonumber(given[9]), counts = given[10],
}
local S = { now = 0, number = 0, runs = {}, asks = {}, shut = {}, seen = {}, used = {}, asked = {}, told = {}, pace = 0 }
local raw = redis.call('GET', KEY)
if raw then S = cmsgpack.unpack(raw) end
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) + tonumber(time[2]) / 1e6
end
if now < S.now then now = S.now end -- a clock that is set back stands still for us
S.now = now
local events = {}

local function event(kind, id) events[#events + 1] = { kind, id } end

-- An ask is open while it stands for work to come; a run is one computation, for all who asked for the same. What is worked out
-- about them holds until something changes: with hundreds that wait, each decision would otherwise take long.
local OPEN, USED

local function changed() OPEN, USED = nil, nil end

local function open_asks(run)
  if not OPEN then
    OPEN = {}
    for _, ask in pairs(S.asks) do
      if ask.state == 'open' then
        local own = OPEN[ask.run] or {}
        own[#own + 1] = ask
        OPEN[ask.run] = own
      end
    end
  end
  return OPEN[run] or {}
end

local function running()
  local number = 0
  for _, run in pairs(S.runs) do if run.state == 'runs' then number = number + 1 end end
  return number
end

-- Report time of the last hour, with what runs now (rule L9).
local function used_by(requester)
  if not USED then
    USED = {}
    for by, rows in pairs(S.used) do
      local sum = 0
      for _, row in ipairs(rows) do sum = sum + row[2] end
      USED[by] = sum
    end
    for _, run in pairs(S.runs) do
      if run.state == 'runs' then USED[run.by] = (USED[run.by] or 0) + now - run.started end
    end
  end
  return USED[requester] or 0
end

local function finish(word, ...)
  redis.call('SET', KEY, cmsgpack.pack(S))
  return cjson.encode({ word, now, events, ... })
end
