-- How it stands with an ask, or, without ARGV 3 or with it empty, with everything: state, waiting runs with place and start,
-- signals, used time, and what was foretold. ARGV 4: also the asks that ended.
local wanted, unmanned = ARGV[3] or '', is_unmanned()
local live = S.asks[wanted]
local foreseen = (wanted == '' or live and S.runs[live.run].state == 'waits') and forecast(live and live.run) or {}

local function standing(id, ask)
  local run = S.runs[ask.run] or read('werken', ask.run)
  local state = (ask.state or '') ~= '' and ask.state or run.state
  local place, at = unpack(state == 'waits' and foreseen[ask.run] or { 0, -1 })
  local left_at = state == 'runs' and run.worker == '' and (run.left_at or run.started) or -1
  return { id, ask.run, state, place, at or -1, run.done, run.size, ask.by, ask.at, ask.told or -1, run.started or -1, run.deaths,
    ask.why or state == 'failed' and run.why or '', left_at, unmanned,
    state == 'runs' and run.worker ~= '' and run.heard or -1 }
end
if wanted ~= '' then
  local ask = live or read('vragen', wanted)
  if not ask then return finish('unknown') end
  return finish('seen', standing(wanted, ask))
end

local asks, signals, used, asked, told = {}, {}, {}, {}, {}
for _, id in ipairs(sorted(S.asks)) do asks[#asks + 1] = standing(id, S.asks[id]) end
if ARGV[4] then
  local kept = redis.call('HGETALL', key('vragen'))
  for i = 1, #kept, 2 do asks[#asks + 1] = standing(kept[i], cmsgpack.unpack(kept[i + 1])) end
end
for _, signal in ipairs(SIGNALS) do signals[#signals + 1] = { signal, value_of(signal), S.shut[signal] == true } end
for _, by in ipairs(redis.call('HKEYS', key('gebruikt'))) do used[#used + 1] = { by, used_by(by) } end
for _, by in ipairs(redis.call('HKEYS', key('gevraagd'))) do asked[#asked + 1] = { by, #rows_of('gevraagd', by) } end
local away = {}
for _, by in ipairs(redis.call('HKEYS', key('geweigerd'))) do
  local number = 0
  for _, row in ipairs(rows_of('geweigerd', by)) do number = number + row[2] end
  away[#away + 1] = { by, number }
end
for _, row in ipairs(redis.call('LRANGE', key('voorspeld'), 0, -1)) do told[#told + 1] = cmsgpack.unpack(row) end
return finish('seen', running(), most(), asks, signals, used, asked, told, pace('alle'), late_by_why(), away, unmanned)
