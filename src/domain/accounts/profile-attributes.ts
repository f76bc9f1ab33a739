import type { Static, TArray, TBoolean, TSchema, TString } from 'typebox'
import type { Actor } from '../../ap/actor.ts'
import type { Accounts } from '../../db/schema.ts'
import { commaList, name, sql, type Sql } from '../../db/sql.ts'
import { cutText } from '../../lib/text/count.ts'

export const DISPLAY_NAME_LIMIT = 30
export const IMAGE_DESCRIPTION_LIMIT = 150

/** The types of the actors that are bots. */
const BOT_TYPES: readonly string[] = ['Service', 'Application']

/** A condition on the type of an actor. */
export const isBotSql = (type: Sql): Sql => sql`${type} = any(${BOT_TYPES}::text[])`

type Column = keyof Accounts

type ProfileAttribute = {
  column: Column
  /** The type of the API's parameter, and of the entities' member unless `nullable` adds null. */
  schema: TSchema
  nullable?: true
  /** The most characters of a text, or members of a list. */
  limit?: number
  /** The entities besides Profile that have the member: Account, or `source` of CredentialAccount. */
  shownIn: readonly ('account' | 'source')[]
  /** A parameter of `PATCH /api/v1/profile` alone, and not of `update_credentials`. */
  profileOnly?: true
  /** The column's value for suspended and deleted accounts. Absent: they show what is stored. */
  blank?: unknown
  /** The property of local actors' documents. Its value is the column's, or `blank` for null; an empty list is left out. */
  activityPub?: string
  fromActor?: (actor: Actor) => unknown
  /** Convert between the API's value and the column's, where they differ. */
  toColumn?: (value: never) => unknown
  fromColumn?: (value: never) => unknown
}

// Written out: loading typebox, which the command line needs for nothing else, would slow down the start of each command.
const text = { type: 'string' } as TString
const boolean = { type: 'boolean' } as TBoolean
const texts = { type: 'array', items: text } as TArray<TString>

/**
 * The members of a profile that are one column of `accounts`, by their names in the API. Parameters, entities, the limits,
 * actor documents in both directions, suspension and deletion follow from this record. The note, the profile fields, the avatar
 * and the header take several columns each: see profile-update.ts and profile-images.ts.
 */
export const profileAttributes = {
  display_name: {
    column: 'display_name',
    schema: text,
    limit: DISPLAY_NAME_LIMIT,
    shownIn: ['account'],
    blank: '',
    activityPub: 'name',
    fromActor: (actor) => toLine(actor.name ?? ''),
  },
  avatar_description: {
    column: 'avatar_description',
    schema: text,
    limit: IMAGE_DESCRIPTION_LIMIT,
    shownIn: ['account'],
    blank: '',
    fromActor: (actor) => cutText(actor.icon?.description ?? '', MAX_REMOTE_DESCRIPTION),
  },
  header_description: {
    column: 'header_description',
    schema: text,
    limit: IMAGE_DESCRIPTION_LIMIT,
    shownIn: ['account'],
    blank: '',
    fromActor: (actor) => cutText(actor.image?.description ?? '', MAX_REMOTE_DESCRIPTION),
  },
  locked: {
    column: 'locked',
    schema: boolean,
    shownIn: ['account'],
    blank: false,
    activityPub: 'manuallyApprovesFollowers',
    fromActor: (actor) => actor.manuallyApprovesFollowers,
  },
  bot: {
    column: 'actor_type',
    schema: boolean,
    shownIn: ['account'],
    blank: 'Person',
    fromActor: (actor) => actor.type,
    toColumn: (bot: boolean) => (bot ? 'Service' : 'Person'),
    fromColumn: (type: string) => BOT_TYPES.includes(type),
  },
  discoverable: {
    column: 'discoverable',
    schema: boolean,
    nullable: true,
    shownIn: ['account', 'source'],
    blank: false,
    activityPub: 'discoverable',
    fromActor: (actor) => actor.discoverable,
  },
  indexable: {
    column: 'indexable',
    schema: boolean,
    shownIn: ['account', 'source'],
    blank: false,
    activityPub: 'indexable',
    fromActor: (actor) => actor.indexable ?? false,
  },
  hide_collections: {
    column: 'hide_collections',
    schema: boolean,
    nullable: true,
    shownIn: ['account', 'source'],
  },
  show_media: {
    column: 'show_media',
    schema: boolean,
    shownIn: ['account'],
    profileOnly: true,
    activityPub: 'showMedia',
    fromActor: (actor) => actor.showMedia ?? true,
  },
  show_media_replies: {
    column: 'show_media_replies',
    schema: boolean,
    shownIn: ['account'],
    profileOnly: true,
    activityPub: 'showRepliesInMedia',
    fromActor: (actor) => actor.showRepliesInMedia ?? true,
  },
  show_featured: {
    column: 'show_featured',
    schema: boolean,
    shownIn: ['account'],
    profileOnly: true,
    activityPub: 'showFeatured',
    fromActor: (actor) => actor.showFeatured ?? true,
  },
  attribution_domains: {
    column: 'attribution_domains',
    schema: texts,
    limit: 100,
    shownIn: ['source'],
    blank: [],
    activityPub: 'attributionDomains',
    fromActor: (actor) => actor.attributionDomains,
  },
} as const satisfies Record<string, ProfileAttribute>

