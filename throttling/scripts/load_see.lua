-- How it stands with an ask, or, without ARGV 3, with everything: state, waiting runs with place and start, signals, used time.
local foreseen = forecast()
local function standing(id)
  local ask = S.asks[id]
  local run = S.runs[ask.run]
  local place, at = unpack(foreseen[ask.run] or { 0, -1 })
  local state = ask.state ~= 'open' and ask.state or run.state
  return { id, ask.run, state, place, at or -1, run.done, run.size, ask.by, ask.at, ask.told or -1, run.started or -1, run.deaths }
end
if ARGV[3] then
  if not S.asks[ARGV[3]] then return finish('unknown') end
  return finish('seen', standing(ARGV[3]))
end
local asks, signals, used = {}, {}, {}
for _, id in ipairs(sorted(S.asks)) do asks[#asks + 1] = standing(id) end
for _, signal in ipairs(SIGNALS) do signals[#signals + 1] = { signal, value_of(signal), S.shut[signal] == true } end
for _, by in ipairs(sorted(S.used)) do used[#used + 1] = { by, used_by(by) } end
return finish('seen', running(), most(), asks, signals, used, S.told, S.pace)
