import { Hash, Star, UserMinus, UserPlus } from 'lucide'
import { useRoute } from 'preact-iso'
import { useMemo } from 'preact/hooks'
import { api, read, readPage } from '../api/client.ts'
import type { Tag } from '../api/entities.ts'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { showError } from '../ui/toasts.tsx'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'
import { usage } from './usage.ts'
import './hashtag.css'

const sourceOf = (tag: string): TimelineSource => ({
  path: `/tags/${tag}`,
  context: 'public',
  load: (query) => readPage(api.GET('/api/v1/timelines/tag/{hashtag}', { params: { path: { hashtag: tag }, query } })),
  stream: { stream: 'hashtag', tag },
})

export function HashtagScreen() {
  const { params } = useRoute()
  const name = params.tag ?? ''
  const source = useMemo(() => sourceOf(name.toLowerCase()), [name])
  const tag = useLoaded(() => read(api.GET('/api/v1/tags/{name}', { params: { path: { name } } })), [name])
  return (
    <Page title={`#${name}`}>
      {tag.value && <TagHeader tag={tag.value} onChange={tag.set} />}
      <TimelineView source={source} label={`#${name}`} empty={texts.timelines.empty} />
    </Page>
  )
}

function TagHeader({ tag, onChange }: { tag: Tag; onChange: (tag: Tag) => void }) {
  const t = texts.timelines
  const { posts, people } = usage(tag.history)
  const path = { name: tag.name }
  const follow = () =>
    read(api.POST(`/api/v1/tags/{name}/${tag.following ? 'unfollow' : 'follow'}`, { params: { path } })).then(
      onChange,
      showError,
    )
  const feature = () =>
    read(api.POST(`/api/v1/tags/{name}/${tag.featuring ? 'unfeature' : 'feature'}`, { params: { path } })).then(
      onChange,
      showError,
    )
  return (
    <div class="tag-header">
      <p>
        {t.posts_this_week({ count: posts })} · {texts.explore.people_days({ count: people })}
      </p>
      <div class="tag-actions">
        <Button
          kind={tag.following ? 'secondary' : 'primary'}
          icon={tag.following ? UserMinus : UserPlus}
          onClick={() => void follow()}
        >
          {tag.following ? t.unfollow_tag : t.follow_tag}
        </Button>
        <Button icon={tag.featuring ? Star : Hash} onClick={() => void feature()}>
          {tag.featuring ? t.unfeature_tag : t.feature_tag}
        </Button>
      </div>
    </div>
  )
}
