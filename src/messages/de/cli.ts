import { deCliBackup } from './cli-backup.ts'
import { deCliOperations } from './cli-operations.ts'
import { deCliEmoji } from './cli-emoji.ts'
import type { CliTexts } from '../en/cli.ts'
import { plural } from '../plural.ts'

export const deCli: CliTexts = {
  about: 'Verwaltet einen Rookery-Server über die konfigurierte Datenbank, ob der Server läuft oder nicht.',
  usage: 'Aufruf',
  commands_title: 'Befehle',
  options_title: 'Optionen',
  hint: 'Jeder Befehl erklärt sich mit --help und gibt mit --json JSON aus.',
  see_help: ({ help }) => `Siehe: ${help}`,
  json: 'JSON ausgeben, für Programme',
  help: 'diese Hilfe anzeigen',
  commands: {
    ...deCliBackup.commands,
    ...deCliOperations.commands,
    ...deCliEmoji.commands,
    'accounts create': {
      summary: 'Ein Konto auf diesem Server erstellen',
      options: {
        email: 'E-Mail-Adresse (erforderlich)',
        password: 'Passwort; ohne Angabe wird ein zufälliges erzeugt und angezeigt',
        role: 'Name einer Rolle, etwa Moderator, oder user für keine',
        confirmed: 'die E-Mail-Adresse gilt als bestätigt; sonst wird eine Bestätigungs-E-Mail geschickt',
        approved: 'das Konto genehmigen',
        reattach:
          'dem Benutzer das gelöschte Konto dieses Namens geben: Namen und Adressen; mehr ist davon nicht übrig',
        token: 'ein Zugriffstoken mit diesen Berechtigungen erstellen, etwa "read write follow push"',
      },
    },
    'accounts modify': {
      summary: 'Ein Konto dieses Servers ändern',
      options: {
        email: 'neue E-Mail-Adresse',
        role: 'Name einer Rolle, etwa Moderator, oder user für keine',
        confirm: 'die E-Mail-Adresse als bestätigt markieren',
        approve: 'eine ausstehende Registrierung genehmigen',
        disable: 'die Anmeldung sperren',
        enable: 'die Anmeldung wieder erlauben',
        'disable-2fa': 'Authentisierungs-App, Passkeys und Wiederherstellungscodes entfernen',
      },
    },
    'accounts delete': {
      summary: 'Ein Konto dieses Servers mit allen Beiträgen löschen. Das lässt sich nicht rückgängig machen',
      options: { yes: 'das Löschen bestätigen' },
    },
    'accounts reset-password': {
      summary: 'Einem Konto ein neues zufälliges Passwort geben und es überall abmelden',
      options: {},
    },
    'accounts list': {
      summary: 'Die Konten dieses Servers auflisten, die neuesten zuerst',
      options: {
        limit: 'Anzahl der Konten; ohne Angabe 100',
        before: 'die nächste Seite: Konten, die älter sind als diese Benutzer-ID',
      },
    },
    'settings get': { summary: 'Eine Einstellung dieses Servers anzeigen oder alle', options: {} },
    'settings set': { summary: 'Eine Einstellung dieses Servers ändern. Gilt sofort', options: {} },
    'federation budgets': {
      summary: 'Anzeigen, wie viele Anfragen und neue Konten jeder Host pro Stunde verursacht hat',
      options: { hours: 'Stunden im Rückblick; ohne Angabe 24' },
    },
    'db migrate': { summary: 'Die Datenbank auf diese Version bringen', options: {} },
    'db status': { summary: 'Anzeigen, welche Migrationen die Datenbank hat', options: {} },
    version: { summary: 'Die Version anzeigen', options: {} },
  },
  errors: {
    no_command: ({ name }) => `den Befehl ${name} gibt es nicht`,
    incomplete: ({ name, choices }) => `${name} braucht eines von: ${choices}`,
    no_arguments: ({ words }) => `nimmt keine Argumente, bekam aber: ${words}`,
    needs: ({ what }) => `braucht ${what}`,
    unknown_option: ({ name }) => `die Option ${name} gibt es nicht`,
    value_missing: ({ name }) => `die Option ${name} braucht einen Wert`,
    no_value: ({ name }) => `die Option ${name} nimmt keinen Wert`,
    one_of: ({ name, choices }) => `${name} muss eines davon sein: ${choices}`,
    number: ({ name, min, max }) => `${name} muss eine Zahl von ${min} bis ${max} sein`,
    number_or_none: ({ name, min, max }) => `${name} muss eine Zahl von ${min} bis ${max} sein, oder none`,
    size: ({ name }) => `${name} muss eine Größe wie "5 GB" sein, oder none`,
    user_id: ({ name }) => `${name} muss eine Benutzer-ID sein`,
    unknown_scope: ({ scopes }) => `--token: eine dieser Berechtigungen gibt es nicht: ${scopes}`,
    admin_scopes: 'admin-Berechtigungen sind für Benutzer mit einer Rolle: gib auch --role an.',
    no_account: ({ username }) => `Hier gibt es kein Konto namens ${username}. Siehe: rookery accounts list`,
    no_email: ({ text }) => `${text} ist keine E-Mail-Adresse`,
    contradiction: '--disable und --enable widersprechen sich',
    no_change: 'braucht mindestens eine Änderung, etwa --role admin',
    confirm_deletion: 'löscht endgültig: gib --yes an, um fortzufahren',
    no_role: ({ name, known }) => `die Rolle ${name} gibt es nicht. Es gibt: ${known}`,
    no_setting: ({ name, known }) => `die Einstellung ${name} gibt es nicht. Es gibt: ${known}`,
    set_by_environment: ({ name, variable }) => `${name} ist durch ${variable} in der Umgebung festgelegt.`,
    boolean: ({ name }) => `${name} muss true oder false sein`,
  },
  results: {
    created: ({ handle }) => `${handle} erstellt.`,
    password: ({ password }) => `Passwort: ${password}`,
    token: ({ token }) => `Zugriffstoken: ${token}`,
    changed: ({ username }) => `@${username} geändert.`,
    new_password: ({ username, password }) => `Neues Passwort von @${username}: ${password}`,
    deleted: ({ username }) =>
      `@${username} gelöscht. Der Name bleibt vergeben; der laufende Server informiert andere Server.`,
    no_accounts: 'Es gibt noch keine Konten.',
    columns: { name: 'NAME', email: 'E-MAIL', role: 'ROLLE', state: 'STATUS', since: 'SEIT', id: 'ID' },
    states: {
      suspended: 'gesperrt',
      memorial: 'Gedenkkonto',
      disabled: 'eingefroren',
      unconfirmed: 'unbestätigt',
      pending: 'ausstehend',
      active: 'aktiv',
    },
    up_to_date: 'Die Datenbank ist auf dem neuesten Stand.',
    applied: ({ migrations }) => `Angewendet: ${migrations}.`,
    not_applied: 'noch nicht angewendet',
    limits: ({ requests, caused, accounts }) =>
      `Pro Host und Stunde: ${requests} Anfragen an ihn, ${caused} von ihm verursacht, ${accounts} neue Konten.`,
    requests: ({ count }) => plural('de', count, { one: '# Anfrage', other: '# Anfragen' }),
    caused: ({ count }) => plural('de', count, { one: '# verursacht', other: '# verursacht' }),
    accounts: ({ count }) => plural('de', count, { one: '# neues Konto', other: '# neue Konten' }),
    refused: ({ count }) => plural('de', count, { one: '# abgelehnt', other: '# abgelehnt' }),
    version: ({ version, mastodon, node }) =>
      `Rookery ${version} (bietet die API von Mastodon ${mastodon}; Node ${node})`,
  },
  backup: deCliBackup,
  operations: deCliOperations,
  emoji: deCliEmoji,
}
