import type { Attempt, MailTexts } from '../en/mails.ts'
import { postLines } from '../mailed-posts.ts'

const MAILED_POST = {
  image: 'Bild',
  gifv: 'Animation',
  video: 'Video',
  audio: 'Audio',
  unknown: 'Anhang',
  warning: 'Inhaltswarnung',
  sensitive: 'Inhaltswarnung',
  poll: 'Umfrage',
}

const attempted = ({ ip, device, time }: Attempt): (string | null)[] => [
  ip && `IP-Adresse: ${ip}`,
  device && `Browser: ${device}`,
  `Zeit: ${time}`,
]

export const deMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${server}`,
    lines: [
      `Willkommen bei ${server}, @${username}!`,
      'Folge diesem Link, um zu bestätigen, dass dies deine E-Mail-Adresse ist:',
      link,
      app === null ? null : `Danach kannst du in ${app} weitermachen.`,
      approved
        ? null
        : 'Die Moderation dieses Servers prüft jeden Antrag. Du hörst von ihr, nachdem du deine Adresse bestätigt hast.',
      'Der Link gilt sieben Tage. Wenn du dich nicht registriert hast, ignoriere diese E-Mail: Ohne den Link bleibt das Konto ungenutzt.',
    ],
  }),
  welcome: ({ server, username, handle, domain, profileLink, exploreLink }) => ({
    subject: `Willkommen bei ${server}`,
    lines: [
      `Willkommen bei ${server}, @${username}! ${server} gehört zu einem Netzwerk vieler Server. Menschen auf all diesen Servern können dir unter dieser Adresse folgen:`,
      handle,
      'Erzähle anderen, wer du bist:',
      profileLink,
      'Finde Menschen und Hashtags, denen du folgen möchtest. Ihre Beiträge erscheinen auf deiner Startseite:',
      exploreLink,
      'Du kannst auch eine App für Mastodon benutzen. Wenn sie nach deinem Server fragt, gib ein:',
      domain,
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `Bestätige deine neue E-Mail-Adresse für ${server}`,
    lines: [
      `@${username} möchte auf ${server} künftig diese Adresse verwenden. Folge diesem Link, um sie zu bestätigen:`,
      link,
      'Der Link gilt sieben Tage. Wenn du das nicht bist, ignoriere diese E-Mail: Ohne den Link ändert sich nichts.',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `Eine Ankündigung von ${server}`,
    lines: [`Die Administration von ${server} gibt bekannt:`, announcement],
  }),
  address_changed: ({ server, username, newAddress }) => ({
    subject: `Deine E-Mail-Adresse auf ${server} wurde geändert`,
    lines: [
      `Das Konto @${username} verwendet jetzt die Adresse ${newAddress}. An diese hier gehen keine E-Mails mehr.`,
      'Wenn du sie nicht geändert hast, schreibe sofort der Administration des Servers.',
    ],
  }),
  password_reset: ({ server, username, link }) => ({
    subject: `Wähle ein neues Passwort für ${server}`,
    lines: [
      `Für @${username} auf ${server} wurde ein neues Passwort angefordert. Folge diesem Link, um eines zu wählen:`,
      link,
      'Der Link gilt sechs Stunden. Wenn du es nicht angefordert hast, ignoriere diese E-Mail: Dein Passwort bleibt, wie es ist.',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `Dein Passwort auf ${server} wurde geändert`,
    lines: [
      `Das Passwort von @${username} wurde soeben geändert.`,
      'Wenn du es nicht geändert hast, schreibe der Administration des Servers und fordere hier ein neues an:',
      link,
    ],
  }),
  two_factor_changed: ({ server, username, change, link }) => ({
    subject: `Die Zwei-Faktor-Authentisierung auf ${server} wurde geändert`,
    lines: [
      {
        app_added: `Für @${username} wurde eine Authentisierungs-App hinzugefügt.`,
        app_removed: `Die Authentisierungs-App von @${username} wurde entfernt.`,
        passkey_added: `Für @${username} wurde ein Passkey hinzugefügt.`,
        passkey_removed: `Ein Passkey von @${username} wurde entfernt.`,
        new_codes: `Für @${username} wurden neue Wiederherstellungscodes erstellt. Die alten sind ungültig.`,
        turned_off: `Die Administration des Servers hat die Zwei-Faktor-Authentisierung von @${username} deaktiviert.`,
      }[change],
      'Wenn du das nicht wolltest, schreibe sofort der Administration des Servers und sieh in den Einstellungen deines Kontos nach:',
      link,
    ],
  }),
  wrong_codes: ({ server, username, attempt, link }) => ({
    subject: `Jemand kennt vielleicht dein Passwort auf ${server}`,
    lines: [
      `Jemand hat das richtige Passwort von @${username} eingegeben, danach aber falsche Codes für den zweiten Faktor. Die Anmeldung ist gescheitert.`,
      ...attempted(attempt),
      'Wenn du das nicht warst, wähle hier ein neues Passwort:',
      link,
    ],
  }),
  new_sign_in: ({ server, username, attempt, link }) => ({
    subject: `Neue Anmeldung bei ${server}`,
    lines: [
      `Jemand hat sich als @${username} mit dem richtigen Passwort angemeldet, aus einem Netz, das du hier noch nicht benutzt hast.`,
      ...attempted(attempt),
      'Wenn du das warst, ist nichts zu tun. Wenn nicht, wähle hier ein neues Passwort und beende die Sitzungen, die nicht deine sind:',
      link,
    ],
  }),
  identity_connected: ({ server, username, provider }) => ({
    subject: `Du kannst dich bei ${server} jetzt mit ${provider} anmelden`,
    lines: [
      `Für @${username} ist von jetzt an auch die Anmeldung mit ${provider} möglich.`,
      'Wenn du die Verbindung nicht hergestellt hast, entferne sie in den Einstellungen deines Kontos und schreibe der Administration des Servers.',
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `Neue Meldung auf ${server}`,
    lines: [
      `@${username}, es gibt eine neue Meldung: ${reporter} hat ${target} gemeldet.`,
      'Hier kannst du sie ansehen:',
      link,
      'Du bekommst diese E-Mail, weil du Meldungen bearbeiten darfst. In den Einstellungen deines Kontos kannst du sie abbestellen.',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `Neue Trends auf ${server} zu prüfen`,
    lines: [
      `@${username}, Folgendes kann nach deiner Freigabe im Trend erscheinen.`,
      tags.length > 0 ? `Hashtags: ${tags.join(', ')}` : null,
      links.length > 0 ? `Links: ${links.join(', ')}` : null,
      publishers.length > 0 ? `Herausgeber: ${publishers.join(', ')}` : null,
      statuses.length > 0 ? `Beiträge von: ${statuses.join(', ')}` : null,
      'Hier kannst du alles prüfen:',
      link,
      'Du erhältst diese E-Mail, weil du Trends verwalten darfst.',
    ],
  }),
  warning: ({ server, username, action, text, statuses, collections, link }) => {
    const what = {
      subject: {
        none: `Eine Verwarnung für dein Konto @${username}`,
        disable: `Dein Konto @${username} wurde eingefroren`,
        mark_statuses_as_sensitive: `Inhalte von @${username} wurden mit einer Inhaltswarnung versehen`,
        delete_statuses: `Inhalte von @${username} wurden entfernt`,
        sensitive: `Beiträge von @${username} werden ab jetzt mit einer Inhaltswarnung versehen`,
        silence: `Dein Konto @${username} wurde eingeschränkt`,
        suspend: `Dein Konto @${username} wurde gesperrt`,
      },
      explanation: {
        none: `Die Moderation von ${server} hat dich verwarnt. Dein Konto funktioniert weiter wie bisher.`,
        disable: `Die Moderation von ${server} hat dein Konto eingefroren. Du kannst es nicht mehr benutzen, aber dein Profil und deine Beiträge bleiben, wie sie sind.`,
        mark_statuses_as_sensitive: `Die Moderation von ${server} hat einige deiner Inhalte mit einer Inhaltswarnung versehen. Sie bleiben verborgen, bis jemand sie ansehen möchte.`,
        delete_statuses: `Die Moderation von ${server} hat einige deiner Inhalte entfernt, weil sie gegen die Regeln des Servers verstoßen.`,
        sensitive: `Ab jetzt sind alle Medien in deinen Beiträgen auf ${server} mit einer Inhaltswarnung versehen: Sie bleiben verborgen, bis jemand sie ansehen möchte.`,
        silence: `Die Moderation von ${server} hat dein Konto eingeschränkt. Nur wer dir schon folgt, sieht deine Beiträge auf der Startseite, und Konten, denen du folgen möchtest, müssen deine Anfrage erst annehmen.`,
        suspend: `Die Moderation von ${server} hat dein Konto gesperrt. Niemand kann dein Profil und deine Beiträge mehr sehen. Nach 30 Tagen werden deine Daten endgültig gelöscht.`,
      },
    }
    return {
      subject: what.subject[action],
      lines: [
        what.explanation[action],
        statuses === 0 ? null : `Betroffene Beiträge: ${statuses}`,
        collections === 0 ? null : `Betroffene Sammlungen: ${collections}`,
        text === '' ? null : 'Die Moderation schreibt:',
        text === '' ? null : text,
        'Wenn du das für einen Irrtum hältst, kannst du innerhalb von 20 Tagen Einspruch erheben. Melde dich an, um zu sehen, was geschehen ist, und der Moderation zu schreiben:',
        link,
      ],
    }
  },
  appeal_approved: ({ server, username, date }) => ({
    subject: 'Deinem Einspruch wurde stattgegeben',
    lines: [
      `Die Moderation von ${server} hat deinen Einspruch vom ${date} gelesen und gibt dir recht. Was sie über @${username} entschieden hatte, gilt nicht mehr.`,
    ],
  }),
  appeal_rejected: ({ server, username, date }) => ({
    subject: 'Dein Einspruch wurde abgelehnt',
    lines: [
      `Die Moderation von ${server} hat deinen Einspruch vom ${date} gelesen. Ihre Entscheidung über @${username} bleibt bestehen.`,
    ],
  }),
  account_approved: ({ server, username, link }) => ({
    subject: `Willkommen bei ${server}: Dein Konto ist freigeschaltet`,
    lines: [
      `Die Moderation von ${server} hat deinen Antrag angenommen. Dein Konto @${username} ist bereit; melde dich hier an:`,
      link,
    ],
  }),
  account_rejected: ({ server, username }) => ({
    subject: `Dein Antrag auf ein Konto auf ${server} wurde abgelehnt`,
    lines: [
      `Die Moderation von ${server} hat deinen Antrag auf das Konto @${username} abgelehnt. Was du dabei angegeben hast, ist gelöscht.`,
    ],
  }),
  account_pending: ({ server, applicant, email, reason, link }) => ({
    subject: `@${applicant} möchte ${server} beitreten`,
    lines: [
      `@${applicant} (${email}) hat die E-Mail-Adresse bestätigt und möchte ${server} beitreten.`,
      reason === '' ? null : 'Die Begründung:',
      reason === '' ? null : reason,
      'Hier kannst du den Antrag annehmen oder ablehnen:',
      link,
    ],
  }),
  appeal_received: ({ server, applicant, text, link }) => ({
    subject: `@${applicant} erhebt Einspruch gegen eine Entscheidung auf ${server}`,
    lines: [`@${applicant} schreibt:`, text, 'Hier kannst du dem Einspruch stattgeben oder ihn ablehnen:', link],
  }),
  registrations_need_approval: ({ server, days, link }) => ({
    subject: `Registrierungen auf ${server} brauchen jetzt eine Freigabe`,
    lines: [
      `Seit ${days} Tagen war niemand aus der Moderation auf ${server} aktiv. Damit der Server nicht unbemerkt missbraucht wird, muss die Moderation neue Konten ab jetzt freigeben.`,
      'Die Administration kann die Registrierung hier wieder öffnen:',
      link,
    ],
  }),
  unread_notifications: ({ server, username, lines, hasMore, link, settings, unsubscribe }) => ({
    subject: `Ungelesene Benachrichtigungen auf ${server}`,
    lines: [
      `Das ist in deiner Abwesenheit passiert, @${username}:`,
      ...lines.map((line) => `• ${line}`),
      hasMore ? '… und mehr.' : null,
      'Alles siehst du hier:',
      link,
      'Du hast dich für diese E-Mail entschieden. Ändern kannst du das in deinen Einstellungen:',
      settings,
      'Über diesen Link beendest du diese E-Mails:',
      unsubscribe,
    ],
  }),
  archive_ready: ({ server, username, date, link }) => ({
    subject: `Dein Archiv von ${server} ist fertig`,
    lines: [
      `Das Archiv von @${username}, das du angefordert hast, ist fertig. Du kannst es bis zum ${date} herunterladen, wenn du angemeldet bist:`,
      link,
      'Wenn du es nicht angefordert hast, wähle ein neues Passwort und beende die Sitzungen, die nicht deine sind.',
    ],
  }),
  terms_changed: ({ server, date, link, changelog }) => ({
    subject: `Die Nutzungsbedingungen von ${server} ändern sich`,
    lines: [
      `Die Nutzungsbedingungen von ${server} ändern sich am ${date}. Hier kannst du die neue Fassung lesen:`,
      link,
      changelog === '' ? null : 'Was sich ändert:',
      changelog === '' ? null : changelog,
      'Wenn du dein Konto nach diesem Tag weiter verwendest, gelten die neuen Bedingungen.',
    ],
  }),
  email_subscription: ({ server, handle, link }) => ({
    subject: `Bestätige, dass du die Beiträge von ${handle} bekommen möchtest`,
    lines: [
      `Jemand hat auf ${server} diese Adresse angegeben, um neue öffentliche Beiträge von ${handle} per E-Mail zu bekommen. Wenn du das warst, folge diesem Link und bestätige es:`,
      link,
      'Der Link gilt sieben Tage. Wenn du das nicht warst, ignoriere diese E-Mail: Ohne den Link bekommst du nichts weiter.',
    ],
  }),
  new_posts: ({ handle, name, posts, hasMore, subject, link, unsubscribe }) => ({
    subject:
      posts.length > 1
        ? `Neue Beiträge von ${name}`
        : subject === ''
          ? `Neuer Beitrag von ${name}`
          : `${name}: ${subject}`,
    lines: [
      ...posts.flatMap((post) => postLines(post, MAILED_POST, 'de')),
      hasMore ? 'Es gibt weitere neue Beiträge:' : null,
      hasMore ? link : null,
      `Du bekommst diese E-Mail, weil mit dieser Adresse die Beiträge von ${handle} abonniert wurden. Folge diesem Link, um sie abzubestellen:`,
      unsubscribe,
    ],
  }),
}