const MAX_REMOTE_NAME = 500
const MAX_REMOTE_DESCRIPTION = 1500

/** A name from a remote actor: one line, cut to the length that is stored. */
export const toLine = (text: string): string => cutText(text.replace(/\s+/g, ' ').trim(), MAX_REMOTE_NAME)

export type ProfileAttributes = typeof profileAttributes
type AttributeName = keyof ProfileAttributes
export type ProfileColumn = ProfileAttributes[AttributeName]['column']

export const profileAttributeList = Object.entries(profileAttributes) as readonly (readonly [
  AttributeName,
  ProfileAttribute,
])[]

export const profileColumns = profileAttributeList.map(([, { column }]) => column) as readonly ProfileColumn[]

/** For a select list with the alias `a`. */
export const selectedProfileColumns: Sql = commaList(profileColumns.map((column) => name(`a.${column}`)))

/** Absent members stay as they are. */
export type ProfileChanges = { -readonly [Name in AttributeName]?: Static<ProfileAttributes[Name]['schema']> } & {
  note?: string
  fields?: { name: string; value: string }[]
  avatar?: NewImage
  header?: NewImage
}

/** `size` in bytes; null removes the image. */
export type NewImage = { path: string; size: number } | null

export function assignmentsOf(changes: ProfileChanges): Sql[] {
  return profileAttributeList.flatMap(([key, { column, toColumn }]) => {
    const value = changes[key]
    if (value === undefined) return []
    return [sql`${name(column)} = ${toColumn ? toColumn(value as never) : value}`]
  })
}

type ProfileRow = Pick<Accounts, ProfileColumn>

/** All attributes for `profile`; otherwise those whose `shownIn` has `where`. */
export function attributesOf<Where extends 'account' | 'source' | 'profile'>(
  row: ProfileRow,
  where: Where,
): AttributesIn<Where> {
  const shown = profileAttributeList.filter(([, { shownIn }]) => where === 'profile' || shownIn.includes(where))
  return Object.fromEntries(
    shown.map(([key, { column, fromColumn }]) => {
      const value = row[column as ProfileColumn]
      return [key, fromColumn ? fromColumn(value as never) : value]
    }),
  ) as AttributesIn<Where>
}

type NamesIn<Where> = {
  [Name in AttributeName]: Where extends 'profile'
    ? Name
    : Where extends ProfileAttributes[Name]['shownIn'][number]
      ? Name
      : never
}[AttributeName]

export type AttributesIn<Where> = {
  [Name in NamesIn<Where>]:
    | Static<ProfileAttributes[Name]['schema']>
    | (ProfileAttributes[Name] extends { nullable: true } ? null : never)
}

/** The profile columns of suspended and deleted accounts. */
export const blankProfile = {
  ...Object.fromEntries(
    profileAttributeList.flatMap(([, { column, blank }]) => (blank === undefined ? [] : [[column, blank]])),
  ),
  note: '',
  note_text: '',
  fields: [],
  emojis: [],
  avatar_key: null,
  avatar_static_key: null,
  header_key: null,
  header_static_key: null,
}

export const blankAssignments: Sql = commaList(
  Object.entries(blankProfile).map(([column, value]) =>
    column === 'fields' || column === 'emojis'
      ? sql`${name(column)} = '[]'::jsonb`
      : sql`${name(column)} = ${value as unknown}`,
  ),
)

export function actorPropertiesOf(row: ProfileRow): Record<string, unknown> {
  return Object.fromEntries(
    profileAttributeList.flatMap(([, { column, activityPub, blank }]) => {
      const value: unknown = row[column as ProfileColumn] ?? blank
      if (activityPub === undefined || (Array.isArray(value) && value.length === 0)) return []
      return [[activityPub, value]]
    }),
  )
}

export function columnsFromActor(actor: Actor): Partial<Record<ProfileColumn, unknown>> & { indexable: boolean } {
  const values = profileAttributeList.flatMap(([, { column, fromActor }]) =>
    fromActor ? [[column, fromActor(actor)]] : [],
  )
  return Object.fromEntries(values) as Partial<Record<ProfileColumn, unknown>> & { indexable: boolean }
}
