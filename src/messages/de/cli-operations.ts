import type { CliOperationsTexts } from '../en/cli-operations.ts'
import { plural } from '../plural.ts'

export const deCliOperations: CliOperationsTexts = {
  commands: {
    'accounts approve': {
      summary: 'Eine wartende Registrierung genehmigen, die am längsten wartenden, oder alle',
      options: { number: 'wie viele, von den am längsten wartenden', 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts suspend': {
      summary: 'Ein Konto dieses oder eines anderen Servers sperren. Das lässt sich 30 Tage lang rückgängig machen',
      options: { text: 'was dem Konto mitgeteilt wird', 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts unsuspend': {
      summary: 'Die Sperre eines Kontos aufheben',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts memorialize': {
      summary: 'Das Konto eines verstorbenen Menschen zum Gedenkkonto machen',
      options: { undo: 'wieder ein gewöhnliches Konto daraus machen', 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts follow': {
      summary: 'Alle Konten dieses Servers einem Konto folgen lassen',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts unfollow': {
      summary: 'Alle Konten dieses Servers einem Konto entfolgen lassen',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts reset-relationships': {
      summary: 'Alle Folgebeziehungen eines Kontos dieses Servers beenden, alle Follower entfernen, oder beides',
      options: {
        follows: 'allen entfolgen, denen das Konto folgt',
        followers: 'alle entfernen, die dem Konto folgen',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'accounts rotate-keys': {
      summary: 'Einem Konto einen neuen Signaturschlüssel geben, oder allen',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts backup': {
      summary: 'Das Archiv der Daten eines Kontos erstellen, das dort heruntergeladen werden kann',
      options: {},
    },
    'accounts migrate': {
      summary: 'Mit einem Konto dieses Servers zu einem anderen Konto umziehen, das es als Alias nennen muss',
      options: {
        target: 'Konto, zu dem umgezogen wird',
        replay: 'den letzten Umzug noch einmal senden, für Follower auf Servern, die ihn nicht ausgeführt haben',
      },
    },
    'accounts refresh': {
      summary: 'Konten anderer Server neu holen, durch Aufgaben des Servers',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts cull': {
      summary: 'Konten anderer Server löschen, die es dort nicht mehr gibt',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'accounts merge': {
      summary:
        'Zwei Konten anderer Server zusammenführen, die derselben Person gehören, etwa nachdem ihr Server eine neue Domain bekommen hat. FROM wird gelöscht; seine Beiträge, Follower, Listen und Blockierungen gehen an TO',
      options: {
        force: 'auch Konten, die nie denselben Schlüssel hatten',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'accounts prune': {
      summary: 'Konten anderer Server löschen, mit denen hier niemand zu tun hat',
      options: {
        days: 'nur die seit so vielen Tagen nicht abgerufenen; 7, wenn nichts angegeben ist',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'domains block': {
      summary: 'Einen Server für alle hier sperren',
      options: {
        severity: 'suspend (Standard), silence oder noop',
        'reject-media': 'keine Medien von dort speichern',
        'reject-reports': 'Meldungen von dort ignorieren',
        comment: 'warum, für das Team',
        'public-comment': 'warum, für alle',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'domains unblock': {
      summary: 'Die Sperre eines Servers aufheben',
      options: {
        'restore-follows': 'die Folgebeziehungen wiederherstellen, die die Sperre getrennt hat',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'domains purge': {
      summary: 'Alle Konten und Beiträge von Servern löschen. Das lässt sich nicht rückgängig machen',
      options: { yes: 'das Löschen bestätigen', 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'domains stats': {
      summary: 'Die bekannten Server auflisten',
      options: { limit: 'wie viele Zeilen; 100, wenn nichts angegeben ist' },
    },
    'domains crawl': {
      summary: 'Alle bekannten Server nach ihrer Software fragen',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'ip-blocks list': {
      summary: 'Die gesperrten IP-Adressen und -Bereiche auflisten, neueste zuerst',
      options: { limit: 'wie viele Zeilen; 100, wenn nichts angegeben ist' },
    },
    'ip-blocks add': {
      summary: 'IP-Adressen oder -Bereiche sperren',
      options: {
        severity: 'sign_up_requires_approval, sign_up_block oder no_access (erforderlich)',
        comment: 'warum, für das Team',
        duration: 'wie viele Sekunden die Sperre gilt; sonst ohne Ende',
      },
    },
    'ip-blocks remove': {
      summary: 'Sperren von IP-Adressen oder -Bereichen aufheben',
      options: {
        covering: 'auch Sperren von Bereichen aufheben, in denen sie liegen',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'ip-blocks export': {
      summary: 'Die Adressen und Bereiche ohne Zugriff ausgeben, für eine Firewall oder einen Proxy',
      options: { format: 'plain (Standard) oder nginx' },
    },
    'email-domain-blocks list': {
      summary: 'Die E-Mail-Domains auflisten, mit denen sich niemand registrieren kann, neueste zuerst',
      options: { limit: 'wie viele Zeilen; 100, wenn nichts angegeben ist' },
    },
    'email-domain-blocks add': {
      summary: 'Registrierungen mit E-Mail-Adressen von Domains ablehnen',
      options: {
        'allow-with-approval': 'solche Registrierungen vom Team genehmigen lassen, statt sie abzulehnen',
        'with-dns-records': 'auch die Mailserver der Domains und deren Adressen sperren',
      },
    },
    'email-domain-blocks remove': {
      summary: 'Sperren von E-Mail-Domains aufheben, und die der Mailserver, die mit ihnen gesperrt wurden',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'canonical-email-blocks find': {
      summary: 'Zeigen, ob eine E-Mail-Adresse für Registrierungen gesperrt ist, in welcher Schreibweise auch immer',
      options: {},
    },
    'canonical-email-blocks remove': {
      summary: 'Die Sperre einer E-Mail-Adresse aufheben',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'media remove': {
      summary: 'Unbenutzte Kopien von Medien anderer Server löschen. Bei Bedarf werden sie neu geholt',
      options: {
        days: 'nur die seit so vielen Tagen unbenutzten; 7, wenn nichts angegeben ist',
        'keep-interacted':
          'die in Beiträgen lassen, die jemand hier favorisiert, als Lesezeichen gespeichert, geteilt, beantwortet oder zitiert hat',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'media usage': { summary: 'Zeigen, wie viel Platz Medien brauchen', options: {} },
    'media refresh': {
      summary: 'Die Bilder von Konten anderer Server neu holen',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'media remove-orphans': {
      summary: 'Dateien löschen, die in der Datenbank nicht vorkommen',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'media lookup': {
      summary:
        'Zeigen, zu welchem Beitrag, Konto oder Emoji eine Datei gehört, nach ihrer Adresse hier oder auf ihrem Server',
      options: {},
    },
    'feeds build': {
      summary: 'Die Startseite eines Kontos neu aufbauen, oder alle',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'feeds clear': {
      summary: 'Alle Startseiten löschen. Sie werden neu aufgebaut, sobald sie gelesen werden',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'search deploy': { summary: 'Den Suchindex neu aufbauen, während der Server läuft', options: {} },
    'statuses remove': {
      summary:
        'Beiträge anderer Server löschen, auf die hier niemand reagiert hat. Beiträge von Konten, denen hier jemand folgt, bleiben',
      options: {
        days: 'nur solche, die älter als so viele Tage sind; 90, wenn nichts angegeben ist',
        'clean-followed': 'auch Beiträge gefolgter Konten löschen',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    'settings registrations': {
      summary: 'Registrierungen öffnen oder schließen, oder vom Team genehmigen lassen',
      options: {},
    },
    'cache clear': {
      summary: 'Gespeicherte Übersetzungen löschen, und laufende Server Einstellungen neu lesen lassen',
      options: {},
    },
    'cache recount': {
      summary: 'Beiträge, Follower und Reaktionen neu zählen und falsche Zahlen berichtigen',
      options: {},
    },
    'maintenance reindex': {
      summary: 'Alle Indizes der Datenbank neu aufbauen, während der Server läuft',
      options: { 'dry-run': 'nur sagen, was geschehen würde' },
    },
    'self-destruct': {
      summary:
        'Alle Konten dieses Servers löschen und es allen anderen Servern mitteilen. Das lässt sich nicht rückgängig machen',
      options: {
        confirm: 'die Domain dieses Servers; sonst wird danach gefragt',
        'dry-run': 'nur sagen, was geschehen würde',
      },
    },
    statistics: { summary: 'Zahlen dieses Servers zeigen', options: {} },
  },
  done: ({ what }: { what: string }) => `Erledigt: ${what}.`,
  nothing_changed: 'Es wurde nichts geändert.',
  would: ({ what }: { what: string }) => `Betrifft: ${what}. Nichts wurde geändert.`,
  units: {
    accounts: ({ count }) => plural('de', count, { one: '# Konto', other: '# Konten' }),
    blocks: ({ count }) => plural('de', count, { one: '# Sperre', other: '# Sperren' }),
    corrections: ({ count }) => plural('de', count, { one: '# Berichtigung', other: '# Berichtigungen' }),
    emojis: ({ count }) => plural('de', count, { one: '# Emoji', other: '# Emojis' }),
    feeds: ({ count }) => plural('de', count, { one: '# Startseite', other: '# Startseiten' }),
    files: ({ count }) => plural('de', count, { one: '# Datei', other: '# Dateien' }),
    follows: ({ count }) => plural('de', count, { one: '# Folgebeziehung', other: '# Folgebeziehungen' }),
    posts: ({ count }) => plural('de', count, { one: '# Beitrag', other: '# Beiträge' }),
    rows: ({ count }) => plural('de', count, { one: '# Zeile', other: '# Zeilen' }),
    servers: ({ count }) => plural('de', count, { one: '# Server', other: '# Server' }),
    tables: ({ count }) => plural('de', count, { one: '# Tabelle', other: '# Tabellen' }),
    translations: ({ count }) => plural('de', count, { one: '# Übersetzung', other: '# Übersetzungen' }),
  },
  progress: ({ done, total }: { done: number; total: number }) => `${done} von ${total}`,
  so_far: ({ count }: { count: number }) => `bisher ${count}`,
  no_domain: ({ text }: { text: string }) => `${text} ist keine Domain wie example.org`,
  not_remote_account: ({ text }: { text: string }) => `„${text}“ ist kein Konto eines anderen Servers.`,
  same_account: 'Das ist ein und dasselbe Konto.',
  other_key:
    'Die Konten haben keinen gemeinsamen Schlüssel: prüfe, ob sie derselben Person gehören, und verwende --force.',
  not_remote: ({ text }: { text: string }) =>
    `${text} nennt kein Konto eines anderen Servers. Gib eines mit seinem Server an, wie ada@example.org, eine Domain oder all.`,
  unreachable: ({ domains }: { domains: string }) => `Diese Server haben nicht geantwortet: ${domains}`,
  block_effects: ({
    accounts,
    statuses,
    following,
    followers,
  }: {
    accounts: number
    statuses: number
    following: number
    followers: number
  }) =>
    `Konten: ${accounts}. Beiträge: ${statuses}. Verlorene Folgebeziehungen: ${following} von hier, ${followers} von dort.`,
  reindex_at_work: 'Die Indexe werden schon von einem anderen Aufruf dieses Befehls neu aufgebaut.',
  suspended_already: ({ name }: { name: string }) => `${name} ist schon gesperrt.`,
  blocked_already: ({ domain }: { domain: string }) => `${domain} ist schon gesperrt.`,
  not_pending: ({ username }: { username: string }) => `@${username} wartet nicht auf Freigabe.`,
  unknown_server: ({ domain }: { domain: string }) => `${domain} ist hier nicht bekannt. Siehe: rookery domains stats`,
  not_blocked: ({ domain }: { domain: string }) => `${domain} ist nicht gesperrt.`,
  skipped: {
    blocked: ({ names }: { names: string }) => `Schon gesperrt: ${names}`,
    not_blocked: ({ names }: { names: string }) => `Nicht gesperrt: ${names}`,
  },
  email_blocked: ({ email }: { email: string }) => `${email} ist gesperrt.`,
  email_of: ({ username }: { username: string }) => `Es ist die Adresse des gesperrten Kontos @${username}.`,
  no_range: ({ text }: { text: string }) => `${text} ist keine IP-Adresse und kein Bereich wie 192.0.2.0/24`,
  no_media_address: ({ text }: { text: string }) => `${text} ist keine Adresse einer Datei`,
  unknown_media: ({ text }: { text: string }) => `Kein Beitrag, Konto oder Emoji hat die Datei ${text}.`,
  no_budget: 'Kopien von Medien anderer Server sind unbegrenzt.',
  budget: ({ size }: { size: string }) =>
    `Kopien von Medien anderer Server dürfen ${size} belegen (media_cache_max_bytes).`,
  self_destruct_effects: ({ accounts, servers }) =>
    `Das löscht ${accounts} mit allen Beiträgen endgültig und benachrichtigt ${servers}.`,
  type_domain: ({ domain }: { domain: string }) => `Tippe ${domain}, um fortzufahren:`,
  wrong_domain: ({ domain }: { domain: string }) =>
    `Nichts geschah: Die Domain ${domain} wurde nicht eingegeben. Verwende in Skripten --confirm ${domain}.`,
  self_destructed: ({ accounts, servers }) =>
    `${accounts} gelöscht. Lass den Server laufen, bis die Nachricht bei allen angekommen ist (${servers}): siehe rookery statistics.`,
  registration_columns: {
    range: 'BEREICH',
    severity: 'REGEL',
    until: 'BIS',
    since: 'SEIT',
    comment: 'NOTIZ',
    never: 'kein Ende',
    domain: 'DOMAIN',
    sign_ups: 'REGISTRIERUNGEN',
    refused: 'abgelehnt',
    with_approval: 'mit Genehmigung',
    mail_server_of: 'MAILSERVER VON',
  },
  media_owner: {
    kind: 'Datei',
    kinds: { attachment: 'Anhang', avatar: 'Profilbild', header: 'Titelbild', emoji: 'Emoji' },
    status: 'Beitrag',
    account: 'Konto',
    emoji: 'Emoji',
    page: 'Administration',
  },
  server_columns: {
    domain: 'SERVER',
    software: 'SOFTWARE',
    accounts: 'KONTEN',
    following: 'GEFOLGT',
    followers: 'FOLLOWER',
    delivered: 'ZUGESTELLT',
    failed: 'FEHLGESCHLAGEN',
  },
  usage_columns: { kind: 'WAS', files: 'DATEIEN', size: 'GRÖSSE' },
  statistics: {
    users: 'Benutzer',
    active_month: 'Aktiv in 30 Tagen',
    statuses: 'Beiträge',
    servers: 'Bekannte Server',
    media_cache: 'Kopien von Medien anderer Server',
    jobs_due: 'Fällige Aufgaben',
    jobs_delayed: 'Aufgaben für später',
    jobs_failed: 'Fehlgeschlagene Aufgaben',
  },
}
