import type { NotificationType } from './types.ts'

/** What happened, in one line of plain text. `name`: whoever did it. */
const TITLES: Record<NotificationType, (name: string) => string> = {
  mention: (name) => `${name} mentioned you`,
  status: (name) => `${name} just posted`,
  reblog: (name) => `${name} boosted your post`,
  follow: (name) => `${name} is now following you`,
  follow_request: (name) => `${name} has requested to follow you`,
  favourite: (name) => `${name} favourited your post`,
  poll: (name) => `A poll by ${name} has ended`,
  update: (name) => `${name} edited a post`,
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} submitted a report`,
  severed_relationships: () => 'Some of your connections were lost',
  moderation_warning: () => 'You have received a moderation warning',
  quote: (name) => `${name} quoted your post`,
  quoted_update: (name) => `${name} edited a post you have quoted`,
  added_to_collection: (name) => `${name} added you to a collection`,
  collection_update: (name) => `${name} updated a collection you are in`,
}

/** The title of a notification, as plain text. */
export const titleOf = (type: NotificationType, name: string): string => TITLES[type](name)

/** What there is to say where neither a post nor a profile says it. */
const DETAILS: Partial<Record<NotificationType, string>> = {
  severed_relationships: 'A moderation decision, or a domain that you blocked, has ended some of your follows.',
  moderation_warning: 'The people who run this server have sent you a warning.',
  'admin.report': 'Please look at the report.',
}

/** A sentence more about a notification, as plain text; null where the post or the profile it is about says enough. */
export const detailOf = (type: NotificationType): string | null => DETAILS[type] ?? null

/** The beginning of a text, on one line, with `…` where something was cut: at most `limit` characters. */
export function excerpt(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > limit
    ? `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
    : line
}
