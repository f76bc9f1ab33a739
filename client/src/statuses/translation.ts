// Translations of statuses by the server's service.
import { signal, type Signal } from '@preact/signals'
import type { Status, Translation } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { identity } from '../state/me.ts'
import { RecentMap } from '../state/recent-map.ts'
import { language } from '../texts.ts'
import { showError } from '../ui/toasts.tsx'
import { baseOf } from './language-name.ts'
import { isPublic } from './visibility.tsx'

type TranslationState = { translation: Translation | null; isShown: boolean; isLoading: boolean }

const states = new RecentMap<Signal<TranslationState>>(1000)

/** The translation of this version of the status. */
export const translationOf = ({
  id,
  edited_at: editedAt,
}: Pick<Status, 'id' | 'edited_at'>): Signal<TranslationState> =>
  states.getOr(`${id} ${editedAt ?? ''}`, () => signal({ translation: null, isShown: false, isLoading: false }))

/** The server translates what everyone may see, into other languages than that of the status. */
export function isTranslatable({ visibility, language: from, content, spoiler_text: warning }: Status): boolean {
  const isEnabled = identity.value?.instance.configuration.translation.enabled === true
  return (
    isEnabled &&
    isPublic(visibility) &&
    from !== null &&
    baseOf(from) !== baseOf(language) &&
    Boolean(content || warning)
  )
}

/** Translates once; afterwards shows and hides what is there. */
export async function toggleTranslation(status: Status): Promise<void> {
  const { id } = status
  const state = translationOf(status)
  if (state.value.isLoading) return
  if (state.value.translation) {
    state.value = { ...state.value, isShown: !state.value.isShown }
    return
  }
  state.value = { ...state.value, isLoading: true }
  try {
    const request = { params: { path: { id } }, body: { lang: language } }
    const translation = await read(api.POST('/api/v1/statuses/{id}/translate', request))
    state.value = { translation, isShown: true, isLoading: false }
  } catch (error) {
    state.value = { ...state.value, isLoading: false }
    showError(error)
  }
}

/** The status as its translation says it. */
export function translate(
  status: Status,
  { content, spoiler_text, language: to, media_attachments }: Translation,
): Status {
  const descriptions = new Map(media_attachments.map(({ id, description }) => [id, description]))
  return {
    ...status,
    content,
    spoiler_text,
    language: to,
    media_attachments: status.media_attachments.map((media) => ({
      ...media,
      description: descriptions.get(media.id) ?? media.description,
    })),
  }
}
