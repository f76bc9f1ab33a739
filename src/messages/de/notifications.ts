import type { NotificationTexts } from '../en/notifications.ts'

export const deNotifications: NotificationTexts = {
  titles: {
    mention: ({ name }) => `${name} hat dich erwähnt`,
    status: ({ name }) => `${name} hat gerade einen Beitrag veröffentlicht`,
    reblog: ({ name }) => `${name} hat deinen Beitrag geteilt`,
    follow: ({ name }) => `${name} folgt dir jetzt`,
    follow_request: ({ name }) => `${name} möchte dir folgen`,
    favourite: ({ name }) => `${name} hat deinen Beitrag favorisiert`,
    poll: ({ name }) => `Eine Umfrage von ${name} ist beendet`,
    update: ({ name }) => `${name} hat einen Beitrag bearbeitet`,
    'admin.sign_up': ({ name }) => `${name} hat sich registriert`,
    'admin.report': ({ name }) => `${name} hat eine Meldung eingereicht`,
    severed_relationships: () => 'Einige deiner Verbindungen sind verloren gegangen',
    moderation_warning: () => 'Du wurdest von der Moderation verwarnt',
    quote: ({ name }) => `${name} hat deinen Beitrag zitiert`,
    quoted_update: ({ name }) => `${name} hat einen Beitrag bearbeitet, den du zitiert hast`,
    added_to_collection: ({ name }) => `${name} hat dich zu einer Sammlung hinzugefügt`,
    collection_update: ({ name }) => `${name} hat eine Sammlung aktualisiert, in der du bist`,
  },
  details: {
    severed_relationships:
      'Eine Moderationsentscheidung oder eine Domain, die du blockiert hast, hat einige deiner Verbindungen beendet.',
    moderation_warning: 'Die Moderation dieses Servers hat dich verwarnt.',
    'admin.report': 'Bitte sieh dir die Meldung an.',
  },
}
