import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Context } from '../../src/context.ts'
import { updateProfileRow } from '../../src/domain/accounts/profile-update.ts'
import { checkProfile } from '../../src/domain/accounts/profile-rules.ts'
import { hashPassword } from '../../src/domain/auth/passwords.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { changeFilters } from '../../src/actions/filters.ts'
import { createFilter } from '../../src/domain/filters/filters.ts'
import { reblog } from '../../src/actions/statuses/reblog.ts'
import { publishStatus } from '../../src/actions/statuses/publish.ts'
import { bookmark, favourite } from '../../src/actions/statuses/interactions.ts'
import { composeStatus } from '../../src/actions/statuses/compose.ts'
import { vote } from '../../src/actions/statuses/polls.ts'
import { addListMembers } from '../../src/actions/lists.ts'
import { insertList } from '../../src/domain/lists/lists.ts'
import { createAttachment } from '../../src/domain/media/attachments.ts'
import { follow } from '../../src/actions/accounts/follow.ts'
import { findPollOf } from '../../src/domain/statuses/polls/polls.ts'
import { addHistory } from './history.ts'
import { addCommunity, addRules } from './community.ts'
import { addRegistration } from './registration.ts'
import { addReports } from './reports.ts'
import type { Citizen, Posted, Seeded, SeedOptions } from './types.ts'
import { type Random, TAGS, createRandom, displayName, pollOptions, postText, word } from './random.ts'

export const PASSWORD = 'correct horse battery'

/**
 * Fills a server through the acts that the API uses, with all their effects. The result resembles a server in use.
 */
export async function seed(ctx: Context, options: SeedOptions): Promise<Seeded> {
  const random = createRandom(options.seed)
  const people = await makePeople(ctx, options, random)
  await followEachOther(ctx, options, random, people)
  const statuses = await post(ctx, options, random, people)
  await interact(ctx, options, random, people, statuses)
  await addListsAndFilters(ctx, options, random, people)
  await addHistory(ctx, random, people)
  const seeded = { people, statuses }
  await addRules(ctx)
  await addReports(ctx, options, random, seeded)
  await addCommunity(ctx, random, people)
  await addRegistration(ctx, people)
  return seeded
}

async function makePeople(ctx: Context, { accounts, progress }: SeedOptions, random: Random): Promise<Citizen[]> {
  const people: Citizen[] = []
  const passwordHash = await hashPassword(PASSWORD)
  for (let i = 0; i < accounts; i++) {
    const username = `${word(random)}${i}`
    const ids = await createUser(ctx, {
      username,
      email: `${username}@localhost`,
      password: PASSWORD,
      passwordHash,
      confirmed: true,
    })
    const fields = random.chance(0.5) ? [{ name: 'Likes', value: `#${random.pick(TAGS)}` }] : []
    const changes = {
      display_name: displayName(random),
      note: postText(random),
      discoverable: random.chance(0.8),
      indexable: random.chance(0.7),
      fields,
    }
    await updateProfileRow(ctx, ids.accountId, checkProfile(changes))
    people.push({ id: ids.accountId, userId: ids.userId, username })
    progress('accounts', i + 1, accounts)
  }
  return people
}

/** The first accounts have the most followers. */
async function followEachOther(
  ctx: Context,
  { progress }: SeedOptions,
  random: Random,
  people: Citizen[],
): Promise<void> {
  for (const [i, person] of people.entries()) {
    const wanted = Math.min(people.length - 1, 3 + random.below(30))
    const targets = new Set(
      Array.from({ length: wanted }, () => people[Math.floor(random.next() ** 2 * people.length)] as Citizen),
    )
    for (const target of targets)
      if (target !== person) await follow(ctx, { accountId: person.id, targetAccountId: target.id })
    progress('followers', i + 1, people.length)
  }
}

