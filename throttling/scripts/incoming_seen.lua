-- The last hour of what came in: answers name and number of each count, an empty text, then key and number of the busiest keys.
local time = tonumber(redis.call('TIME')[1])
local function summed(kind, seconds, times, read)
  local sums, found = {}, {}
  local last = math.floor(time / seconds)
  for number = last - times + 1, last do
    local rows = redis.call(unpack(read(KEYS[1] .. kind .. number)))
    for i = 1, #rows, 2 do sums[rows[i]] = (sums[rows[i]] or 0) + tonumber(rows[i + 1]) end
  end
  for name, sum in pairs(sums) do found[#found + 1] = { name, sum } end
  table.sort(found, function(one, other) return one[2] > other[2] or one[2] == other[2] and one[1] < other[1] end)
  return found
end
local answer = {}
local function add(found, most)
  for i = 1, math.min(#found, most) do
    answer[#answer + 1] = found[i][1]
    answer[#answer + 1] = string.format('%.0f', found[i][2])
  end
end
add(summed('m:', 60, 60, function(key) return { 'HGETALL', key } end), 1000)
answer[#answer + 1] = ''
add(summed('k:', 600, 6, function(key) return { 'ZREVRANGE', key, 0, 99, 'WITHSCORES' } end), 20)
return answer
