import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import type { TimelineSource } from './timeline-source.ts'
import { TimelineView } from './timeline-view.tsx'

const bookmarks: TimelineSource = {
  path: '/bookmarks',
  load: (query) => readPage(api.GET('/api/v1/bookmarks', { params: { query } })),
}

const favourites: TimelineSource = {
  path: '/favourites',
  load: (query) => readPage(api.GET('/api/v1/favourites', { params: { query } })),
}

export function BookmarksScreen() {
  return (
    <Page title={texts.frame.bookmarks} isTop>
      <TimelineView source={bookmarks} label={texts.frame.bookmarks} empty={texts.timelines.bookmarks_empty} />
    </Page>
  )
}

export function FavouritesScreen() {
  return (
    <Page title={texts.frame.favourites} isTop>
      <TimelineView source={favourites} label={texts.frame.favourites} empty={texts.timelines.favourites_empty} />
    </Page>
  )
}
