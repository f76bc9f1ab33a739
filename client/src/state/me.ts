// Who is signed in, and the server. Loaded once before the first screen; both are in IndexedDB for starts without a network.
import { signal } from '@preact/signals'
import type { CredentialAccount, Instance, Preferences } from '../api/entities.ts'
import { api, ApiError, isOffline, read } from '../api/client.ts'
import { hasSessionEnded } from '../api/connection.ts'
import { storeAccount } from './accounts.ts'
import { readStoredSoon, writeStored } from './storage.ts'

type Identity = { me: CredentialAccount; instance: Instance; preferences: Preferences }

export const identity = signal<Identity | null>(null)

/** The signed-in account. Only for components inside the frame, which shows once it is known. */
export function useMe(): CredentialAccount {
  return current().me
}

export const useInstance = (): Instance => current().instance
export const usePreferences = (): Preferences => current().preferences

export const isMe = (accountId: string): boolean => identity.value?.me.id === accountId

function current(): Identity {
  if (!identity.value) throw new Error('The identity is not loaded')
  return identity.value
}

export function changeMe(me: CredentialAccount): void {
  if (identity.value) storeIdentity({ ...identity.value, me })
}

let reloads = 0

/** After something of another device or person may have changed it, or after an act whose answer lacks the new counts. */
export async function reloadMe(): Promise<void> {
  const reload = (reloads += 1)
  try {
    const me = await read(api.GET('/api/v1/accounts/verify_credentials'))
    // Answers may come in another order than the requests.
    if (reload !== reloads) return
    changeMe(me)
    storeAccount(me)
  } catch (error) {
    // The moderators froze or suspended the account. Signing in leads to what they say.
    if (error instanceof ApiError && error.status === 403) hasSessionEnded.value = true
    console.info(error)
  }
}

function storeIdentity(loaded: Identity): void {
  identity.value = loaded
  void writeStored('identity', loaded)
}

/** Shows what is stored at once, and what the server says as soon as it has answered. Throws ApiError when neither is there. */
export async function loadIdentity(): Promise<void> {
  const fresh = requestIdentity()
  // It may fail before the stored one is read.
  fresh.catch(() => {})
  const stored = await readStoredSoon<Identity>('identity')
  if (!stored) return storeIdentity(await fresh)
  identity.value = stored
  fresh.then(
    (loaded) => {
      // What has changed meanwhile is newer.
      const { me } = current()
      storeIdentity(me === stored.me ? loaded : { ...loaded, me })
    },
    (error: unknown) => {
      if (!isOffline(error)) console.warn(error)
    },
  )
}

async function requestIdentity(): Promise<Identity> {
  const [me, instance, preferences] = await Promise.all([
    read(api.GET('/api/v1/accounts/verify_credentials')),
    read(api.GET('/api/v2/instance')),
    read(api.GET('/api/v1/preferences')),
  ])
  return { me, instance, preferences }
}

/** The viewer may have signed in again in another tab. */
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && hasSessionEnded.value)
    requestIdentity().then(storeIdentity, (error: unknown) => console.info(error))
})
