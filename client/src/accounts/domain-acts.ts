// Blocks of whole domains. Each act returns whether it succeeded.
import { api, read } from '../api/client.ts'
import type { Relationship } from '../api/entities.ts'
import { changeRelationshipsAt } from '../state/accounts.ts'
import { announce } from '../state/tabs.ts'
import { texts } from '../texts.ts'
import { hideInTimelines } from '../timelines/timelines.ts'
import { offerUndo, optimistic } from '../ui/optimistic.ts'

type DomainAct = {
  host: string
  shown: Partial<Relationship>
  request: () => Promise<unknown>
  done: string
  undo: (host: string) => Promise<boolean>
}

export const blockDomain = (host: string): Promise<boolean> =>
  act({
    host,
    shown: { domain_blocking: true, following: false, followed_by: false },
    request: () => read(api.POST('/api/v1/domain_blocks', { body: { domain: host } })),
    done: texts.accounts.domain_blocked({ host }),
    undo: unblockDomain,
  })

export const unblockDomain = (host: string): Promise<boolean> =>
  act({
    host,
    shown: { domain_blocking: false },
    request: () => read(api.DELETE('/api/v1/domain_blocks', { params: { query: { domain: host } } })),
    done: texts.accounts.domain_unblocked({ host }),
    undo: blockDomain,
  })

async function act({ host, shown, request, done, undo }: DomainAct): Promise<boolean> {
  const changeBack = changeRelationshipsAt(host, shown)
  const showAgain = shown.domain_blocking ? hideInTimelines(({ acct }) => acct.endsWith(`@${host}`)) : () => {}
  const undoShown = () => {
    changeBack()
    showAgain()
  }
  const isDone = await optimistic({ on: `domain ${host}`, undo: undoShown, request, done: () => announce('hidden') })
  if (isDone)
    offerUndo(done, () => {
      showAgain()
      return undo(host)
    })
  return isDone
}
