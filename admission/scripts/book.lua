-- How a contract comes to stand in the store.
local function write_contract(id, fields, operations)
  local place = key('c', id)
  local number = redis.call('INCR', key('n'))
  redis.call('HSET', place, 'number', number, 'run', RUN, unpack(fields))
  for i = 1, #operations, 2 do redis.call('HSET', place, 'op:' .. operations[i], operations[i + 1]) end
end

-- What ended long ago is forgotten; until then who comes with it hears why.
local function index(id, workload, ends)
  redis.call('ZADD', key('w', workload), exact(ends), id)
  redis.call('ZADD', key('ends'), exact(ends), id)
  redis.call('EXPIRE', key('c', id), math.ceil(ends - now) + KEPT)
end
