import { groupedNumber, plural } from '../plural.ts'
import type { DisputeTexts } from '../en/disputes.ts'

export const deDisputes: DisputeTexts = {
  strikes: {
    title: 'Moderationsverlauf',
    lead: 'Was die Moderation dieses Servers über dein Konto entschieden hat. Du kannst innerhalb von 20 Tagen Einspruch erheben.',
    empty: 'Die Moderation musste dir noch nie schreiben.',
    disabled: 'Dein Konto ist eingefroren: Du kannst es nicht benutzen. Unten steht, was geschehen ist.',
    suspended:
      'Dein Konto ist gesperrt: Niemand kann es sehen, und am {date} werden seine Daten gelöscht. Unten steht, was geschehen ist.',
    gone: 'Dein Konto ist gesperrt. Unten steht, was geschehen ist.',
    sign_out: 'Abmelden',
    back: 'Der ganze Moderationsverlauf',
    reason: 'Was die Moderation schreibt',
    no_reason: 'Die Moderation hat keinen Grund genannt.',
    posts: 'Betroffene Beiträge',
    removed: 'Die Beiträge gibt es nicht mehr.',
    overruled: 'Gilt nicht mehr',
    appeal: 'Einspruch',
    appeal_text: 'Warum hältst du das für einen Irrtum?',
    appeal_hint: 'Die Moderation liest ihn und antwortet per E-Mail. Du kannst einmal Einspruch erheben.',
    send: 'Einspruch senden',
    until: 'Du kannst bis {date} Einspruch erheben.',
    too_late: 'Die 20 Tage, in denen du Einspruch erheben konntest, sind vorbei.',
    yours: 'Dein Einspruch vom {date}',
    sent: 'Dein Einspruch ist gesendet. Du bekommst eine E-Mail, wenn die Moderation entschieden hat.',
    count: ({ count }) => plural('de', count, { one: '# Beitrag', other: '# Beiträge' }, groupedNumber),
    states: {
      pending: 'Wartet auf eine Entscheidung',
      approved: 'Angenommen',
      rejected: 'Abgelehnt',
    },
    actions: {
      none: 'Verwarnung',
      disable: 'Konto eingefroren',
      mark_statuses_as_sensitive: 'Beiträge als heikel markiert',
      delete_statuses: 'Beiträge entfernt',
      sensitive: 'Medien immer als heikel markiert',
      silence: 'Konto eingeschränkt',
      suspend: 'Konto gesperrt',
    },
  },
  severed: {
    title: 'Getrennte Verbindungen',
    lead: 'Folgen-Beziehungen, die endeten, weil ein Server blockiert oder ein Konto gesperrt wurde. 30 Tage lang kannst du herunterladen, wen du verloren hast.',
    empty: 'Du hast so noch keine Verbindung verloren.',
    domain_block: 'Die Administration hat {name} blockiert',
    user_domain_block: 'Du hast {name} blockiert',
    account_suspension: 'Die Moderation hat {name} gesperrt',
    download_followers: 'Verlorene Follower herunterladen',
    download_following: 'Verlorene Gefolgte herunterladen',
    purged: 'Die Listen sind nicht mehr gespeichert.',
    followers: ({ count }) => plural('de', count, { one: '# Follower', other: '# Follower' }, groupedNumber),
    following: ({ count }) =>
      plural(
        'de',
        count,
        { one: '# Konto, dem du gefolgt bist', other: '# Konten, denen du gefolgt bist' },
        groupedNumber,
      ),
  },
}
