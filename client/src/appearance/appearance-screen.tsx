// How the client looks and behaves on this device. Everything else is on the server's own pages.
import { useState } from 'preact/hooks'
import type { ClientTexts } from '../../../src/messages/en/client/texts.ts'
import { changeSettings, settings } from '../state/settings.ts'
import { percentText, texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { applySettings, CHOICE_NAMES, CHOICES, FONT_SIZES, SWITCHES, type Choices } from './choices.ts'
import { SettingsFile } from './settings-file.tsx'
import './appearance.css'

type Texts = ClientTexts['appearance']

export function AppearanceScreen() {
  const t = texts.appearance
  return (
    <Page title={t.title}>
      <div class="appearance">
        <p>{t.this_device}</p>
        {CHOICE_NAMES.map((name) => (
          <Choice key={name} name={name} />
        ))}
        <FontSize />
        <fieldset>
          <legend>{t.behaviour}</legend>
          {SWITCHES.map((name) => (
            <label key={name} class="switch">
              <input
                type="checkbox"
                checked={settings.value[name]}
                onChange={(event) => applySettings({ [name]: event.currentTarget.checked })}
              />
              {t.switches[name]}
            </label>
          ))}
        </fieldset>
        <SettingsFile />
        <section>
          <h2>{t.server_settings}</h2>
          <ul>
            <li>
              <a href="/settings">{t.account_settings}</a>
            </li>
            <li>
              <a href="/settings/preferences">{t.preferences}</a>
            </li>
          </ul>
        </section>
      </div>
    </Page>
  )
}

function Choice<K extends Choices>({ name }: { name: K }) {
  const { legend, ...labels } = texts.appearance.choices[name] as Record<string, string>
  return (
    <fieldset>
      <legend>{legend}</legend>
      {CHOICES[name].map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={settings.value[name] === value}
            onChange={() => changeSettings({ [name]: value })}
          />
          {name === 'accent' && <span class="accent-sample" data-accent={value} />}
          {labels[value]}
        </label>
      ))}
    </fieldset>
  )
}

function FontSize() {
  const t: Texts = texts.appearance
  const [shown, setShown] = useState(settings.value.fontSize)
  return (
    <fieldset>
      <legend>{t.font_size}</legend>
      <input
        type="range"
        aria-label={t.font_size}
        aria-valuetext={percentText(shown)}
        min="0"
        max={FONT_SIZES.length - 1}
        value={Math.max(0, FONT_SIZES.indexOf(shown))}
        onInput={(event) => setShown(FONT_SIZES[Number(event.currentTarget.value)] ?? 100)}
        onChange={() => changeSettings({ fontSize: shown })}
      />
      <output>{percentText(shown)}</output>
    </fieldset>
  )
}
