import type { CliBackupTexts } from '../en/cli-backup.ts'
import { plural } from '../plural.ts'

export const esCliBackup: CliBackupTexts = {
  commands: {
    backup: {
      summary:
        'Escribir un archivo con la base de datos, las claves y una lista de todos los archivos multimedia, mientras el servidor funciona',
      options: {
        media:
          'incluir también los archivos subidos; las copias de archivos multimedia remotos se omiten, porque el servidor las vuelve a obtener',
      },
    },
    restore: {
      summary: 'Restaurar un archivo de `rookery backup` en un servidor vacío. Primero se verifica el archivo entero',
      options: { 'dry-run': 'solo verificar el archivo' },
    },
  },
  problems: {
    file_exists: ({ file }: { file: string }) => `${file} ya existe. Elige otro nombre.`,
    no_file: ({ file }: { file: string }) => `${file} no se puede leer.`,
    not_writable: ({ file, code }: { file: string; code: string }) =>
      `No se puede escribir ${file} (${code}). Comprueba que la carpeta exista, que este usuario pueda escribir en ella y que quede espacio en el disco.`,
    not_a_backup: ({ file }: { file: string }) => `${file} no es un archivo de rookery backup.`,
    damaged: ({ member }: { member: string }) => `El archivo está dañado (${member}). No se ha cambiado nada.`,
    incomplete: 'El archivo está incompleto. No se ha cambiado nada.',
    newer: ({ version }: { version: string }) =>
      `El archivo procede de Rookery ${version}, que esta instalación no conoce. Actualízala, o usa esa versión. No se ha cambiado nada.`,
    other_domain: ({ theirs, own }: { theirs: string; own: string }) =>
      `El archivo pertenece a ${theirs}, y este servidor es ${own}. Define LOCAL_DOMAIN=${theirs}. No se ha cambiado nada.`,
    other_secret:
      'SECRET_KEY_BASE difiere del que hay en el archivo. Quítalo, o ponle el valor del archivo. No se ha cambiado nada.',
    no_secret:
      'La clave secreta no se puede leer. Ejecuta el comando como el usuario del servidor, con los mismos DATA_DIR y SECRET_KEY_BASE.',
    not_migrated: 'No hay ningún Rookery en esta base de datos.',
    not_empty:
      'Este servidor ya tiene cuentas o publicaciones. Un archivo solo se restaura en un servidor vacío. No se ha cambiado nada.',
    running: 'El servidor está en marcha. Deténlo primero. No se ha cambiado nada.',
  },
  tables: ({ done, total, table, size }: { done: number; total: number; table: string; size: string }) =>
    `${done} de ${total} tablas (${table}), ${size}`,
  steps: {
    verify: ({ size }: { size: string }) => `Verificando, ${size}`,
    restore: ({ size }: { size: string }) => `Restaurando, ${size}`,
    check: 'Comprobando los datos restaurados',
  },
  done: ({ file, rows, files, included, size }) =>
    `Escrito ${file}: ${rows}, ${files} en la lista, ${included} dentro, ${size}. Guárdalo en secreto: contiene las claves.`,
  good: ({ domain, date, rows, files }) => `El archivo de ${domain} del ${date} está completo: ${rows}, ${files}.`,
  restored: ({ domain, date, rows, files }) =>
    `Restaurado ${domain} tal como estaba el ${date}: ${rows}, ${files}. Inicia ahora el servidor.`,
  missing: ({ count }) =>
    plural('es', count, { one: 'Falta # archivo subido.', other: 'Faltan # archivos subidos.' }) +
    ' Copia aquí la carpeta files/ del directorio de datos antiguo.',
}
