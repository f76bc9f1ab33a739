// What belongs to a status and has an address of its own.
import { HistoryScreen } from './history-screen.tsx'
import { AccountsScreen, QuotesScreen } from './interaction-screens.tsx'
import type { StatusPart } from './links.ts'

export function StatusSection({ id, part }: { id: string; part: StatusPart }) {
  if (part === 'history') return <HistoryScreen id={id} />
  if (part === 'quotes') return <QuotesScreen id={id} />
  return <AccountsScreen id={id} kind={part === 'reblogs' ? 'reblogged_by' : 'favourited_by'} />
}
