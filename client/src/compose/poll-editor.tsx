// The poll of a post.
import { ChevronDown, ChevronUp, GripVertical, Plus, X } from 'lucide'
import { useRef } from 'preact/hooks'
import { useInstance } from '../state/me.ts'
import { durationText, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { focusLast } from '../ui/focus-last.ts'
import { Choice } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { moved } from '../ui/moved.ts'
import { changePost, currentDraft, removePoll } from './current.ts'
import { isSamePoll, type DraftPoll, type DraftPost } from './draft.ts'
import { problemOfOption } from './poll-rules.ts'
import { useSortable } from './use-sortable.ts'
import './poll-editor.css'

/** Seconds. */
const DURATIONS = [300, 1800, 3600, 21_600, 43_200, 86_400, 259_200, 604_800, 1_209_600, 2_592_000]

export const emptyPoll = (): DraftPoll => ({ options: ['', ''], expiresIn: 86_400, multiple: false, hideTotals: false })

type PollEditorProps = { post: DraftPost; poll: DraftPoll }

export function PollEditor({ post, poll }: PollEditorProps) {
  const t = texts.compose
  const { polls: limits } = useInstance().configuration
  const list = useRef<HTMLOListElement>(null)
  const draft = currentDraft.value
  const losesVotes = draft?.edited?.poll && draft.edited.poll.votes_count > 0 && !isSamePoll(draft, poll)
  const change = (changed: Partial<DraftPoll>) => changePost(post.key, { poll: { ...poll, ...changed } })
  const move = (from: number, to: number) => change({ options: moved(poll.options, from, to) })
  useSortable(list, poll.options.length, { onMove: move, handle: '.poll-handle' })
  return (
    <fieldset class="poll-editor">
      <legend class="visually-hidden">{t.poll}</legend>
      <ol ref={list} class="poll-options">
        {poll.options.map((option, index) => (
          <PollOption
            key={index}
            option={option}
            index={index}
            count={poll.options.length}
            problem={problemOfOption(poll, index, limits.max_characters_per_option)}
            onText={(text) => change({ options: poll.options.with(index, text) })}
            onMove={(to) => move(index, to)}
            onRemove={() => change({ options: poll.options.toSpliced(index, 1) })}
          />
        ))}
      </ol>
      {poll.options.length < limits.max_options && (
        <Button
          kind="quiet"
          icon={Plus}
          onClick={() => {
            change({ options: [...poll.options, ''] })
            focusLast(list.current, 'li input')
          }}
        >
          {t.add_option}
        </Button>
      )}
      {losesVotes && (
        <p class="draft-error" role="status">
          {t.poll_reset}
        </p>
      )}
      <PollSettings post={post} poll={poll} change={change} />
    </fieldset>
  )
}

type PollSettingsProps = PollEditorProps & { change: (changed: Partial<DraftPoll>) => void }

function PollSettings({ post, poll, change }: PollSettingsProps) {
  const t = texts.compose
  const { polls: limits } = useInstance().configuration
  const durations = [...new Set([...DURATIONS, poll.expiresIn])]
    .filter((each) => each >= limits.min_expiration && each <= limits.max_expiration)
    .toSorted((a, b) => a - b)
  return (
    <div class="poll-settings">
      <label>
        {t.poll_duration}
        <select
          value={poll.expiresIn}
          onChange={({ currentTarget }) => change({ expiresIn: Number(currentTarget.value) })}
        >
          {durations.map((seconds) => (
            <option key={seconds} value={seconds}>
              {durationText(seconds)}
            </option>
          ))}
        </select>
      </label>
      <Choice label={t.poll_multiple} checked={poll.multiple} onChange={(multiple) => change({ multiple })} />
      <Choice label={t.poll_hide_totals} checked={poll.hideTotals} onChange={(hideTotals) => change({ hideTotals })} />
      <Button kind="quiet" icon={X} onClick={() => removePoll(post)}>
        {t.remove_poll}
      </Button>
    </div>
  )
}

type PollOptionProps = {
  option: string
  index: number
  count: number
  problem: string | null
  onText: (text: string) => void
  onMove: (to: number) => void
  onRemove: () => void
}

function PollOption({ option, index, count, problem, onText, onMove, onRemove }: PollOptionProps) {
  const t = texts.compose
  const number = index + 1
  return (
    <li class="poll-option">
      <span class="poll-handle" aria-hidden="true">
        <Icon icon={GripVertical} size={18} />
      </span>
      <span class="poll-text">
        <input
          aria-label={t.option({ number })}
          placeholder={t.option({ number })}
          dir="auto"
          value={option}
          aria-invalid={problem !== null}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
        {problem !== null && (
          <small class="draft-error" role="status">
            {problem}
          </small>
        )}
      </span>
      <span class="poll-moves">
        <IconButton
          icon={ChevronUp}
          label={t.move_option_up({ number })}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          icon={ChevronDown}
          label={t.move_option_down({ number })}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        />
      </span>
      {count > 2 && <IconButton icon={X} label={t.remove_option({ number })} onClick={onRemove} />}
    </li>
  )
}
