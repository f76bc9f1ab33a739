import type { Translated } from './pages.ts'

type Name = { name: string }

/** The English texts of notifications, for push messages and for apps that do not know a type. `name`: who caused it. */
export const enNotifications = {
  titles: {
    mention: ({ name }: Name) => `${name} mentioned you`,
    status: ({ name }: Name) => `${name} just posted`,
    reblog: ({ name }: Name) => `${name} boosted your post`,
    follow: ({ name }: Name) => `${name} is now following you`,
    follow_request: ({ name }: Name) => `${name} has requested to follow you`,
    favourite: ({ name }: Name) => `${name} favourited your post`,
    poll: ({ name }: Name) => `A poll by ${name} has ended`,
    update: ({ name }: Name) => `${name} edited a post`,
    'admin.sign_up': ({ name }: Name) => `${name} signed up`,
    'admin.report': ({ name }: Name) => `${name} submitted a report`,
    severed_relationships: () => 'Some of your connections were lost',
    moderation_warning: () => 'You have received a moderation warning',
    quote: ({ name }: Name) => `${name} quoted your post`,
    quoted_update: ({ name }: Name) => `${name} edited a post you have quoted`,
    added_to_collection: ({ name }: Name) => `${name} added you to a collection`,
    collection_update: ({ name }: Name) => `${name} updated a collection you are in`,
  },
  /** More about a notification that shows neither a post nor a profile. */
  details: {
    severed_relationships: 'A moderation decision, or a domain that you blocked, has ended some of your follows.',
    moderation_warning: 'The moderators of this server have sent you a warning.',
    'admin.report': 'Please look at the report.',
  },
}

export type NotificationTexts = Translated<typeof enNotifications>
