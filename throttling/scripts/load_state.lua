-- The state of the heavy work that may wait (rules L1-L12). All keys begin with KEYS[1]. What is under way is one value, read
-- whole, and written when it changed; how much that can be is bounded. What ended and what the last hour held have keys of
-- their own (load_kept.lua), so that a decision costs the same however much there was before it.
-- ARGV 1: now (empty: the server's clock), what the caller's clock expects, how far they may differ. ARGV 2: the rules. Each is
-- one text with bars between its parts.
local HOUR, MINUTE, FRESH_SIGNAL, FORGET_SIGNAL, TOLD, STEP, AWAY_MOST = 3600, 60, 15, 60, 400, 0.05, 1000
local SIGNALS = { 'processor', 'database', 'pagina' }
local function key(name) return KEYS[1] .. name end

local given = {}
for part in string.gmatch(ARGV[2], '[^|]+') do given[#given + 1] = part end
local rules = {
  slots = tonumber(given[1]), shut_at = tonumber(given[2]), open_at = tonumber(given[3]), longest = tonumber(given[4]),
  fresh = tonumber(given[5]), per_hour = tonumber(given[6]), lease = tonumber(given[7]), deaths = tonumber(given[8]),
  pace = tonumber(given[9]), smoothing = tonumber(given[10]), most_open = tonumber(given[11]), counts = given[12],
}
local S = { number = 0, runs = {}, asks = {}, shut = {}, kinds = {}, late = {}, refused = 0, why = {} }
local raw = redis.call('GET', key('stand'))
if raw then S = cmsgpack.unpack(raw) end
S.kinds, S.why = S.kinds or {}, S.why or {} -- another version may have written it
local events, dirty, wrote = {}, false, false

-- Our own clock: the server's, made even where that steps. A caller knows how much time went by at least (its expectation) and,
-- within a slack, at most; and it never goes back.
local PLAYED, EXPECTED, SLACK = string.match(ARGV[1], '^([^|]*)|([^|]*)|([^|]*)$')
local last, offset = string.match(redis.call('GET', key('tijd')) or '0|0', '^([^|]*)|([^|]*)$')
last, offset = tonumber(last), tonumber(offset)
local now = tonumber(PLAYED)
if not now then
  local time = redis.call('TIME')
  local server = tonumber(time[1]) + tonumber(time[2]) / 1e6
  now = server + offset
  local expected = tonumber(EXPECTED)
  if expected and (now < expected or now > expected + tonumber(SLACK)) then now = expected end
  if now < last then now = last end
  if math.abs(now - server - offset) > STEP then offset, wrote = now - server, true end
elseif now < last then
  now = last
end

local function event(kind, id) events[#events + 1] = { kind, id } end

local function sorted(map)
  local ids = {}
  for id in pairs(map) do ids[#ids + 1] = id end
  table.sort(ids)
  return ids
end

-- What is worked out about asks and used time holds until something changes.
local OPEN, USED

local function changed() OPEN, USED, dirty = nil, nil, true end

-- All asks here stand for work to come; a run is one computation, for all who asked for the same.
local function open_asks(run)
  if not OPEN then
    OPEN = {}
    for _, ask in pairs(S.asks) do
      local own = OPEN[ask.run] or {}
      own[#own + 1] = ask
      OPEN[ask.run] = own
    end
  end
  return OPEN[run] or {}
end

local function running()
  local number = 0
  for _, run in pairs(S.runs) do if run.state == 'runs' then number = number + 1 end end
  return number
end

-- An answer to a question that changes nothing writes nothing.
local function finish(word, ...)
  if dirty then redis.call('SET', key('stand'), cmsgpack.pack(S)) end
  if dirty or wrote then redis.call('SET', key('tijd'), string.format('%.17g|%.17g', now, offset)) end
  return cjson.encode({ word, now, events, ... })
end
