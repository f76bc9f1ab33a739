// The preview of a link. What other sites embed is loaded only when asked for.
import { Play } from 'lucide'
import { useState } from 'preact/hooks'
import type { PreviewCard } from '../api/entities.ts'
import { fill, texts } from '../texts.ts'
import { accountPath, Avatar } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { nameWithEmojis } from '../ui/emoji-text.tsx'
import { hostOfAddress, webAddress } from '../ui/web-address.ts'
import { Blurhash } from './blurhash.tsx'
import './link-card.css'

export function LinkCard({ card, isHidden }: { card: PreviewCard; isHidden: boolean }) {
  const [isPlaying, setPlaying] = useState(false)
  const player = playerOf(card)
  const address = webAddress(card.url)
  if (!address || !card.title) return null
  const isLarge = card.image !== null && (player !== null || card.width >= card.height * 1.2) && card.width >= 300
  return (
    <div class={isLarge ? 'link-card large' : 'link-card'}>
      {isPlaying && player ? (
        <Player player={player} title={card.title} />
      ) : (
        card.image && <CardImage card={card} isHidden={isHidden} play={player && (() => setPlaying(true))} />
      )}
      <div class="link-card-text">
        <a href={address} target="_blank" rel="noopener noreferrer nofollow">
          <span class="link-card-provider">
            <bdi>{card.provider_name || hostOfAddress(address)}</bdi>
          </span>
          <strong dir="auto" lang={card.language || undefined}>
            {card.title}
          </strong>
          {card.description && (
            <span class="link-card-description" dir="auto">
              {card.description}
            </span>
          )}
        </a>
        {player && !card.image && !isPlaying && (
          <Button icon={Play} onClick={() => setPlaying(true)}>
            {texts.statuses.play}
          </Button>
        )}
        <CardAuthor card={card} />
      </div>
    </div>
  )
}

function CardImage({ card, isHidden, play }: { card: PreviewCard; isHidden: boolean; play: (() => void) | null }) {
  return (
    <div class="link-card-image">
      {isHidden ? (
        <Blurhash hash={card.blurhash} />
      ) : (
        <img src={card.image ?? ''} alt={card.image_description} loading="lazy" decoding="async" />
      )}
      {play && (
        <span class="link-card-play">
          <Button kind="primary" icon={Play} onClick={play}>
            {texts.statuses.play}
          </Button>
        </span>
      )}
    </div>
  )
}

/** Authors who have an account lead to it. */
function CardAuthor({ card }: { card: PreviewCard }) {
  const account = card.authors.find((author) => author.account)?.account
  if (account)
    return (
      <p class="link-card-author">
        <Avatar account={account} size={24} />
        <span>
          {fill(texts.statuses.more_from, {
            name: (
              <a href={accountPath(account)} data-account={account.id}>
                <bdi>{nameWithEmojis(account)}</bdi>
              </a>
            ),
          })}
        </span>
      </p>
    )
  if (!card.author_name) return null
  return (
    <p class="link-card-author">
      <span>{fill(texts.statuses.by_author, { name: <bdi>{card.author_name}</bdi> })}</span>
    </p>
  )
}

/** The page of another site gets an origin of its own, may run its scripts and go to full screen, and nothing else. */
function Player({ player, title }: { player: EmbeddedPlayer; title: string }) {
  return (
    <iframe
      class="link-card-player"
      src={player.address}
      title={title}
      style={{ aspectRatio: player.ratio }}
      sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"
      allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
      allowFullScreen
      referrerpolicy="strict-origin-when-cross-origin"
    />
  )
}

type EmbeddedPlayer = { address: string; ratio: string }

/** From the HTML of the card, of which only the address of its frame is used. Frames of this server are refused. */
function playerOf({ type, html, width, height }: PreviewCard): EmbeddedPlayer | null {
  if ((type !== 'video' && type !== 'rich') || !html.includes('<iframe')) return null
  const frame = new DOMParser().parseFromString(html, 'text/html').querySelector('iframe')
  const address = webAddress(frame?.getAttribute('src'))
  if (!address?.startsWith('https:') || new URL(address).origin === location.origin) return null
  return { address, ratio: width > 0 && height > 0 ? `${width} / ${height}` : '16 / 9' }
}
