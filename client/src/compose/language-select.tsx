import { useEffect } from 'preact/hooks'
import { ChevronDown, Languages } from 'lucide'
import { texts } from '../texts.ts'
import { afterPause } from '../ui/after-pause.ts'
import { Icon } from '../ui/icon.tsx'
import { languageName } from '../statuses/language-name.ts'
import { changeDraft } from './current.ts'
import type { Draft } from './draft.ts'
import {
  assumedLanguage,
  detectLanguage,
  detectedLanguage,
  loadLanguages,
  recentLanguages,
  rememberLanguage,
  serverLanguages,
} from './languages.ts'

/** Milliseconds after the last change of the text. */
const DELAY = 500

export function LanguageSelect({ draft }: { draft: Draft }) {
  const t = texts.compose
  const text = draft.posts.map((post) => post.text).join('\n')
  useEffect(() => void loadLanguages(), [])
  const languages = serverLanguages.value
  useEffect(() => afterPause(DELAY, () => void detectLanguage(text)), [text, languages])
  const nameOf = (code: string | null) =>
    languages.find((each) => each.code === code)?.name ?? (code ? languageName(code) : '')
  const assumed = nameOf(assumedLanguage())
  const recent = languages.filter(({ code }) => recentLanguages.value.includes(code))
  return (
    <label class="composer-choice language-choice">
      <Icon icon={Languages} size={18} />
      <span class="visually-hidden">{t.language}</span>
      <select
        value={draft.language ?? ''}
        onChange={({ currentTarget: { value } }) => {
          if (value) rememberLanguage(value)
          changeDraft({ language: value || null })
        }}
      >
        <option value="">{detectedLanguage.value ? t.language_detected({ name: assumed }) : assumed}</option>
        {recent.length > 0 && (
          <optgroup label={t.recent_languages}>
            {recent.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={t.all_languages}>
          {languages
            .filter(({ code }) => !recentLanguages.value.includes(code))
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </optgroup>
      </select>
      <Icon icon={ChevronDown} size={16} />
    </label>
  )
}
