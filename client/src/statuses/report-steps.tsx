// The steps of a report.
import type { Account, Status } from '../api/entities.ts'
import { useLoaded } from '../state/loaded.ts'
import { useInstance } from '../state/me.ts'
import { language, texts } from '../texts.ts'
import { Choice, Field } from '../ui/form.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { loadReportable, type ReportCategory, type ReportDraft } from './report.ts'

export type StepProps = {
  account: Account
  /** The post that the report began at. */
  status: Status | null
  draft: ReportDraft
  change: (change: Partial<ReportDraft>) => void
}

const CATEGORIES = Object.keys({
  dislike: true,
  spam: true,
  legal: true,
  violation: true,
  other: true,
} satisfies Record<ReportCategory, true>) as ReportCategory[]

/** Adds or removes an id. */
const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]

export function CategoryStep({ draft, change }: StepProps) {
  const t = texts.statuses.report
  return (
    <fieldset class="dialog-choices">
      <legend>{t.category}</legend>
      {CATEGORIES.map((category) => (
        <Choice
          key={category}
          type="radio"
          name="category"
          label={t.categories[category]}
          hint={t.category_hints[category]}
          checked={draft.category === category}
          onChange={() => change({ category })}
        />
      ))}
    </fieldset>
  )
}

export function RulesStep({ draft, change }: StepProps) {
  const { rules } = useInstance()
  return (
    <fieldset class="dialog-choices">
      <legend>{texts.statuses.report.rules}</legend>
      {rules.map(({ id, text, hint, translations }) => (
        <Choice
          key={id}
          label={<bdi>{translations[language]?.text ?? text}</bdi>}
          hint={translations[language]?.hint ?? hint}
          checked={draft.ruleIds.includes(id)}
          onChange={() => change({ ruleIds: toggled(draft.ruleIds, id) })}
        />
      ))}
    </fieldset>
  )
}

export function StatusesStep({ account, status: reported, draft, change }: StepProps) {
  const loaded = useLoaded(() => loadReportable(account, reported), [account.id])
  const { value: statuses } = loaded
  if (!statuses) return <LoadingOrFailed loaded={loaded} />
  return (
    <fieldset class="dialog-choices">
      <legend>{texts.statuses.report.statuses}</legend>
      {statuses.map((status) => (
        <Choice
          key={status.id}
          label={<ReportableStatus status={status} />}
          checked={draft.statusIds.includes(status.id)}
          onChange={() => change({ statusIds: toggled(draft.statusIds, status.id) })}
        />
      ))}
      {statuses.length === 0 && <p>{texts.statuses.report.no_statuses}</p>}
    </fieldset>
  )
}

function ReportableStatus({ status }: { status: Status }) {
  const media = status.media_attachments.length
  return (
    <span class="reportable">
      <small>
        <RelativeTime at={status.created_at} />
        {media > 0 && ` · ${texts.statuses.media_count({ count: media })}`}
      </small>
      {status.spoiler_text && <strong dir="auto">{status.spoiler_text}</strong>}
      <RichText html={status.content} emojis={status.emojis} language={status.language} />
    </span>
  )
}

export function CommentStep({ account, draft, change }: StepProps) {
  const t = texts.statuses.report
  const host = account.acct.split('@')[1]
  return (
    <>
      <Field label={t.comment} hint={t.comment_hint}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            maxLength={1000}
            dir="auto"
            value={draft.comment}
            onInput={({ currentTarget }) => change({ comment: currentTarget.value })}
          />
        )}
      </Field>
      {host && (
        <Choice
          label={t.forward({ host })}
          hint={t.forward_hint}
          checked={draft.forward}
          onChange={(forward) => change({ forward })}
        />
      )}
    </>
  )
}
