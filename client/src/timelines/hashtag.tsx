import { Hash, SlidersHorizontal, Star, UserMinus, UserPlus } from 'lucide'
import { useRoute } from 'preact-iso'
import { useMemo, useState } from 'preact/hooks'
import { api, read, readPage } from '../api/client.ts'
import type { Tag } from '../api/entities.ts'
import { useCached } from '../state/cached.ts'
import { isolate, language, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { Page } from '../ui/page.tsx'
import { PinScreen } from '../ui/pin-screen.tsx'
import { renewHomeOfAllTabs, useRenewal } from './reading.ts'
import { isUnwanted, tagQueryOf, tagQueryPath, type TagQuery } from './tag-query.ts'
import { TagForm } from './tag-form.tsx'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'
import { usage } from './usage.ts'
import './hashtag.css'

function sourceOf(path: string, wanted: TagQuery): TimelineSource {
  const { tag, any, all, none, local, onlyMedia } = wanted
  const more = { any: [...any], all: [...all], none: [...none], local, only_media: onlyMedia }
  return {
    path,
    context: 'public',
    load: (query) =>
      readPage(
        api.GET('/api/v1/timelines/tag/{hashtag}', {
          params: { path: { hashtag: tag }, query: { ...query, ...more } },
        }),
      ),
    isUnwanted: (status) => isUnwanted(wanted, status),
    streams: [tag, ...any].map((name) => ({ stream: local ? 'hashtag:local' : 'hashtag', tag: name.toLowerCase() })),
  }
}

export function HashtagScreen() {
  const { params, query } = useRoute()
  const name = params.tag ?? ''
  const wanted = tagQueryOf(name, query)
  const path = tagQueryPath(wanted)
  const source = useMemo(() => sourceOf(path.toLowerCase(), wanted), [path])
  useRenewal(source)
  const tag = useCached(`tag ${name.toLowerCase()}`, () =>
    read(api.GET('/api/v1/tags/{name}', { params: { path: { name } } })),
  )
  const [isOpen, setOpen] = useState(false)
  const title = titleOf(wanted)
  const actions = (
    <>
      <IconButton
        icon={SlidersHorizontal}
        label={texts.hashtags.choose}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <PinScreen path={path} title={title} />
    </>
  )
  return (
    <Page title={title} actions={actions}>
      {isOpen && <TagForm key={path} wanted={wanted} close={() => setOpen(false)} />}
      {tag.value && <TagHeader tag={tag.value} wanted={wanted} onChange={tag.change} />}
      <TimelineView source={source} label={title} empty={texts.timelines.empty} />
    </Page>
  )
}

function titleOf({ tag, any, all, none }: TagQuery): string {
  const list = (names: readonly string[], type: Intl.ListFormatType): string =>
    new Intl.ListFormat(language, { type }).format(names.map((name) => isolate(`#${name}`)))
  return texts.hashtags.title({
    any: list([tag, ...any], 'disjunction'),
    all: list(all, 'conjunction'),
    none: list(none, 'disjunction'),
  })
}

function TagHeader({
  tag,
  wanted,
  onChange,
}: {
  tag: Tag
  wanted: TagQuery
  onChange: (change: (tag: Tag) => Tag) => void
}) {
  const t = texts.timelines
  const { posts, people } = usage(tag.history)
  const path = { name: tag.name }
  const act = (action: 'follow' | 'unfollow' | 'feature' | 'unfeature', change: Partial<Tag>, undone: Partial<Tag>) => {
    onChange((now) => ({ ...now, ...change }))
    const request = () => read(api.POST(`/api/v1/tags/{name}/${action}`, { params: { path } }))
    const undo = () => onChange((now) => ({ ...now, ...undone }))
    const done = (answer: Tag) => {
      onChange(() => answer)
      // Home no longer has the posts that it had for the hashtag alone.
      if (action === 'unfollow') renewHomeOfAllTabs()
    }
    return optimistic({ on: `tag ${tag.name}`, request, undo, done })
  }
  const { following = false, featuring = false } = tag
  const follow = () => act(following ? 'unfollow' : 'follow', { following: !following }, { following })
  const feature = () => act(featuring ? 'unfeature' : 'feature', { featuring: !featuring }, { featuring })
  return (
    <div class="tag-header">
      <p>
        {t.posts_this_week({ count: posts })} · {texts.explore.people_days({ count: people })}
        {wanted.local && ` · ${texts.hashtags.local}`}
        {wanted.onlyMedia && ` · ${texts.hashtags.only_media}`}
      </p>
      <div class="buttons">
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
