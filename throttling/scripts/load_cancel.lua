-- Somebody does not want it any more. ARGV: ask. Answers the state of the ask, or unknown; the run stops with its last ask.
local ask = S.asks[ARGV[3]]
if not ask then return finish('unknown') end
local run = S.runs[ask.run]
if ask.state ~= 'open' or run.state ~= 'waits' and run.state ~= 'runs' then
  return finish(ask.state == 'open' and run.state or ask.state, ask.run)
end
ask.state = 'cancelled'
changed()
if #open_asks(ask.run) == 0 then
  if run.state == 'waits' then
    run.state, run.ended = 'stopped', now
  elseif run.worker == '' then
    end_run(ask.run, 'stopped')
  else
    run.stop = true
  end
end
start_who_may()
return finish('cancelled', ask.run)
