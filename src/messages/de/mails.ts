import type { MailTexts } from '../en/mails.ts'

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
        : 'Die Moderation dieses Servers prüft jede Anfrage. Du hörst von ihr, nachdem du deine Adresse bestätigt hast.',
      'Der Link gilt sieben Tage. Wenn du dich nicht registriert hast, ignoriere diese E-Mail: Ohne den Link bleibt das Konto ungenutzt.',
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
    lines: [`Die Administratoren von ${server} geben bekannt:`, announcement],
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
      'Wenn du es nicht geändert hast, fordere hier ein neues an und schreibe der Administration des Servers:',
      link,
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
}
