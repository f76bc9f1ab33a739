// The settings of this device that the viewer chooses, with their values.
import { changeSettings, type ClientSettings } from '../state/settings.ts'
import { homeTimeline } from '../timelines/home.tsx'
import { timelineOf } from '../timelines/timelines.ts'

export type Choices = {
  [K in keyof ClientSettings]: ClientSettings[K] extends string ? K : never
}[keyof ClientSettings]
type Flags = { [K in keyof ClientSettings]: ClientSettings[K] extends boolean ? K : never }[keyof ClientSettings]
export type Switches = Exclude<Flags, 'hidesFirstSteps'>

/** One record per choice: its values in the order of display. */
export const CHOICES: { [K in Choices]: readonly ClientSettings[K][] } = {
  theme: ['system', 'light', 'dark'],
  accent: ['indigo', 'blue', 'teal', 'copper', 'pink', 'graphite'],
  contrast: ['normal', 'high'],
  density: ['comfortable', 'compact'],
  motion: ['system', 'reduced'],
  media: ['default', 'show_all', 'hide_all'],
}

export const CHOICE_NAMES = Object.keys(CHOICES) as Choices[]

export const SWITCHES: readonly Switches[] = [
  'hideBoosts',
  'hideReplies',
  'hideQuotes',
  'groupBoosts',
  'sidePanel',
  'hideCounts',
  'autoplay',
  'confirmBoost',
  'confirmDelete',
  'confirmUnfollow',
  'requireAltText',
]

/** The switches that leave posts out of the home timeline. */
const OF_HOME: readonly Switches[] = ['hideBoosts', 'hideReplies', 'hideQuotes']

export function applySettings(change: Partial<ClientSettings>): void {
  changeSettings(change)
  if (OF_HOME.some((name) => name in change)) timelineOf(homeTimeline).restart()
}

export const FONT_SIZES: readonly number[] = [87.5, 100, 112.5, 125, 150]
