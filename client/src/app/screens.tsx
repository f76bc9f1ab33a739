// Every screen with its address, as in Mastodon's own web app. The first that matches is shown.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { ErrorBoundary, Route, Router, useLocation } from 'preact-iso'
import { texts } from '../texts.ts'
import { HomeScreen } from '../timelines/home.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { lazy } from '../ui/lazy.tsx'
import { isSwitching } from './account-acts.ts'
import { HandleScreen } from './handle-screen.tsx'

const PublishScreen = lazy(() => import('../compose/publish-screen.tsx').then((m) => m.PublishScreen))
const ScheduledScreen = lazy(() => import('../compose/scheduled-screen.tsx').then((m) => m.ScheduledScreen))
const DirectoryScreen = lazy(() => import('../accounts/directory-screen.tsx').then((m) => m.DirectoryScreen))
const DomainBlocksScreen = lazy(() => import('../accounts/domain-blocks-screen.tsx').then((m) => m.DomainBlocksScreen))
const EditProfileScreen = lazy(() => import('../accounts/edit-profile-screen.tsx').then((m) => m.EditProfileScreen))
const FollowRequestsScreen = lazy(() =>
  import('../accounts/follow-requests-screen.tsx').then((m) => m.FollowRequestsScreen),
)
const editCollection = () => import('../lists/collection-edit-screen.tsx')
const annualReports = () => import('../lists/annual-report-screens.tsx')
const editFilter = () => import('../lists/filter-edit-screen.tsx')
const restricted = () => import('../accounts/restricted-screens.tsx')

type Screen = { path: string; component: ComponentType }

const SCREENS: readonly Screen[] = [
  { path: '/', component: HomeScreen },
  { path: '/home', component: HomeScreen },
  { path: '/public/:scope?', component: lazy(() => import('../timelines/public.tsx').then((m) => m.PublicScreen)) },
  { path: '/publish', component: PublishScreen },
  { path: '/share', component: PublishScreen },
  { path: '/drafts', component: PublishScreen },
  { path: '/scheduled_statuses', component: ScheduledScreen },
  { path: '/tags/:tag', component: lazy(() => import('../timelines/hashtag.tsx').then((m) => m.HashtagScreen)) },
  { path: '/links', component: lazy(() => import('../timelines/link.tsx').then((m) => m.LinkScreen)) },
  { path: '/lists', component: lazy(() => import('../lists/lists-screen.tsx').then((m) => m.ListsScreen)) },
  {
    path: '/lists/:id/edit',
    component: lazy(() => import('../lists/list-edit-screen.tsx').then((m) => m.ListEditScreen)),
  },
  { path: '/lists/:id', component: lazy(() => import('../timelines/list.tsx').then((m) => m.ListScreen)) },
  { path: '/bookmarks', component: lazy(() => import('../timelines/saved.tsx').then((m) => m.BookmarksScreen)) },
  { path: '/favourites', component: lazy(() => import('../timelines/saved.tsx').then((m) => m.FavouritesScreen)) },
  { path: '/explore/:tab?', component: lazy(() => import('../explore/explore.tsx').then((m) => m.ExploreScreen)) },
  { path: '/catch-up', component: lazy(() => import('../catch-up/catch-up.tsx').then((m) => m.CatchUpScreen)) },
  { path: '/follow_requests', component: FollowRequestsScreen },
  { path: '/blocks', component: lazy(() => restricted().then((m) => m.BlocksScreen)) },
  { path: '/mutes', component: lazy(() => restricted().then((m) => m.MutesScreen)) },
  { path: '/endorsements', component: lazy(() => restricted().then((m) => m.EndorsementsScreen)) },
  { path: '/domain_blocks', component: DomainBlocksScreen },
  { path: '/directory', component: DirectoryScreen },
  { path: '/filters', component: lazy(() => import('../lists/filters-screen.tsx').then((m) => m.FiltersScreen)) },
  { path: '/filters/new', component: lazy(() => editFilter().then((m) => m.FilterCreateScreen)) },
  { path: '/filters/:id/edit', component: lazy(() => editFilter().then((m) => m.FilterEditScreen)) },
  {
    path: '/followed_tags',
    component: lazy(() => import('../lists/followed-tags-screen.tsx').then((m) => m.FollowedTagsScreen)),
  },
  {
    path: '/collections',
    component: lazy(() => import('../lists/collections-screen.tsx').then((m) => m.CollectionsScreen)),
  },
  { path: '/collections/new', component: lazy(() => editCollection().then((m) => m.CollectionCreateScreen)) },
  { path: '/collections/:id/edit', component: lazy(() => editCollection().then((m) => m.CollectionEditScreen)) },
  {
    path: '/collections/:id',
    component: lazy(() => import('../lists/collection-screen.tsx').then((m) => m.CollectionScreen)),
  },
  { path: '/annual_report', component: lazy(() => annualReports().then((m) => m.AnnualReportsScreen)) },
  { path: '/annual_report/:year', component: lazy(() => annualReports().then((m) => m.AnnualReportScreen)) },
  { path: '/search', component: lazy(() => import('../search/search-screen.tsx').then((m) => m.SearchScreen)) },
  {
    path: '/appearance',
    component: lazy(() => import('../appearance/appearance-screen.tsx').then((m) => m.AppearanceScreen)),
  },
  {
    path: '/notifications/requests',
    component: lazy(() => import('../notifications/requests-screen.tsx').then((m) => m.NotificationRequestsScreen)),
  },
  {
    path: '/notifications/:group/accounts',
    component: lazy(() => import('../notifications/group-accounts-screen.tsx').then((m) => m.GroupAccountsScreen)),
  },
  {
    path: '/notifications/:filter?',
    component: lazy(() => import('../notifications/notifications-screen.tsx').then((m) => m.NotificationsScreen)),
  },
  {
    path: '/conversations',
    component: lazy(() => import('../notifications/conversations-screen.tsx').then((m) => m.ConversationsScreen)),
  },
  { path: '/profile/edit', component: EditProfileScreen },
  // Last: profiles and statuses, whose first part begins with an @.
  { path: '/:handle/:rest*', component: HandleScreen },
]

/** Whether the code of the next screen is on its way: until then, the one before stays. */
const isLoading = signal(false)

/** Shows on a slow network that the client has noticed a press, also while the account is switched. */
const LoadingBar = () =>
  (isLoading.value || isSwitching.value) && (
    <div class="loading-bar" role="status">
      <span class="visually-hidden">{texts.frame.loading}</span>
    </div>
  )

/** The screen of the address. */
export function Screens() {
  const { url } = useLocation()
  return (
    <Boundary of={url}>
      <ErrorBoundary>
        <LoadingBar />
        <Router onLoadStart={() => (isLoading.value = true)} onLoadEnd={() => (isLoading.value = false)}>
          {SCREENS.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
        </Router>
      </ErrorBoundary>
    </Boundary>
  )
}
