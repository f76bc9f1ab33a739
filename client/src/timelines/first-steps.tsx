// What a new account does first. It stands above the home timeline until it is done or hidden.
import { Circle, CircleCheck, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { openComposer } from '../compose/open.ts'
import { findAccount } from '../state/accounts.ts'
import { reloadMe, useMe } from '../state/me.ts'
import { changeSettings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import './first-steps.css'

export function FirstSteps() {
  const me = useMe()
  // Each post brings the author's new counts.
  const { statuses_count: posts } = findAccount(me.id)?.value ?? me
  const t = texts.timelines
  useEffect(() => void reloadMe(), [])
  const hasProfile = me.note !== '' && !me.avatar.endsWith('/missing.png')
  return (
    <section class="first-steps" aria-label={t.first_steps}>
      <div class="first-steps-header">
        <h2>{t.first_steps}</h2>
        <IconButton icon={X} label={t.hide_first_steps} onClick={() => changeSettings({ hidesFirstSteps: true })} />
      </div>
      <ol>
        <Step title={t.step_profile} hint={t.step_profile_hint} isDone={hasProfile}>
          <a class="button secondary" href="/profile/edit">
            {texts.accounts.edit_profile}
          </a>
        </Step>
        <Step title={t.step_follow} hint={t.step_follow_hint} isDone={me.following_count > 0}>
          <a class="button secondary" href="/search">
            {texts.frame.search}
          </a>
          <a class="button secondary" href="/explore/people">
            {t.step_suggestions}
          </a>
        </Step>
        <Step title={t.step_post} hint={t.step_post_hint} isDone={posts > 0}>
          <Button onClick={() => openComposer()}>{texts.frame.compose}</Button>
        </Step>
      </ol>
      <p>
        <strong>{t.step_import}</strong> <a href="/settings/import">{t.step_import_hint}</a>
      </p>
    </section>
  )
}

type StepProps = { title: string; hint: string; isDone: boolean; children: ComponentChildren }

function Step({ title, hint, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'done' : ''}>
      <Icon icon={isDone ? CircleCheck : Circle} />
      <div>
        <strong>{title}</strong>
        {isDone ? (
          <span class="visually-hidden">{texts.timelines.step_done}</span>
        ) : (
          <>
            <p>{hint}</p>
            <div class="buttons first-steps-actions">{children}</div>
          </>
        )}
      </div>
    </li>
  )
}
