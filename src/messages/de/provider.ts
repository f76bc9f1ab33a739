import type { ProviderTexts } from '../en/provider.ts'

export const deProvider: ProviderTexts = {
  sign_in: ({ name }) => `Mit ${name} anmelden`,
  sign_up: ({ name }) => `Mit ${name} registrieren`,
  only: ({ name }) => `Dieser Server nimmt keine Passwörter und keine Passkeys an. Melde dich mit ${name} an.`,
  leaving: ({ name }) => `Du wirst zu ${name} weitergeleitet. Wenn nichts geschieht, benutze die Schaltfläche.`,
  almost: ({ name }) => `Du hast dich mit ${name} angemeldet. Noch ein Schritt, und du hast hier ein Konto.`,
  username: 'Deine Adresse wird {handle}. Sie kann später nicht geändert werden.',
  email: 'Deine E-Mail-Adresse ist {email}. Sie wird anderen nicht gezeigt.',
  email_unverified:
    'Deine E-Mail-Adresse ist {email}. Sie wird anderen nicht gezeigt. Wir schicken einen Link dorthin, um die Adresse zu bestätigen.',
  applied: 'Danke für deinen Antrag',
  back: 'Zurück zu den Einstellungen',
  problems: {
    denied: {
      title: 'Du wurdest nicht angemeldet',
      text: ({ name }) =>
        `${name} hat dich nicht angemeldet, oder du hast dort abgebrochen. Versuche es noch einmal, oder frage die Betreiber von ${name}, ob du Zugang hast.`,
    },
    unreachable: {
      title: 'Keine Antwort',
      text: ({ name }) =>
        `Dieser Server erreicht ${name} gerade nicht. Versuche es in ein paar Minuten noch einmal. Wenn es dabei bleibt, schreibe der Administration dieses Servers.`,
    },
    clock: {
      title: 'Die Uhren gehen verschieden',
      text: ({ name }) =>
        `Die Uhr von ${name} oder die dieses Servers geht falsch, sodass die Anmeldung nicht geprüft werden kann. Versuche es in ein paar Minuten noch einmal. Wenn es dabei bleibt, schreibe der Administration dieses Servers.`,
    },
    invalid: {
      title: 'Die Anmeldung konnte nicht geprüft werden',
      text: ({ name }) =>
        `Dieser Server kann die Antwort von ${name} nicht prüfen. Versuche es noch einmal. Wenn es dabei bleibt, schreibe der Administration dieses Servers: Der Grund steht im Protokoll.`,
    },
    expired: {
      title: 'Diese Anmeldung ist beendet',
      text: () =>
        'Sie hat zu lange gedauert, wurde schon beantwortet oder begann in einem anderen Browser. Beginne hier neu, und erlaube Cookies für diesen Server.',
    },
    taken: {
      title: 'Du hast hier schon ein Konto',
      text: ({ name }) =>
        `Ein Konto auf diesem Server hat die E-Mail-Adresse, die ${name} für dich nennt. Melde dich dort an wie bisher, und verbinde es in den Einstellungen unter „Passwort und E-Mail“ mit ${name}. Wenn du dich nicht anmelden kannst, schreibe der Administration dieses Servers.`,
    },
    connected: {
      title: 'Diese Verbindung ist nicht möglich',
      text: ({ name }) =>
        `Dein Konto bei ${name} ist mit einem anderen Konto hier verbunden, oder dein Konto hier mit einem anderen bei ${name}. Entferne zuerst jene Verbindung.`,
    },
  },
  connect: ({ name }) => `Mit ${name} verbinden`,
  connect_hint: ({ name }) => `Verbinde dein Konto mit ${name}, um dich hier damit anzumelden.`,
  connected_since: ({ name }) => `Seit {day} kannst du dich mit ${name} anmelden.`,
  disconnect: 'Verbindung entfernen',
  disconnect_needs_password:
    'Um die Verbindung zu entfernen, brauchst du ein Passwort: Sonst könntest du dich nicht mehr anmelden. {link}',
  choose_password: ({ name }) => `Du hast kein Passwort: Du meldest dich mit ${name} an. {link}`,
  choose_password_link: 'Passwort wählen',
  notices: {
    connected: 'Dein Konto ist verbunden.',
    disconnected:
      'Die Verbindung ist entfernt, andere Browser sind abgemeldet. Melde dich von jetzt an mit deinem Passwort an.',
  },
  sign_in_again: ({ name }) =>
    `Deine letzte Anmeldung mit ${name} ist eine Weile her. {link}, bevor du weitermachst. Wenn ${name} nicht fragt, wer du bist, melde dich dort zuerst ab.`,
  sign_in_again_link: 'Melde dich erneut an',
  not_fresh: 'Deine Anmeldung ist zu lange her. Melde dich erneut an, und wiederhole es innerhalb von 15 Minuten.',
}
