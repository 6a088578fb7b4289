-- The state of one queue: its rules, its clock, its scalars. All keys of a queue begin with KEYS[1].
-- ARGV 1: now (empty: the server's clock), what the caller's clock expects, how far they may differ. ARGV 2: the rules. Each is
-- one text with bars, because every argument of its own costs the caller as much as a command of ours.
local function key(name) return KEYS[1] .. name end

local PLAYED, EXPECTED, SLACK = string.match(ARGV[1], '^([^|]*)|([^|]*)|([^|]*)$')
local KIND, UNITS, SECONDS, IN_FLIGHT, LONGEST, LEASE, SPACED, OF_SESSION, MOST = string.match(ARGV[2],
  '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)$')
local rules = {
  kind = KIND,
  units = tonumber(UNITS),
  seconds = tonumber(SECONDS),
  in_flight = tonumber(IN_FLIGHT),
  longest = tonumber(LONGEST), -- after its grant a request may still arrive over there
  lease = tonumber(LEASE),
  spaced = SPACED == '1',
  most_of_session = tonumber(OF_SESSION),
  most = tonumber(MOST),
}
local REST = 3
local IDLE = 1800
local CLOSE = 1e-6
local LANDED = 5 -- seconds: how long an answer counts as just come
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
  if PLAYED ~= '' then
    S.now = tonumber(PLAYED)
    return S.now
  end
  local time = redis.call('TIME')
  local server = tonumber(time[1]) + tonumber(time[2]) / 1e6
  local now = server + S.offset
  if EXPECTED ~= '' then
    local expected, slack = tonumber(EXPECTED), tonumber(SLACK)
    if now < expected or now > expected + slack then now = expected end
  end
  if now < S.now then now = S.now end
  S.offset = now - server
  S.now = now
  return now
end
