// The websites that may name the viewer as the author of their pages.
import { useMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Field } from '../ui/form.tsx'
import { CopiedCode } from './copied-code.tsx'
import { changeProfileDraft, profileDraft } from './profile-draft.ts'

export function EditAttribution({ errors }: { errors: readonly string[] | undefined }) {
  const t = texts.profile_edit
  const { username, url, uri } = useMe()
  const handle = `@${username}@${new URL(url ?? uri).host}`
  return (
    <fieldset class="edit-section">
      <legend>{t.attribution}</legend>
      <p>{t.attribution_text}</p>
      <Field label={t.attribution_domains} hint={t.attribution_domains_hint} errors={errors}>
        {(control) => (
          <textarea
            {...control}
            dir="ltr"
            rows={3}
            spellcheck={false}
            autocapitalize="none"
            value={profileDraft.value?.attribution_domains ?? ''}
            onInput={(event) => changeProfileDraft({ attribution_domains: event.currentTarget.value })}
          />
        )}
      </Field>
      <details class="verification">
        <summary>{t.attribution_code}</summary>
        <CopiedCode code={`<meta name="fediverse:creator" content="${handle}">`} />
      </details>
    </fieldset>
  )
}
