import type { ComponentType } from 'preact'
import { useRoute } from 'preact-iso'
import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { TimelineView } from '../timelines/timeline-view.tsx'
import type { TimelineSource } from '../timelines/timeline-source.ts'
import { lazy } from '../ui/lazy.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { TrendingLinks } from './trending-links.tsx'
import { TrendingTags } from './trending-tags.tsx'

const Suggestions = lazy(() => import('../accounts/suggestions.tsx').then((m) => m.Suggestions))

/** The screens of the tabs beside the posts. */
const SECTIONS: Record<string, ComponentType> = {
  '/explore/tags': TrendingTags,
  '/explore/links': TrendingLinks,
  '/explore/people': Suggestions,
}

const trendingPosts: TimelineSource = {
  path: '/explore',
  context: 'public',
  load: (query) => readPage(api.GET('/api/v1/trends/statuses', { params: { query } })),
}

/** Trending posts, hashtags and links, and suggested accounts. */
export function ExploreScreen() {
  const { path } = useRoute()
  const t = texts.explore
  const Section = SECTIONS[path]
  const tabs = [
    { href: '/explore', label: t.posts },
    { href: '/explore/tags', label: t.tags },
    { href: '/explore/links', label: t.links },
    { href: '/explore/people', label: t.people },
  ]
  return (
    <Page title={texts.frame.explore} bar={<Tabs label={texts.frame.explore} tabs={tabs} current={path} />} isTop>
      {Section ? <Section /> : <TimelineView source={trendingPosts} label={t.posts} empty={t.empty} />}
    </Page>
  )
}
