// The profile as it is being edited. It stays in memory until it is saved or discarded, so leaving the screen loses nothing.
import { computed, signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import type { Profile } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { changeMe } from '../state/me.ts'

export const PROFILE_FLAGS = [
  'locked',
  'bot',
  'discoverable',
  'indexable',
  'hide_collections',
  'show_media',
  'show_media_replies',
  'show_featured',
] as const

const PROFILE_TEXTS = ['display_name', 'note', 'avatar_description', 'header_description'] as const

export type ProfileFlag = (typeof PROFILE_FLAGS)[number]
export type ProfileText = (typeof PROFILE_TEXTS)[number]
export type ProfileImage = 'avatar' | 'header'

/** `key` names the row while rows move. */
export type FieldRow = { key: number; name: string; value: string }

export type ProfileDraft = Record<ProfileText, string> &
  Record<ProfileFlag, boolean> &
  /** A new image; null removes the old one, undefined leaves it. */
  Record<ProfileImage, File | null | undefined> & {
    fields: FieldRow[]
    /** One domain in each line. */
    attribution_domains: string
  }

const saved = signal<Profile | null>(null)

export const profileDraft = signal<ProfileDraft | null>(null)

let lastKey = 0

export const newFieldRow = (name = '', value = ''): FieldRow => ({ key: (lastKey += 1), name, value })

export function changeProfileDraft(change: Partial<ProfileDraft>): void {
  if (profileDraft.value) profileDraft.value = { ...profileDraft.value, ...change }
}

function draftOf(profile: Profile): ProfileDraft {
  const { display_name, note, avatar_description, header_description, fields } = profile
  const flags = Object.fromEntries(PROFILE_FLAGS.map((flag) => [flag, profile[flag] === true]))
  return {
    ...(flags as Record<ProfileFlag, boolean>),
    display_name,
    note,
    avatar_description,
    header_description,
    fields: fields.map(({ name, value }) => newFieldRow(name, value)),
    attribution_domains: profile.attribution_domains.join('\n'),
    avatar: undefined,
    header: undefined,
  }
}

/** Whether something is not saved yet. */
export const isProfileChanged = computed(() => {
  const draft = profileDraft.value
  if (!draft || !saved.value) return false
  return [...formOf(draft, saved.value).keys()].length > 0 || draft.avatar === null || draft.header === null
})

/** The image that a profile has now; null for none. */
export const savedImage = (image: ProfileImage): string | null => saved.value?.[image] ?? null

/** When the server has verified the link of a field that is as it was saved. */
export const verifiedAt = ({ name, value }: FieldRow): string | null =>
  saved.value?.fields.find((field) => field.name === name && field.value === value)?.verified_at ?? null

/** An unsaved draft stays as it is. */
export async function loadProfileDraft(): Promise<void> {
  const profile = await read(api.GET('/api/v1/profile'))
  const isUntouched = !isProfileChanged.peek()
  saved.value = profile
  if (isUntouched) profileDraft.value = draftOf(profile)
}

/** Returns the function that brings the changes back. */
export function discardProfileDraft(): () => void {
  const draft = profileDraft.value
  if (saved.value) profileDraft.value = draftOf(saved.value)
  return () => void (profileDraft.value = draft)
}

/** What the draft changes. */
function formOf(draft: ProfileDraft, before: Profile): FormData {
  const form = new FormData()
  for (const name of PROFILE_TEXTS) if (draft[name] !== before[name]) form.set(name, draft[name])
  for (const name of PROFILE_FLAGS) if (draft[name] !== (before[name] === true)) form.set(name, String(draft[name]))
  for (const name of ['avatar', 'header'] as const) if (draft[name]) form.set(name, draft[name])
  setDomains(form, draft, before)
  const filled = draft.fields.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
  const isSame =
    filled.length === before.fields.length &&
    filled.every(({ name, value }, row) => before.fields[row]?.name === name && before.fields[row]?.value === value)
  if (isSame) return form
  // Without fields, one empty field removes all.
  for (const [row, { name, value }] of (filled.length > 0 ? filled : [newFieldRow()]).entries()) {
    form.set(`fields_attributes[${row}][name]`, name)
    form.set(`fields_attributes[${row}][value]`, value)
  }
  return form
}

function setDomains(form: FormData, draft: ProfileDraft, before: Profile): void {
  const domains = draft.attribution_domains.split(/[\s,]+/).filter(Boolean)
  if (domains.join() === before.attribution_domains.join()) return
  // One empty domain removes all.
  for (const domain of domains.length > 0 ? domains : ['']) form.append('attribution_domains[]', domain)
}

/** Throws ApiError; the draft then is as before. */
export async function saveProfileDraft(): Promise<void> {
  const draft = profileDraft.value
  if (!draft || !saved.value) return
  const form = formOf(draft, saved.value)
  if ([...form.keys()].length > 0) await read(api.PATCH('/api/v1/profile', { body: form }))
  if (draft.avatar === null) await read(api.DELETE('/api/v1/profile/avatar'))
  if (draft.header === null) await read(api.DELETE('/api/v1/profile/header'))
  const [profile, me] = await Promise.all([
    read(api.GET('/api/v1/profile')),
    read(api.GET('/api/v1/accounts/verify_credentials')),
  ])
  saved.value = profile
  profileDraft.value = draftOf(profile)
  changeMe(me)
  storeAccount(me)
}
