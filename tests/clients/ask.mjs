// Asks one endpoint with the TypeScript SDK's client and prints as JSON what it saw: node ask.mjs older|modern ADDRESS

const [generation, address] = process.argv.slice(2)
const me = { name: 'besluitbron-test', version: '1' }

async function connected () {
  if (generation === 'older') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const client = new Client(me)
    const transport = new StreamableHTTPClientTransport(new URL(address))
    await client.connect(transport)
    return { client, transport, call: (params, options) => client.callTool(params, undefined, options) }
  }
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client(me, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL(address))
  await client.connect(transport)
  return { client, transport, call: (params, options) => client.callTool(params, options) }
}

const { client, transport, call } = await connected()
const seen = { instructions: client.getInstructions(), server: client.getServerVersion()?.name }
seen.session = Boolean(transport.sessionId)
seen.version = transport.protocolVersion ?? client.getNegotiatedProtocolVersion?.()
seen.tools = (await client.listTools()).tools.map(tool => tool.name)

const said = await call({ name: 'zeg', arguments: { woord: 'hallo' } })
seen.said = said.content[0].text
seen.data = said.structuredContent
seen.handle = Boolean(said._meta?.['besluitbron/gesprek'])

const wrong = await call({ name: 'zeg', arguments: { woordd: 'hallo' } })
seen.wrong = [wrong.isError, wrong.content[0].text]

const abort = new AbortController()
seen.told = []
try {
  await call({ name: 'wacht', arguments: { woord: 'a' } }, {
    signal: abort.signal,
    onprogress: ({ message }) => {
      seen.told.push(message)
      if (seen.told.length === 2) abort.abort()
    }
  })
} catch (error) {
  seen.aborted = error.name
}
if (generation === 'older') await transport.terminateSession()
await client.close()
console.log(JSON.stringify(seen))
