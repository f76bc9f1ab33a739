// A poll: choices to vote for, or what others voted.
import { Check } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Poll, Status } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { isMe } from '../state/me.ts'
import { changeStatus } from '../state/statuses.ts'
import { fullNumber, percentText, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { emojify } from '../ui/emoji-text.tsx'
import { Icon } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showError } from '../ui/toasts.tsx'
import { choiceOf } from './disclosure.ts'
import './poll.css'

type PollViewProps = {
  status: Status
  poll: Poll
  /** Translated options. */
  titles: readonly string[] | undefined
}

export function PollView({ status, poll, titles }: PollViewProps) {
  const showsResults = choiceOf(status.id, 'results')
  const isOpen = !poll.expired && !poll.voted && !isMe(status.account.id)
  const options = poll.options.map((option, index) => ({ ...option, title: titles?.[index] ?? option.title }))
  const results = useRef<HTMLUListElement>(null)
  const store = (changed: Poll) => void changeStatus(status.id, { poll: changed })
  const showVote = (changed: Poll) => {
    store(changed)
    // The button that had the focus is gone. Once the result is in the document.
    setTimeout(() => results.current?.focus())
  }
  const load = () => read(api.GET('/api/v1/polls/{id}', { params: { path: { id: poll.id } } })).then(store)
  useExpiry(poll, () => load().catch(console.info))
  return (
    <div class="poll">
      {isOpen && !showsResults.value ? (
        <VoteForm poll={{ ...poll, options }} store={showVote} />
      ) : (
        <ul ref={results} class="poll-results" tabIndex={-1}>
          {options.map((option, index) => (
            <Result key={index} poll={poll} option={option} isOwn={poll.own_votes?.includes(index) === true} />
          ))}
        </ul>
      )}
      <p class="poll-footer">
        <span>{votesText(poll)}</span>
        {poll.expires_at && (
          <span>
            {poll.expired ? texts.statuses.poll_ended : texts.statuses.poll_ends}{' '}
            <RelativeTime at={poll.expires_at} isAhead={!poll.expired} />
          </span>
        )}
        {isOpen && (
          <button type="button" class="link-button" onClick={() => (showsResults.value = !showsResults.value)}>
            {showsResults.value ? texts.statuses.poll_back : texts.statuses.poll_results}
          </button>
        )}
        {!poll.expired && (
          <button type="button" class="link-button" onClick={() => void load().catch(showError)}>
            {texts.statuses.poll_refresh}
          </button>
        )}
      </p>
    </div>
  )
}

/** Longer waits than this are not worth a timer. */
const MAX_WAIT = 12 * 3_600_000

/** Asks for the result as soon as the poll has ended. */
function useExpiry({ expired, expires_at: at }: Poll, refresh: () => Promise<void>): void {
  useEffect(() => {
    if (expired || !at) return
    const wait = new Date(at).getTime() - Date.now() + 1000
    if (wait > MAX_WAIT) return
    const timer = setTimeout(() => void refresh(), Math.max(1000, wait))
    return () => clearTimeout(timer)
  }, [expired, at])
}

function votesText({ multiple, voters_count: voters, votes_count: votes }: Poll): string {
  return multiple && voters !== null
    ? texts.statuses.poll_voters({ count: voters })
    : texts.statuses.poll_votes({ count: votes })
}

function VoteForm({ poll, store }: { poll: Poll; store: (poll: Poll) => void }) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [isSending, setSending] = useState(false)
  const name = useId()
  const choose = (index: number, on: boolean) =>
    setChosen(poll.multiple ? [...chosen.filter((each) => each !== index), ...(on ? [index] : [])] : [index])
  const vote = async (event: Event) => {
    event.preventDefault()
    setSending(true)
    const request = { params: { path: { id: poll.id } }, body: { choices: [...chosen] } }
    await read(api.POST('/api/v1/polls/{id}/votes', request)).then(store, showError)
    setSending(false)
  }
  return (
    <form class="poll-form" onSubmit={(event) => void vote(event)}>
      <fieldset>
        <legend class="visually-hidden">
          {poll.multiple ? texts.statuses.poll_choose_several : texts.statuses.poll}
        </legend>
        {poll.options.map(({ title }, index) => (
          <label key={index} class="poll-choice">
            <input
              type={poll.multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(index)}
              onChange={({ currentTarget }) => choose(index, currentTarget.checked)}
            />
            <span dir="auto">{emojify(title, poll.emojis)}</span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" disabled={chosen.length === 0 || isSending}>
        {texts.statuses.poll_vote}
      </Button>
    </form>
  )
}

function Result({ poll, option, isOwn }: { poll: Poll; option: Poll['options'][number]; isOwn: boolean }) {
  const { title, votes_count: votes } = option
  const all = (poll.multiple && poll.voters_count) || poll.votes_count
  const share = votes === null || all === 0 ? 0 : Math.round((votes / all) * 100)
  const isLeading = votes !== null && votes > 0 && poll.options.every((each) => (each.votes_count ?? 0) <= votes)
  return (
    <li class={isLeading ? 'poll-result leading' : 'poll-result'}>
      <span class="poll-bar" style={{ inlineSize: `${share}%` }} />
      <span class="poll-title" dir="auto">
        {emojify(title, poll.emojis)}
      </span>
      {isOwn && (
        <span role="img" aria-label={texts.statuses.poll_own_vote} title={texts.statuses.poll_own_vote}>
          <Icon icon={Check} size={18} />
        </span>
      )}
      <span class="poll-share" title={votes === null ? '' : fullNumber(votes)}>
        {votes === null ? '—' : percentText(share)}
      </span>
    </li>
  )
}
