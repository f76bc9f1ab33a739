// Every screen with its address, as in Mastodon's own web app. The first that matches is shown.
import { lazy } from 'preact-iso'
import type { ComponentType } from 'preact'
import { HomeScreen } from '../timelines/home.tsx'
import { HandleScreen } from './handle-screen.tsx'

const PublishScreen = lazy(() => import('../compose/publish-screen.tsx').then((m) => m.PublishScreen))

export type Screen = { path: string; component: ComponentType }

export const SCREENS: readonly Screen[] = [
  { path: '/', component: HomeScreen },
  { path: '/home', component: HomeScreen },
  { path: '/public/:scope?', component: lazy(() => import('../timelines/public.tsx').then((m) => m.PublicScreen)) },
  { path: '/publish', component: PublishScreen },
  { path: '/share', component: PublishScreen },
  // Last: profiles and statuses, whose first part begins with an @.
  { path: '/:handle/:rest*', component: HandleScreen },
]
