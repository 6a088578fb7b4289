-- The state of one queue: its rules, its clock, its scalars. All keys of a queue begin with KEYS[1].
-- ARGV 1 to 12: now (empty: the server's clock), what the caller's clock expects, how far they may differ, then the rules.
local function key(name) return KEYS[1] .. name end

local rules = {
  kind = ARGV[4],
  units = tonumber(ARGV[5]),
  seconds = tonumber(ARGV[6]),
  in_flight = tonumber(ARGV[7]),
  longest = tonumber(ARGV[8]), -- after its grant a request may still arrive over there
  lease = tonumber(ARGV[9]),
  spaced = ARGV[10] == '1',
  most_of_session = tonumber(ARGV[11]),
  most = tonumber(ARGV[12]),
}
local REST = 13
local IDLE = 1800
local CLOSE = 1e-6
local HOUSE = 'huis'
local NEVER = 1e18
local S

local function text(number) return string.format('%.17g', number) end

local function load()
  local raw = redis.call('GET', key('staat'))
  if not raw then return false end
  S = cmsgpack.unpack(raw)
  if S.cap and S.cap < rules.units then rules.units = S.cap end
  return true
end

local function save() redis.call('SET', key('staat'), cmsgpack.pack(S)) end

-- The ledgers' own clock: the server's, made even where it steps. A caller knows how much time went by at least (its
-- expectation) and, within a slack, at most; and it never goes back.
local function clock()
  if ARGV[1] ~= '' then
    S.now = tonumber(ARGV[1])
    return S.now
  end
  local time = redis.call('TIME')
  local server = tonumber(time[1]) + tonumber(time[2]) / 1e6
  local now = server + S.offset
  if ARGV[2] ~= '' then
    local expected, slack = tonumber(ARGV[2]), tonumber(ARGV[3])
    if now < expected or now > expected + slack then now = expected end
  end
  if now < S.now then now = S.now end
  S.offset = now - server
  S.now = now
  return now
end
