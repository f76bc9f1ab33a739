// What the command palette offers. Lists of screens and settings that have another use are read, not repeated.
import {
  Columns3,
  Hash,
  Keyboard,
  List,
  LogOut,
  PanelLeft,
  PenLine,
  Plus,
  SlidersHorizontal,
  UserRound,
  type IconNode,
} from 'lucide'
import type { Account, CredentialAccount } from '../api/entities.ts'
import { ACCOUNTS_PAGE, CLIENT_LINKS } from '../api/server-pages.ts'
import { applySettings, CHOICE_NAMES, CHOICES, SWITCHES } from '../appearance/choices.ts'
import { openComposer } from '../compose/open.ts'
import { otherAccounts } from '../state/other-accounts.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { accountPath } from '../ui/account-line.tsx'
import { readablePath } from '../ui/readable-path.ts'
import { signOutHere, signOutLabel, switchTo } from './account-acts.ts'
import { DESTINATIONS } from './destinations.ts'
import { showShortcuts } from './shown-dialog.ts'
import { wantedColumn } from './wanted-column.ts'

export type Command = {
  /** The palette also searches it, such as the address of a screen. */
  id: string
  label: string
  /** The kind of command, beside the label. */
  hint?: string
  icon?: IconNode
  account?: Account
  /** For settings: whether the setting is on. */
  isOn?: boolean
  /** For screens: the address. */
  path?: string
  run: () => void
}

type Place = { path: string; label: string }

export type CommandSources = {
  me: CredentialAccount
  route: (path: string) => void
  lists: readonly Place[]
  tags: readonly Place[]
}

export function commandsFrom({ me, route, lists, tags }: CommandSources): Command[] {
  const go = (place: Place): Pick<Command, 'id' | 'label' | 'path' | 'run'> => ({
    ...place,
    id: place.path,
    run: () => goTo(place.path, route),
  })
  const screens = DESTINATIONS.filter(({ isFor }) => isFor?.(me) !== false).map(
    ({ path, label, icon, hint }): Command => ({
      ...go({ path, label: label() }),
      icon,
      ...(hint ? { hint: hint() } : {}),
    }),
  )
  const places: Command[] = [
    ...screens,
    { ...go({ path: accountPath(me), label: texts.accounts.profile }), icon: UserRound },
    ...lists.map((each) => ({ ...go(each), icon: List, hint: texts.frame.lists })),
    ...tags.map((each) => ({ ...go(each), icon: Hash, hint: texts.lists.followed_tags })),
  ]
  const known = new Set(places.map(({ path }) => path))
  const pinned = settings.value.shortcuts
    .filter(({ path }) => !known.has(path))
    .map((each) => ({ ...go(each), icon: PanelLeft, hint: texts.frame.navigation }))
  return [
    { id: 'compose', label: texts.frame.compose, icon: PenLine, run: () => openComposer() },
    ...places,
    ...pinned,
    ...columnCommands([...places, ...pinned], route),
    ...accountCommands(route),
    ...settingCommands(),
  ]
}

/** A page of the server is no screen. */
export function goTo(path: string, route: (path: string) => void): void {
  if (CLIENT_LINKS.test(path)) route(path)
  else location.assign(path)
}

function columnCommands(places: readonly Command[], route: (path: string) => void): Command[] {
  return settings.value.columns.map((path) => ({
    id: `column ${path}`,
    label: places.find((each) => each.path === path)?.label ?? readablePath(path),
    hint: texts.frame.deck,
    icon: Columns3,
    run() {
      wantedColumn.value = path
      route('/deck')
    },
  }))
}

function accountCommands(route: (path: string) => void): Command[] {
  const t = texts.offline
  const others = otherAccounts.value.map((account) => ({
    id: `switch ${account.id}`,
    label: t.switch_to({ handle: account.username }),
    account,
    run: () => void switchTo(account.id),
  }))
  return [
    ...others,
    { id: 'add account', label: t.add_account, icon: Plus, run: () => goTo(ACCOUNTS_PAGE, route) },
    { id: 'sign out', label: signOutLabel(), icon: LogOut, run: () => void signOutHere() },
    { id: 'shortcuts', label: texts.appearance.shortcuts_title, icon: Keyboard, run: showShortcuts },
  ]
}

function settingCommands(): Command[] {
  const t = texts.appearance
  const choices = CHOICE_NAMES.flatMap((name) => {
    const { legend, ...labels } = t.choices[name] as Record<string, string>
    return CHOICES[name].map((value) => ({
      id: `${name} ${value}`,
      label: labels[value] ?? value,
      hint: legend ?? '',
      icon: SlidersHorizontal,
      isOn: settings.value[name] === value,
      run: () => applySettings({ [name]: value }),
    }))
  })
  const switches = SWITCHES.map((name) => ({
    id: name,
    label: t.switches[name],
    icon: SlidersHorizontal,
    isOn: settings.value[name],
    run: () => applySettings({ [name]: !settings.value[name] }),
  }))
  return [...choices, ...switches]
}
