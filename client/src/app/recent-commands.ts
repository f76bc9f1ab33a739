// What was chosen in the command palette on this device, the newest first.
import { signal } from '@preact/signals'
import { readStored, writeStored } from '../state/storage.ts'
import type { Command } from './commands.ts'

/** `path`: of what the server has found, such as an account, which the palette does not know by itself. */
export type RecentCommand = Pick<Command, 'id' | 'label' | 'path'>

const NAME = 'recent commands'
const LIMIT = 6

export const recentCommands = signal<readonly RecentCommand[]>([])

let loaded: Promise<void> | undefined

export function loadRecentCommands(): Promise<void> {
  loaded ??= readStored<RecentCommand[]>(NAME).then((stored) => void (recentCommands.value = stored ?? []))
  return loaded
}

export async function rememberCommand({ id, label, path }: Command): Promise<void> {
  await loadRecentCommands()
  const others = recentCommands.value.filter((each) => each.id !== id)
  recentCommands.value = [{ id, label, ...(path === undefined ? {} : { path }) }, ...others].slice(0, LIMIT)
  void writeStored(NAME, recentCommands.value)
}
