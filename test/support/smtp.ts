import { type AddressInfo, createServer } from 'node:net'

/** A minimal SMTP server. `answers`: by the verb of a command, `.` for the end of a mail. */
export async function smtpServer(
  answers: Record<string, string>,
): Promise<{ port: number; received: string[]; close(): void }> {
  const received: string[] = []
  const server = createServer((socket) => {
    let inData = false
    let buffer = ''
    socket.write('220 mail.test ESMTP\r\n')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      buffer += chunk.toString()
      for (let at = buffer.indexOf('\r\n'); at >= 0; at = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, at)
        buffer = buffer.slice(at + 2)
        received.push(line)
        if (inData && line !== '.') continue
        const verb = line === '.' ? '.' : (line.split(' ')[0] ?? '').toUpperCase()
        inData = verb === 'DATA'
        socket.write(`${answers[verb] ?? (inData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 fine')}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, received, close: () => void server.close() }
}
