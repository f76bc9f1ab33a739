import pino from 'pino'
import type { TestServer } from './server.ts'

/** The lines that the server logs from now on. */
export function logLines({ ctx }: TestServer): string[] {
  const lines: string[] = []
  const inner = ctx.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = inner[pino.symbols.streamSym]
  inner[pino.symbols.streamSym] = {
    write(line) {
      lines.push(line)
      stream?.write(line)
    },
  }
  return lines
}
