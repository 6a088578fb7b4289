-- The queue begins, or begins again after its state was lost: ARGV epoch, seconds it stays closed, then session and use in turns.
if load() then return 'there' end
S = {
  epoch = ARGV[REST], now = 0, offset = 0, virtual = 0, given = 0, slot = -NEVER, blocked = 0, ages = 0,
  tokens = rules.units, tokens_at = 0, travelling = 0, flying = 0, charged = 0, heads = 0, waiting = 0, refusals = 0,
  may_until = 0, closed = 0, off = '', lease_next = NEVER, window_next = NEVER, idle_next = NEVER,
}
local now = clock()
S.tokens_at = now
S.closed = now + tonumber(ARGV[REST + 1])
for i = REST + 2, #ARGV, 3 do
  local s = read_session(ARGV[i])
  s[USED] = tonumber(ARGV[i + 1])
  s[LAST] = now - tonumber(ARGV[i + 2])
  write_session(ARGV[i], s)
  seen(ARGV[i], s[LAST])
end
return answer('done', now, NEVER)
