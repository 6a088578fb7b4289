-- A contract is agreed. ARGV: contract, workload, issuer, tier, in flight, units, state changes, seconds it lives, of its workload
-- over all its contracts: in flight, units, state changes, contracts; its pools, node, then its operations, each with prefixes.
-- Asking too much is narrowed. Answers put with what was granted, or there, closed, revoked, many or spent.
local id, workload, issuer, tier = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local cap, units, writes, ends = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), now + tonumber(ARGV[9])
local wcap, wunits, wwrites, most = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
if not is_open() then return finish('closed|0|0|0') end
if redis.call('EXISTS', key('c', id)) == 1 then return finish('there|0|0|0') end
local _, workload_barred = ban('w', workload)
local _, issuer_barred = ban('i', issuer)
if workload_barred or issuer_barred then return finish('revoked|0|0|0') end

-- What a contract was granted counts until it would have ended: giving one back and asking again gives no more.
redis.call('ZREMRANGEBYSCORE', key('w', workload), '-inf', NOW)
local living = 0
for _, other in ipairs(redis.call('ZRANGE', key('w', workload), 0, -1)) do
  local C = contract(other)
  if C then
    if not ended(C) then living = living + 1 end
    wunits, wwrites = wunits - C.units, wwrites - C.writes
  end
end
if living >= most then return finish('many|0|0|0') end
cap, units, writes = math.min(cap, wcap), math.min(units, wunits), math.max(math.min(writes, wwrites), 0)
if tier ~= 'federated' then writes = 0 end
if cap < 1 or units < 1 then return finish('spent|0|0|0') end

local operations = {}
for i = 16, #ARGV do operations[#operations + 1] = ARGV[i] end
write_contract(id, {
  'status', 'active', 'ends', exact(ends), 'cap', whole(cap), 'left', whole(units), 'wleft', whole(writes),
  'workload', workload, 'issuer', issuer, 'tier', tier, 'wcap', whole(wcap), 'pools', ARGV[14],
  'units', whole(units), 'writes', whole(writes),
}, operations)
index(id, workload, ends)
event('negotiate', { 'contract', id, 'workload', workload, 'tier', tier, 'left', whole(units), 'wleft', whole(writes),
  'node', ARGV[15] })
return finish(table.concat({ 'put', whole(cap), whole(units), whole(writes) }, '|'))
