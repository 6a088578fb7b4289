-- The answer is in: ARGV id, units that the platform says are left (empty: it says nothing).
if not load() then return 'lost' end
local now = clock()
sweep(now)
local id, remaining = ARGV[REST], ARGV[REST + 1]
local call = read_call(id)
if not call or call[GRANTED] < 0 then return answer('unknown', now, dispatch(now)) end
if remaining ~= '' and rules.kind == 'bucket' then
  -- Answers come out of order: what the platform says may only lower ours, with what came in since that call was sent.
  local said = tonumber(remaining) + 1000 + rules.units / rules.seconds * (now - call[GRANTED])
  S.tokens = math.min(own(now), said)
  S.tokens_at = now
end
forget_call(id)
if call[STATE] == FLYING then
  S.flying = S.flying - 1
  -- How long answers take lately, for the estimates of every process: one that only waits sees no answers.
  local took = now - call[GRANTED]
  S.answers_in = (S.answers_in or took) + 0.2 * (took - (S.answers_in or took))
end
settle(id, call[COST], now)
return answer('done', now, dispatch(now))
