// The baseline: a node:http server that returns the same bytes to every request. Prints its port.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'

const [file = ''] = process.argv.slice(2)
const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string }
const bytes = Buffer.from(body)
const server = createServer((_request, response) => {
  response.writeHead(200, { ...headers, 'content-length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
