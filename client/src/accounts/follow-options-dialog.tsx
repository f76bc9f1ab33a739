// What the viewer wants to see of an account that they follow. Each choice takes effect at once.
import { X } from 'lucide'
import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { languageName } from '../statuses/language-name.ts'
import { language, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/form.tsx'
import { follow, handleText } from './acts.ts'
import { useCached } from '../state/cached.ts'
import { closeAccountDialog } from './open.ts'
import '../ui/chips.css'
import './account-dialogs.css'

export function FollowOptionsDialog({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  const t = texts.follow_options
  return (
    <Dialog
      title={t.title({ handle: handleText(account) })}
      onClose={closeAccountDialog}
      actions={
        <Button kind="primary" onClick={closeAccountDialog}>
          {texts.accounts.done}
        </Button>
      }
    >
      <Choice
        label={texts.accounts.notify}
        hint={t.notify_hint}
        checked={relationship?.notifying === true}
        onChange={(notify) => void follow(account, { notify })}
      />
      <Choice
        label={t.show_boosts}
        hint={t.show_boosts_hint}
        checked={relationship?.showing_reblogs === true}
        onChange={(reblogs) => void follow(account, { reblogs })}
      />
      <Languages account={account} chosen={relationship?.languages ?? []} />
    </Dialog>
  )
}

const loadLanguages = () => read(api.GET('/api/v1/instance/languages'))

function Languages({ account, chosen }: { account: Account; chosen: string[] }) {
  const { value: data } = useCached('languages', loadLanguages)
  const [added, setAdded] = useState('')
  const t = texts.follow_options
  const options = (data ?? [])
    .map(({ code, name }) => ({ code, name: languageName(code, name) }))
    .filter(({ code }) => !chosen.includes(code))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
  const add = (code: string) => {
    setAdded('')
    void follow(account, { languages: [...chosen, code] })
  }
  return (
    <>
      <Field label={t.languages} hint={chosen.length === 0 ? t.languages_all : t.languages_hint}>
        {(control) => (
          <select {...control} value={added} onChange={(event) => add(event.currentTarget.value)}>
            <option value="">{t.add_language}</option>
            {options.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {chosen.length > 0 && (
        <ul class="chips">
          {chosen.map((code) => (
            <li key={code}>
              {languageName(code)}
              <IconButton
                icon={X}
                label={t.remove_language({ name: languageName(code) })}
                onClick={() => void follow(account, { languages: chosen.filter((each) => each !== code) })}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
