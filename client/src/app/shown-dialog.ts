import { signal } from '@preact/signals'

/** The dialogs that keys open over any screen. */
export type ShownDialog = 'help' | 'palette'

export const shownDialog = signal<ShownDialog | null>(null)

export const showShortcuts = (): void => void (shownDialog.value = 'help')
export const showPalette = (): void => void (shownDialog.value = 'palette')
