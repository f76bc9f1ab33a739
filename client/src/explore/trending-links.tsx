import { api, read } from '../api/client.ts'
import { useCached } from '../state/cached.ts'
import { texts } from '../texts.ts'
import { usage } from '../timelines/usage.ts'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { hostOfAddress, webAddress } from '../ui/web-address.ts'
import './explore.css'

export function TrendingLinks() {
  const links = useCached('trending links', () =>
    read(api.GET('/api/v1/trends/links', { params: { query: { limit: 20 } } })),
  )
  if (!links.value) return <LoadingOrFailed loaded={links} />
  if (links.value.length === 0) return <Empty>{texts.explore.empty}</Empty>
  return (
    <ol class="trends">
      {links.value
        .filter(({ url }) => webAddress(url))
        .map((link) => (
          <li key={link.url}>
            {link.image && <img src={link.image} alt={link.image_description} loading="lazy" />}
            <div class="trend-text">
              <small>
                <bdi>{link.provider_name || hostOfAddress(link.url)}</bdi>
              </small>
              <a href={link.url} target="_blank" rel="noopener noreferrer">
                <strong dir="auto">{link.title}</strong>
              </a>
              <a class="trend-posts" href={`/links?url=${encodeURIComponent(link.url)}`}>
                {texts.explore.link_posts({ count: usage(link.history).people })}
              </a>
            </div>
          </li>
        ))}
    </ol>
  )
}
