import { Hash, X } from 'lucide'
import { PagedListView, pagedListOf, type PagedSource } from '../ui/paged-list.tsx'
import { api, read, readPage } from '../api/client.ts'
import type { Tag } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { renewHomeOfAllTabs } from '../timelines/reading.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { offerUndo, optimistic } from '../ui/optimistic.ts'
import { tagPath } from '../ui/tag-path.ts'
import { showError } from '../ui/toasts.tsx'
import './lists.css'

const followed: PagedSource<Tag> = {
  key: 'followed tags',
  keyOf: ({ name }) => name,
  load: (query) => readPage(api.GET('/api/v1/followed_tags', { params: { query } })),
}

async function unfollow({ name }: Tag): Promise<void> {
  const list = pagedListOf(followed)
  const undo = list.remove(name)
  const params = { path: { name } }
  const request = () => read(api.POST('/api/v1/tags/{name}/unfollow', { params }))
  // Home no longer has the posts that it had for the hashtag alone.
  const sent = optimistic({ on: `tag ${name}`, undo, request, done: renewHomeOfAllTabs })
  list.leaveOut(name, sent)
  if (!(await sent)) return
  const followAgain = () => {
    undo()
    renewHomeOfAllTabs()
  }
  const follow = () => read(api.POST('/api/v1/tags/{name}/follow', { params })).then(followAgain, showError)
  offerUndo(texts.lists.tag_unfollowed({ name }), follow)
}

export function FollowedTagsScreen() {
  const t = texts.lists
  return (
    <Page title={t.followed_tags}>
      <PagedListView
        source={followed}
        label={t.followed_tags}
        empty={
          <>
            {t.followed_tags_empty} <a href="/explore/tags">{texts.explore.trending_tags}</a>
          </>
        }
        render={(tag) => (
          <div class="row">
            <a class="row-link" href={tagPath(tag.name)}>
              <Icon icon={Hash} />
              <span class="row-text">
                <strong dir="auto">{tag.name}</strong>
              </span>
            </a>
            <IconButton icon={X} label={t.unfollow_tag({ name: tag.name })} onClick={() => void unfollow(tag)} />
          </div>
        )}
      />
      <a class="area-link" href="/profile/edit">
        {t.featured_tags}
      </a>
    </Page>
  )
}
