import { plural } from '../../plural.ts'
import type { ClientTransferTexts } from '../../en/client/transfer.ts'

export const deClientTransfer: ClientTransferTexts = {
  title: 'Einstellungen als Datei',
  explanation:
    'Bringt diese Einstellungen und deine Spalten in einen anderen Browser. Die Datei enthält keine Passwörter oder andere Geheimnisse.',
  with_drafts: 'Mit Entwürfen',
  with_drafts_hint: 'Nur ihre Texte: Anhänge bleiben auf diesem Gerät.',
  export: 'Exportieren',
  import: 'Importieren …',
  preview_title: 'Diese Einstellungen importieren?',
  from: 'Von {account}, {time}',
  other_account: 'Die Datei stammt von einem anderen Konto. Ihre Spalten und Entwürfe werden deshalb ausgelassen.',
  nothing: 'Alles ist schon wie in der Datei.',
  change: '{before} → {after}',
  on: 'Ein',
  off: 'Aus',
  apply: 'Importieren',
  imported: 'Einstellungen importiert',
  unknown: 'Das ist keine Datei mit Einstellungen. Wähle eine, die hier exportiert wurde.',
  too_new: 'Eine neuere Version hat diese Datei erstellt. Lade diese Seite neu und versuche es dann erneut.',
  too_large: 'Die Datei ist zu groß.',
  drafts_added: ({ count }: { count: number }) =>
    plural('de', count, { one: '# Entwurf kommt hinzu.', other: '# Entwürfe kommen hinzu.' }),
}
