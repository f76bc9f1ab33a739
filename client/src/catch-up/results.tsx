import { useMemo, useState } from 'preact/hooks'
import { StatusItem } from '../statuses/status-item.tsx'
import { colon, fullNumber, texts } from '../texts.ts'
import { Avatar } from '../ui/account-line.tsx'
import { nameText } from '../ui/emoji-text.tsx'
import { Empty, Note } from '../ui/state-message.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { hostOfAddress } from '../ui/web-address.ts'
import {
  authorsOf,
  isBy,
  isOfKind,
  KINDS,
  linksOf,
  ORDERS,
  sortBy,
  type AuthorCount,
  type CaughtUp,
  type Kind,
  type Order,
  type SharedLink,
} from './collect.ts'
import '../ui/chips.css'

/** As many authors and links as one can look at. */
const AUTHORS = 40
const LINKS = 10

export function Results({ items, hours }: { items: readonly CaughtUp[]; hours: number }) {
  const t = texts.timelines.catch_up
  const [kind, setKind] = useState<Kind | null>(null)
  const [author, setAuthor] = useState<string | null>(null)
  const [order, setOrder] = useState<Order>('newest')
  const authors = useMemo(() => authorsOf(items).slice(0, AUTHORS), [items])
  const links = useMemo(() => linksOf(items).slice(0, LINKS), [items])
  const shown = useMemo(() => {
    const chosen = items.filter((item) => (!kind || isOfKind(item, kind)) && (!author || isBy(item, author)))
    return sortBy(chosen, order)
  }, [items, kind, author, order])
  if (items.length === 0) return <Empty>{t.nothing({ count: hours })}</Empty>
  return (
    <>
      {links.length > 0 && <TopLinks links={links} />}
      <Authors authors={authors} chosen={author} choose={setAuthor} />
      <div class="catch-up-choices">
        <div role="group" aria-label={t.show} class="chips">
          <Chip isOn={kind === null} onClick={() => setKind(null)} text={`${t.all} ${fullNumber(items.length)}`} />
          {KINDS.map((each) => (
            <Chip
              key={each}
              isOn={kind === each}
              onClick={() => setKind(each)}
              text={`${t.kinds[each]} ${fullNumber(items.filter((item) => isOfKind(item, each)).length)}`}
            />
          ))}
        </div>
        <label>
          {t.order}{' '}
          <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
            {ORDERS.map((each) => (
              <option key={each} value={each}>
                {t.orders[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <VirtualList
        key={`${kind} ${author} ${order}`}
        label={texts.frame.catch_up}
        items={shown}
        keyOf={({ status }) => status.id}
        render={({ status }) => <StatusItem id={status.id} />}
        footer={<Note>{t.done}</Note>}
      />
    </>
  )
}

function Chip({ isOn, onClick, text }: { isOn: boolean; onClick: () => void; text: string }) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onClick}>
      {text}
    </button>
  )
}

function TopLinks({ links }: { links: readonly SharedLink[] }) {
  const t = texts.timelines.catch_up
  return (
    <section class="catch-up-links" aria-label={t.links}>
      <h2>{t.links}</h2>
      <ol>
        {links.map(({ url, title, image, provider, sharers }) => (
          <li key={url}>
            {image && <img src={image} alt="" loading="lazy" />}
            <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
              {title || url}
            </a>
            <small>
              <bdi>{provider || hostOfAddress(url)}</bdi> · {t.shared_by({ count: sharers.length })}
            </small>
          </li>
        ))}
      </ol>
    </section>
  )
}

type AuthorsProps = { authors: readonly AuthorCount[]; chosen: string | null; choose: (id: string | null) => void }

function Authors({ authors, chosen, choose }: AuthorsProps) {
  return (
    <div role="group" aria-label={texts.timelines.catch_up.authors} class="catch-up-authors">
      {authors.map(({ account, count }) => (
        <button
          key={account.id}
          type="button"
          aria-pressed={chosen === account.id}
          title={`@${account.acct}`}
          aria-label={`${nameText(account)}${colon}${fullNumber(count)}`}
          onClick={() => choose(chosen === account.id ? null : account.id)}
        >
          <Avatar account={account} size={40} />
          <span aria-hidden="true">{fullNumber(count)}</span>
        </button>
      ))}
    </div>
  )
}