async function post(
  ctx: Context,
  { statuses: wanted, progress }: SeedOptions,
  random: Random,
  people: Citizen[],
): Promise<Posted[]> {
  const made: Posted[] = []
  const folder = mkdtempSync(join(tmpdir(), 'rookery-seed-'))
  try {
    for (let i = 0; i < wanted; i++) {
      const author = random.pick(people)
      const share = random.next()
      const visibility = share < 0.8 ? 'public' : share < 0.9 ? 'unlisted' : share < 0.97 ? 'private' : 'direct'
      const kind = random.next()
      const parent = random.chance(0.25)
        ? made.filter((status) => status.visibility === 'public').at(-1 - random.below(20))
        : undefined
      const mentioned = visibility === 'direct' || random.chance(0.15) ? `@${random.pick(people).username} ` : ''
      const isPoll = kind < 0.03
      const draft = await composeStatus(
        ctx,
        { accountId: author.id, settings: {}, locale: 'en', appId: null },
        {
          status: `${mentioned}${postText(random)}`,
          visibility,
          ...(random.chance(0.05) ? { spoiler_text: word(random) } : {}),
          ...(parent ? { in_reply_to_id: parent.id } : {}),
          ...(isPoll ? { poll: { options: pollOptions(random), expires_in: 86_400 } } : {}),
          ...(kind > 0.95 ? { media_ids: [await uploadImage(ctx, random, author.id, folder)] } : {}),
          language: random.chance(0.9) ? 'en' : 'de',
        },
      )
      const { id } = await publishStatus(ctx, draft)
      made.push({ id, authorId: author.id, visibility, isPoll })
      progress('statuses', i + 1, wanted)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return made
}

async function uploadImage(ctx: Context, random: Random, accountId: string, folder: string): Promise<string> {
  const background = { r: random.below(256), g: random.below(256), b: random.below(256) }
  const data = await sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const path = join(folder, 'image.jpg')
  writeFileSync(path, data)
  return (
    await createAttachment(ctx, accountId, { path, size: data.length }, { description: `An image of ${word(random)}` })
  ).id
}

async function interact(
  ctx: Context,
  { progress }: SeedOptions,
  random: Random,
  people: Citizen[],
  statuses: Posted[],
): Promise<void> {
  const open = statuses.filter(({ visibility }) => visibility === 'public' || visibility === 'unlisted')
  for (const [i, status] of open.entries()) {
    const crowd = new Set(Array.from({ length: random.below(6) }, () => random.pick(people)))
    for (const person of crowd) {
      if (person.id === status.authorId) continue
      await favourite(ctx, person.id, status.id)
      if (random.chance(0.2)) await reblog(ctx, { accountId: person.id, statusId: status.id })
      if (random.chance(0.1)) await bookmark(ctx, person.id, status.id)
      const poll = status.isPoll ? await findPollOf(ctx, status.id) : null
      if (poll) await vote(ctx, person.id, poll, [random.below(2)])
    }
    progress('interactions', i + 1, open.length)
  }
}

async function addListsAndFilters(
  ctx: Context,
  { progress }: SeedOptions,
  random: Random,
  people: Citizen[],
): Promise<void> {
  const owners = people.filter((_, i) => i % 5 === 0)
  for (const [i, person] of owners.entries()) {
    const list = await insertList(ctx, person.id, { title: displayName(random) })
    const members = people.filter((other) => other !== person).slice(0, 2)
    for (const member of members) await follow(ctx, { accountId: person.id, targetAccountId: member.id })
    await addListMembers(
      ctx,
      list,
      members.map(({ id }) => id),
    )
    const filter = {
      title: word(random),
      context: ['home', 'public'] as const,
      filter_action: random.pick(['warn', 'hide', 'blur'] as const),
      keywords_attributes: [{ keyword: word(random), whole_word: true }],
    }
    await changeFilters(ctx, person.id, (tx) => createFilter(tx, person.id, filter))
    progress('lists and filters', i + 1, owners.length)
  }
}
