-- Somebody does not want it any more. ARGV: ask. Answers the state of the ask, or unknown; the run stops with its last ask.
local id, ask = ARGV[3], S.asks[ARGV[3]]
if not ask then
  local kept = read('vragen', id)
  if not kept then return finish('unknown') end
  return finish(kept.state ~= '' and kept.state or read('werken', kept.run).state, kept.run)
end
keep_ask(id, ask, 'cancelled')
if #open_asks(ask.run) == 0 then unwanted(ask.run) end
start_who_may()
return finish('cancelled', ask.run)
