import { plural } from '../../plural.ts'
import type { ClientTransferTexts } from '../../en/client/transfer.ts'

export const esClientTransfer: ClientTransferTexts = {
  title: 'Ajustes en un archivo',
  explanation:
    'Lleva estos ajustes y tus columnas a otro navegador. El archivo no contiene contraseñas ni otros secretos.',
  with_drafts: 'Con borradores',
  with_drafts_hint: 'Solo sus textos: los adjuntos se quedan en este dispositivo.',
  export: 'Exportar',
  import: 'Importar…',
  preview_title: '¿Importar estos ajustes?',
  from: 'De {account}, {time}',
  other_account: 'El archivo es de otra cuenta, así que se omiten sus columnas y borradores.',
  nothing: 'Todo está ya como en el archivo.',
  change: '{before} → {after}',
  on: 'Activado',
  off: 'Desactivado',
  apply: 'Importar',
  imported: 'Ajustes importados',
  unknown: 'Este no es un archivo de ajustes. Elige uno que se haya exportado aquí.',
  too_new: 'Una versión más reciente creó este archivo. Recarga esta página y vuelve a intentarlo.',
  too_large: 'El archivo es demasiado grande.',
  drafts_added: ({ count }: { count: number }) =>
    plural('es', count, { one: 'Se añadirá # borrador.', other: 'Se añadirán # borradores.' }),
}
