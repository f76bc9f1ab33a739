// Editing one's own profile, with a preview.
import { Eye, Pencil } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import { useWarning } from '../state/form-draft.ts'
import { useInstance } from '../state/me.ts'
import { fullNumber, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field, TextField } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { offerUndo } from '../ui/optimistic.ts'
import { showError, showToast } from '../ui/toasts.tsx'
import { EditAttribution } from './edit-attribution.tsx'
import { EditFields } from './edit-fields.tsx'
import { EditImages } from './edit-images.tsx'
import { EditTags } from './edit-tags.tsx'
import {
  changeProfileDraft,
  discardProfileDraft,
  isProfileChanged,
  loadProfileDraft,
  profileDraft,
  saveProfileDraft,
  type ProfileDraft,
  type ProfileFlag,
} from './profile-draft.ts'
import { ProfilePreview } from './profile-preview.tsx'
import './edit-profile.css'
import './profile-header.css'

export function EditProfileScreen() {
  const [error, setError] = useState<unknown>(null)
  const [errors, setErrors] = useState<ApiError['details']>({})
  const [isPreview, setPreview] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const isChanged = isProfileChanged.value
  useWarning(isChanged)
  const t = texts.profile_edit
  const load = () => void loadProfileDraft().then(() => setError(null), setError)
  useEffect(load, [])
  const save = async () => {
    setSaving(true)
    setErrors({})
    try {
      await saveProfileDraft()
      showToast(t.saved)
    } catch (failed) {
      if (failed instanceof ApiError) setErrors(failed.details)
      setPreview(false)
      showError(failed)
    }
    setSaving(false)
  }
  const actions = profileDraft.value && (
    <Button icon={isPreview ? Pencil : Eye} onClick={() => setPreview(!isPreview)}>
      {isPreview ? t.edit : t.preview}
    </Button>
  )
  return (
    <Page title={texts.accounts.edit_profile} actions={actions}>
      {!profileDraft.value ? (
        <LoadingOrFailed loaded={{ error, reload: load }} />
      ) : (
        <>
          {isPreview ? <ProfilePreview /> : <ProfileForm errors={errors} isSaving={isSaving} />}
          <div class="edit-bar">
            <span role="status">{isChanged ? t.unsaved : ''}</span>
            <Button disabled={!isChanged || isSaving} onClick={() => offerUndo(t.discarded, discardProfileDraft())}>
              {t.discard}
            </Button>
            <Button kind="primary" disabled={!isChanged || isSaving} onClick={() => void save()}>
              {t.save}
            </Button>
          </div>
        </>
      )}
    </Page>
  )
}

/** `isSaving`: what is typed meanwhile would be lost. */
function ProfileForm({ errors, isSaving }: { errors: ApiError['details']; isSaving: boolean }) {
  const draft = profileDraft.value as ProfileDraft
  const { max_display_name_length: nameLimit, max_note_length: noteLimit } = useInstance().configuration.accounts
  const t = texts.profile_edit
  const left = (text: string, limit: number): string => t.left({ count: fullNumber(limit - [...text].length) })
  return (
    <form inert={isSaving} onSubmit={(event) => event.preventDefault()}>
      <EditImages errors={errors} />
      <div class="edit-section">
        <TextField
          label={t.display_name}
          hint={left(draft.display_name, nameLimit)}
          errors={errors.display_name}
          value={draft.display_name}
          onText={(display_name) => changeProfileDraft({ display_name })}
        />
        <Field label={t.note} hint={`${t.note_hint} ${left(draft.note, noteLimit)}`} errors={errors.note}>
          {(control) => (
            <textarea
              {...control}
              dir="auto"
              rows={5}
              value={draft.note}
              onInput={(event) => changeProfileDraft({ note: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <EditFields errors={errors.fields} />
      <EditTags />
      <Flags title={t.discovery} flags={['locked', 'discoverable', 'indexable', 'hide_collections', 'bot']} />
      <EditAttribution errors={errors.attribution_domains} />
      <Flags title={t.shown} flags={['show_media', 'show_media_replies', 'show_featured']} />
      <nav class="edit-section" aria-label={t.elsewhere}>
        <h2>{t.elsewhere}</h2>
        <ul>
          {(['import', 'export', 'migration', 'aliases'] as const).map((page) => (
            <li key={page}>
              <a href={`/settings/${page}`}>{t.pages[page]}</a>
            </li>
          ))}
          <li>
            <a href="/settings/preferences">{texts.appearance.preferences}</a>
          </li>
          <li>
            <a href="/endorsements">{texts.accounts.endorsements}</a>
          </li>
        </ul>
      </nav>
    </form>
  )
}

function Flags({ title, flags }: { title: string; flags: ProfileFlag[] }) {
  const draft = profileDraft.value as ProfileDraft
  const t = texts.profile_edit
  return (
    <fieldset class="edit-section">
      <legend>{title}</legend>
      {flags.map((flag) => (
        <Choice
          key={flag}
          label={t.flags[flag]}
          hint={t.flag_hints[flag]}
          checked={draft[flag]}
          onChange={(checked) => changeProfileDraft({ [flag]: checked })}
        />
      ))}
    </fieldset>
  )
}
