import type { CliBackupTexts } from '../en/cli-backup.ts'
import { plural } from '../plural.ts'

export const deCliBackup: CliBackupTexts = {
  commands: {
    backup: {
      summary:
        'Ein Archiv der Datenbank, der Schlüssel und einer Liste aller Medien schreiben, während der Server läuft',
      options: {
        media:
          'auch hochgeladene Dateien ins Archiv aufnehmen; Kopien von Medien anderer Server fehlen, da der Server sie neu holt',
      },
    },
    restore: {
      summary:
        'Ein Archiv von `rookery backup` in einen leeren Server einspielen. Zuerst wird das ganze Archiv geprüft',
      options: { 'dry-run': 'das Archiv nur prüfen' },
    },
  },
  problems: {
    file_exists: ({ file }: { file: string }) => `${file} gibt es schon. Wähle einen anderen Namen.`,
    no_file: ({ file }: { file: string }) => `${file} kann nicht gelesen werden.`,
    not_writable: ({ file, code }: { file: string; code: string }) =>
      `${file} kann nicht geschrieben werden (${code}). Prüfe, ob es den Ordner gibt, ob dieser Benutzer darin schreiben darf und ob auf dem Datenträger Platz ist.`,
    not_a_backup: ({ file }: { file: string }) => `${file} ist kein Archiv von rookery backup.`,
    damaged: ({ member }: { member: string }) => `Das Archiv ist beschädigt (${member}). Nichts wurde geändert.`,
    incomplete: 'Das Archiv ist unvollständig. Nichts wurde geändert.',
    newer: ({ version }: { version: string }) =>
      `Das Archiv stammt von Rookery ${version}, das diese Installation nicht kennt. Aktualisiere sie, oder verwende jene Version. Nichts wurde geändert.`,
    other_domain: ({ theirs, own }: { theirs: string; own: string }) =>
      `Das Archiv gehört zu ${theirs}, und dieser Server ist ${own}. Setze LOCAL_DOMAIN=${theirs}. Nichts wurde geändert.`,
    other_secret:
      'SECRET_KEY_BASE ist anders als im Archiv. Entferne es, oder setze es auf den Wert des Archivs. Nichts wurde geändert.',
    no_secret:
      'Der geheime Schlüssel kann nicht gelesen werden. Führe den Befehl als Benutzer des Servers aus, mit denselben DATA_DIR und SECRET_KEY_BASE.',
    not_migrated: 'In dieser Datenbank ist kein Rookery.',
    not_empty:
      'Dieser Server hat schon Konten oder Beiträge. Ein Archiv wird nur in einen leeren Server eingespielt. Nichts wurde geändert.',
    running: 'Der Server läuft. Halte ihn zuerst an. Nichts wurde geändert.',
  },
  tables: ({ done, total, table, size }: { done: number; total: number; table: string; size: string }) =>
    `${done} von ${total} Tabellen (${table}), ${size}`,
  steps: {
    verify: ({ size }: { size: string }) => `Wird geprüft, ${size}`,
    restore: ({ size }: { size: string }) => `Wird eingespielt, ${size}`,
    check: 'Die eingespielten Daten werden geprüft',
  },
  done: ({ file, rows, files, included, size }) =>
    `${file} geschrieben: ${rows}, ${files} aufgelistet, ${included} enthalten, ${size}. Halte es geheim: Es enthält die Schlüssel.`,
  good: ({ domain, date, rows, files }) => `Das Archiv von ${domain} vom ${date} ist vollständig: ${rows}, ${files}.`,
  restored: ({ domain, date, rows, files }) =>
    `${domain} auf dem Stand vom ${date} wiederhergestellt: ${rows}, ${files}. Starte jetzt den Server.`,
  missing: ({ count }) =>
    plural('de', count, { one: '# hochgeladene Datei fehlt.', other: '# hochgeladene Dateien fehlen.' }) +
    ' Kopiere den Ordner files/ des alten Datenverzeichnisses hierher.',
}
