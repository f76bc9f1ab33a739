// The commands for what is typed: recent ones first, then those that match, then what the server finds.
import { Hash, History, Search } from 'lucide'
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { searchPath } from '../search/search-path.ts'
import { suggestFound } from '../search/suggest.ts'
import { useMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { accountPath } from '../ui/account-line.tsx'
import { afterPause } from '../ui/after-pause.ts'
import { plainName } from '../ui/emoji-text.tsx'
import { tagPath } from '../ui/tag-path.ts'
import { filterCommands } from './command-filter.ts'
import { commandsFrom, goTo, type Command } from './commands.ts'
import { useFollowed } from './followed.ts'
import { recentCommands } from './recent-commands.ts'

/** Milliseconds after the last key. */
const DELAY = 200

/** More would only be scrolled past: a further letter finds them. */
const MOST = 60

export function useCommands(text: string): Command[] {
  const { route } = useLocation()
  const own = commandsFrom({ me: useMe(), route, ...useFollowed() })
  const recent = recentCommands.value.flatMap(({ id, label, path }) => {
    const command = own.find((each) => each.id === id)
    if (command) return command
    return path === undefined ? [] : { id, label, path, icon: History, run: () => goTo(path, route) }
  })
  const found = useFound(text, route)
  const typed = text.trim()
  if (typed === '') return unique([...recent, ...own]).slice(0, MOST)
  return [
    ...unique([...filterCommands(recent, typed), ...filterCommands(own, typed), ...found]).slice(0, MOST),
    {
      id: 'search for',
      label: texts.palette.search_for({ query: typed }),
      icon: Search,
      run: () => route(searchPath(typed, null)),
    },
  ]
}

/** The first with each id. */
function unique(commands: readonly Command[]): Command[] {
  const byId = new Map<string, Command>()
  for (const command of commands) if (!byId.has(command.id)) byId.set(command.id, command)
  return [...byId.values()]
}

/** Accounts and hashtags that the server finds. Where it cannot be asked, the rest is offered. */
function useFound(text: string, route: (path: string) => void): Command[] {
  const [found, setFound] = useState<{ for: string; commands: Command[] }>({ for: '', commands: [] })
  useEffect(
    () =>
      afterPause(DELAY, (signal) => {
        findCommands(text, route, signal).then((commands) => {
          if (!signal.aborted) setFound({ for: text, commands })
        }, console.info)
      }),
    [text],
  )
  // Enter must not take what was found for fewer letters.
  return found.for === text ? found.commands : []
}

async function findCommands(text: string, route: (path: string) => void, signal: AbortSignal): Promise<Command[]> {
  const token = { start: 0, end: text.length, text }
  const suggestions = await suggestFound(text, token, signal)
  return suggestions.flatMap((each): Command | [] => {
    if (each.kind === 'account') {
      const path = accountPath(each.account)
      return {
        id: path,
        path,
        label: plainName(each.account),
        hint: `@${each.account.acct}`,
        account: each.account,
        run: () => route(path),
      }
    }
    if (each.kind !== 'tag') return []
    const path = tagPath(each.name)
    return { id: path, path, label: `#${each.name}`, icon: Hash, run: () => route(path) }
  })
}
