// The service worker, which the server sends as /sw.js: the client opens without a network, and push messages are shown.
import { CLIENT_LINKS } from './api/server-pages.ts'
import { storeShared } from './compose/shared.ts'
import {
  answerFile,
  answerNavigation,
  checkSession,
  isOwnFile,
  removeOldFiles,
  removeShell,
  storeFirstFiles,
  storeOtherFiles,
} from './offline/worker/files.ts'
import { openPush, renewSubscription, showPush } from './offline/worker/push.ts'
import { scope } from './offline/worker/scope.ts'

scope.addEventListener('install', (event) => event.waitUntil(storeFirstFiles()))

scope.addEventListener('activate', (event) => event.waitUntil(removeOldFiles().then(() => scope.clients.claim())))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  // After it, another account may use this browser: the stored shell is that of the one before.
  if (request.method === 'POST' && pathname.startsWith('/auth/')) event.waitUntil(removeShell())
  else if (request.method === 'POST' && pathname === '/share') event.respondWith(storeShared(request))
  else if (request.method !== 'GET') return
  else if (request.mode === 'navigate') {
    if (CLIENT_LINKS.test(pathname)) event.respondWith(answerNavigation(request, (work) => event.waitUntil(work)))
  } else if (isOwnFile(pathname)) event.respondWith(answerFile(request))
})

scope.addEventListener('message', (event) => {
  const { type, used = [] } = event.data as { type?: string; used?: string[] }
  // A new version waits until the page has saved what is being written.
  if (type === 'activate') event.waitUntil(scope.skipWaiting())
  if (type === 'session-ended') event.waitUntil(checkSession())
  if (type === 'loaded') event.waitUntil(storeOtherFiles(used))
})

scope.addEventListener('push', (event) => event.waitUntil(showPush(event)))
scope.addEventListener('notificationclick', (event) => event.waitUntil(openPush(event)))
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription()))
