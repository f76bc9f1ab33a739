import { pino, type Logger } from 'pino'

export type Log = Logger

export function createLog(level: string, to: 'stdout' | 'stderr' = 'stdout'): Log {
  const options = {
    level,
    redact: {
      paths: [
        'password',
        '*.password',
        'token',
        '*.token',
        'authorization',
        '*.authorization',
        'headers.authorization',
        'headers.cookie',
        '*.headers.authorization',
        '*.headers.cookie',
        'client_secret',
        '*.client_secret',
      ],
      censor: '[removed]',
    },
  }
  const output = pino.destination({ dest: to === 'stderr' ? 2 : 1, sync: true })
  // Otherwise the first line on a full disk would end the process. Lines wait for room.
  output.on('error', () => {})
  return pino(options, output)
}
