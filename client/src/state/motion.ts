// Whether things may move by themselves.
import { signal } from '@preact/signals'
import { identity } from './me.ts'
import { settings } from './settings.ts'

const query = matchMedia('(prefers-reduced-motion: reduce)')
const isReducedBySystem = signal(query.matches)
query.addEventListener('change', ({ matches }) => (isReducedBySystem.value = matches))

export const isMotionReduced = (): boolean => settings.value.motion === 'reduced' || isReducedBySystem.value

/** Animated images and silent videos play without being asked: a setting of this device or of the account. */
export const mayAutoplay = (): boolean =>
  !isMotionReduced() && (settings.value.autoplay || identity.value?.preferences['reading:autoplay:gifs'] === true)
