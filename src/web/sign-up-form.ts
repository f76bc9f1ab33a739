import type { Context } from '../context.ts'
import { MAX_REASON, MAX_USERNAME, needsReason } from '../domain/auth/user-rules.ts'
import { findUsableInvite, type Invite } from '../domain/registration/invites.ts'
import { listRules, ruleIn, type ServerRule } from '../domain/server/rules.ts'
import { getSettings, type Settings } from '../domain/server/settings.ts'
import { hasTerms } from '../domain/terms/terms.ts'
import { textParam } from '../html/form-page.ts'
import { checkbox, field } from '../html/forms.ts'
import { fillText } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { newPasswordField, userParameter } from './auth-forms.ts'
import type { FormProblems } from './form-problems.ts'

export type SignUpFields = { username: string; email: string; reason: string; dateOfBirth: string; agreement: boolean }

export const EMPTY: SignUpFields = { username: '', email: '', reason: '', dateOfBirth: '', agreement: false }

export function fieldsIn(body: unknown): SignUpFields {
  const text = (name: string): string => textParam(body, 'user', name)
  return {
    username: text('username'),
    email: text('email'),
    reason: text('reason'),
    dateOfBirth: text('date_of_birth'),
    agreement: text('agreement') === '1',
  }
}

/** On what the server takes new users. */
export type Conditions = {
  settings: Settings
  rules: readonly ServerRule[]
  /** Whether there are terms of service to agree to. */
  withTerms: boolean
  invite: Invite | null
  /** An invitation was named that is unknown or has ended. */
  isInviteLost: boolean
}

export async function readConditions(ctx: Context, inviteCode: string): Promise<Conditions> {
  const [settings, rules, withTerms, invite] = await Promise.all([
    getSettings(ctx),
    listRules(ctx),
    hasTerms(ctx),
    findUsableInvite(ctx, inviteCode),
  ])
  return { settings, rules, withTerms, invite, isInviteLost: inviteCode !== '' && invite === null }
}

export type SignUpPage = Conditions & {
  t: Texts
  action: string
  filled: SignUpFields
  problems: FormProblems
  /** The fields, or facts, that make the account. */
  account: Html
  captcha: Html | null
}

export function signUpForm(page: SignUpPage, csrf: Html): Html {
  const { t, action, account, rules, invite, filled, problems, captcha } = page
  return html`<form method="post" action="${action}">${csrf}${
    invite && html`<input type="hidden" name="${userParameter('invite_code')}" value="${invite.code}">`
  }
${account}${moreFields(page)}
${rules.length > 0 && ruleList(page)}
${checkbox({ label: agreementText(page), name: userParameter('agreement'), checked: filled.agreement, error: problems.of('agreement'), required: true })}
<p class="links">${readingLinks(page)}</p>
${captcha}
<div class="actions"><button>${t.sign_up.title}</button></div>
</form>`
}

/** More than these scroll, so that the button below is not screens away. */
const RULES_AT_ONCE = 10

function ruleList({ t, rules }: SignUpPage): Html {
  const items = rules
    .map((rule) => ruleIn(rule, t.language))
    .map(
      ({ text, hint }) => html`<li><bdi>${text}</bdi>${hint !== '' && html`<br><bdi class="muted">${hint}</bdi>`}</li>`,
    )
  const list = html`<ol>${items}</ol>`
  return html`<h2 id="rules">${t.sign_up.rules}</h2>${
    rules.length > RULES_AT_ONCE
      ? html`<div class="many-rules" role="region" aria-labelledby="rules" tabindex="0">${list}</div>`
      : list
  }`
}

function agreementText({ t: { sign_up: t }, rules, withTerms }: SignUpPage): string {
  if (withTerms) return rules.length > 0 ? t.agree_with_rules_and_terms : t.agree_terms
  return rules.length > 0 ? t.agree_with_rules : t.agree
}

function readingLinks({ t: { sign_up: texts }, withTerms }: SignUpPage): Html {
  const about = html`<a href="/about" target="_blank">${texts.about}</a>`
  const policy = html`<a href="/privacy-policy" target="_blank">${texts.policy}</a>`
  const terms = html`<a href="/terms-of-service" target="_blank">${texts.terms}</a>`
  return html`${fillText(texts.read_about_and_policy, { about, policy })}${withTerms && html` ${fillText(texts.read_terms, { terms })}`}`
}

export const emailField = (t: Texts, filled: SignUpFields, problems: FormProblems): Html =>
  field(t, {
    label: t.form.email,
    name: userParameter('email'),
    type: 'email',
    value: filled.email,
    error: problems.of('email'),
    hint: t.sign_up.email_hint,
    autocomplete: 'email',
    required: true,
  })

/** For users who sign in with a password. */
export const accountFields = (ctx: Context, t: Texts, filled: SignUpFields, problems: FormProblems): Html =>
  html`${field(t, {
    label: t.form.username,
    name: userParameter('username'),
    value: filled.username,
    error: problems.of('username'),
    hint: t.sign_up.username_hint,
    suffix: `@${ctx.config.localDomain}`,
    autocomplete: 'username',
    maxLength: MAX_USERNAME,
    required: true,
    literal: true,
  })}${emailField(t, filled, problems)}${newPasswordField(t, t.form.password, problems)}`

function moreFields({ t, settings, invite, filled, problems }: SignUpPage): Html {
  const reason = settings.registrations_mode === 'approved' && invite === null
  return html`${
    settings.min_age !== null &&
    field(t, {
      label: t.sign_up.date_of_birth,
      name: userParameter('date_of_birth'),
      type: 'date',
      value: filled.dateOfBirth,
      error: problems.of('date_of_birth'),
      hint: t.sign_up.date_of_birth_hint({ years: settings.min_age }),
      autocomplete: 'bday',
      required: true,
    })
  }${
    reason &&
    field(t, {
      label: t.sign_up.reason,
      name: userParameter('reason'),
      type: 'textarea',
      value: filled.reason,
      error: problems.of('reason'),
      maxLength: MAX_REASON,
      required: needsReason(settings),
    })
  }`
}
