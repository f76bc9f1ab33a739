import type { CliEmojiTexts } from '../en/cli-emoji.ts'

export const esCliEmoji: CliEmojiTexts = {
  commands: {
    'emoji import': {
      summary:
        'Añadir las imágenes de una carpeta, un tar o un tar.gz, o una sola, como emojis, con el nombre de sus archivos',
      options: {
        prefix: 'texto antes de cada nombre',
        suffix: 'texto después de cada nombre',
        category: 'categoría de los emojis',
        overwrite: 'sustituir las imágenes de los emojis que existen; si no, se omiten',
        unlisted: 'no mostrar los emojis en los selectores de las aplicaciones',
        'dry-run': 'solo mostrar lo que se importaría',
      },
    },
    'emoji export': {
      summary: 'Escribir los emojis de este servidor en un tar.gz nuevo',
      options: { category: 'solo esta categoría' },
    },
    'emoji purge': {
      summary: 'Eliminar emojis',
      options: {
        remote: 'todos los emojis de otros servidores; vuelven a aparecer cuando se usan',
        suspended: 'solo los emojis de servidores suspendidos',
        domain: 'los emojis de un servidor',
        local: 'los emojis de este servidor',
        'dry-run': 'solo contarlos',
        yes: 'confirmar que se eliminan los emojis de este servidor',
      },
    },
  },
  imported: ({ imported, replaced, skipped, failed }) =>
    `${imported} importados, ${replaced} sustituidos, ${skipped} omitidos, ${failed} fallidos`,
  exported: ({ emojis, file }) => `Escrito en ${file}: ${emojis}`,
  exists: ({ file }) => `${file} ya existe. Elige otro nombre.`,
  unreadable: ({ file }) => `No se puede leer o escribir ${file}.`,
  not_an_archive: ({ file }) =>
    `${file} no es una imagen PNG, GIF o WebP, ni un archivo tar o tar.gz completo de tales imágenes.`,
}
