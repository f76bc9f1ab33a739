// POST /api/v1/polls is not found: polls are created with their status.
import Type from 'typebox'
import { refreshPollIfStale, vote } from '../actions/statuses/polls.ts'
import { getVisiblePoll } from '../domain/statuses/polls/polls.ts'
import { Poll } from '../entities/poll.ts'
import { Empty } from '../entities/schema.ts'
import { presentPollOf } from '../entities/status-presenter.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

export const createPoll = route({
  summary: 'Always not found: polls are created with their status',
  scope: 'write:statuses',
  returns: Empty,
  handle: async () => {
    throw new NotFound()
  },
})

export const getPoll = route({
  summary: 'A poll; polls of other servers are refreshed in the background',
  auth: 'public',
  scope: 'read:statuses',
  cacheable: true,
  params: { id: IdParam },
  returns: Poll,
  async handle({ ctx, viewer, params }) {
    const poll = await getVisiblePoll(ctx, viewer, params.id)
    await refreshPollIfStale(ctx, poll)
    return presentPollOf(ctx, viewer, poll.status_id)
  },
})

export const voteInPoll = route({
  summary: 'Vote in a poll; in a multiple-choice poll later votes add further options',
  scope: 'write:statuses',
  // Not integers: parsing one would cut off a fraction, and so choose another option.
  params: { id: IdParam, choices: Type.Optional(Type.Array(Type.Number())) },
  returns: Poll,
  async handle({ ctx, viewer, params }) {
    const poll = await getVisiblePoll(ctx, viewer, params.id)
    await vote(ctx, viewer.accountId, poll, params.choices ?? [])
    return presentPollOf(ctx, viewer, poll.status_id)
  },
})
