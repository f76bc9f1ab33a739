// For screens that show the effects of follows, blocks and mutes.
import { useEffect } from 'preact/hooks'
import { tabs } from '../state/tabs.ts'

/** Calls `act` once the server has carried out an act on an account, by this tab or another one. `key`: what `act` is about. */
export function useRelationshipChanges(act: () => unknown, key: unknown): void {
  useEffect(() => {
    // `tabs` itself receives only what the other tabs announce.
    const news = new BroadcastChannel(tabs.name)
    news.addEventListener('message', ({ data }) => data === 'hidden' && act())
    return () => news.close()
  }, [key])
}
