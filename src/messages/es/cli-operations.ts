import type { CliOperationsTexts } from '../en/cli-operations.ts'
import { plural } from '../plural.ts'

export const esCliOperations: CliOperationsTexts = {
  commands: {
    'accounts approve': {
      summary: 'Aprobar un registro pendiente, los más antiguos, o todos',
      options: { number: 'cuántos, de los más antiguos', 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts suspend': {
      summary: 'Suspender una cuenta de este u otro servidor. Se puede deshacer durante 30 días',
      options: { text: 'qué decir a la cuenta', 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts unsuspend': {
      summary: 'Deshacer la suspensión de una cuenta',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts memorialize': {
      summary: 'Convertir en conmemorativa la cuenta de una persona fallecida',
      options: { undo: 'volver a convertirla en una cuenta normal', 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts follow': {
      summary: 'Hacer que todas las cuentas de este servidor sigan a una cuenta',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts unfollow': {
      summary: 'Hacer que todas las cuentas de este servidor dejen de seguir a una cuenta',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts reset-relationships': {
      summary:
        'Terminar todos los seguimientos de una cuenta de este servidor, quitar todos sus seguidores, o ambas cosas',
      options: {
        follows: 'terminar todos sus seguimientos',
        followers: 'quitar todos sus seguidores',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'accounts rotate-keys': {
      summary: 'Dar una nueva clave de firma a una cuenta, o a todas',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts backup': {
      summary: 'Crear el archivo con los datos de un usuario, que este puede descargar',
      options: {},
    },
    'accounts migrate': {
      summary: 'Mover una cuenta de este servidor a otra cuenta, que debe nombrarla como alias',
      options: {
        target: 'cuenta a la que se mueve',
        replay: 'enviar de nuevo la última mudanza, para los seguidores de servidores que no la hicieron',
      },
    },
    'accounts refresh': {
      summary: 'Volver a obtener cuentas de otros servidores, mediante tareas del servidor',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts cull': {
      summary: 'Borrar cuentas de otros servidores que allí ya no existen',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts merge': {
      summary:
        'Fusionar dos cuentas de otros servidores que son de la misma persona, por ejemplo cuando su servidor cambió de dominio. FROM se borra; sus publicaciones, seguidores, listas y bloqueos pasan a TO',
      options: { force: 'también cuentas que nunca tuvieron la misma clave', 'dry-run': 'solo decir lo que se haría' },
    },
    'accounts prune': {
      summary: 'Borrar cuentas de otros servidores con las que nadie de aquí tiene relación',
      options: {
        days: 'solo las que lleven tantos días sin obtenerse; 7 si no se indica',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'domains block': {
      summary: 'Bloquear un servidor para todos aquí',
      options: {
        severity: 'suspend (por defecto), silence o noop',
        'reject-media': 'no guardar sus archivos multimedia',
        'reject-reports': 'ignorar sus denuncias',
        comment: 'por qué, para el equipo',
        'public-comment': 'por qué, para todos',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'domains unblock': {
      summary: 'Terminar el bloqueo de un servidor',
      options: {
        'restore-follows': 'restaurar los seguimientos que el bloqueo cortó',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'domains purge': {
      summary: 'Borrar todas las cuentas y publicaciones de servidores. No se puede deshacer',
      options: { yes: 'confirmar el borrado', 'dry-run': 'solo decir lo que se haría' },
    },
    'domains stats': {
      summary: 'Listar los servidores conocidos',
      options: { limit: 'cuántas filas; 100 si no se indica' },
    },
    'domains crawl': {
      summary: 'Preguntar a todos los servidores conocidos qué software usan',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'ip-blocks list': {
      summary: 'Listar las direcciones y rangos IP bloqueados, los más recientes primero',
      options: { limit: 'cuántas filas; 100 si no se indica' },
    },
    'ip-blocks add': {
      summary: 'Bloquear direcciones o rangos IP',
      options: {
        severity: 'sign_up_requires_approval, sign_up_block o no_access (obligatorio)',
        comment: 'por qué, para el equipo',
        duration: 'cuántos segundos dura el bloqueo; sin ello, no tiene fin',
      },
    },
    'ip-blocks remove': {
      summary: 'Quitar los bloqueos de direcciones o rangos IP',
      options: {
        covering: 'quitar también los bloqueos de los rangos que las contienen',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'ip-blocks export': {
      summary: 'Mostrar las direcciones y rangos sin acceso, para un cortafuegos o un proxy',
      options: { format: 'plain (por defecto) o nginx' },
    },
    'email-domain-blocks list': {
      summary: 'Listar los dominios de correo que no pueden registrarse, los más recientes primero',
      options: { limit: 'cuántas filas; 100 si no se indica' },
    },
    'email-domain-blocks add': {
      summary: 'Rechazar registros con direcciones de correo de dominios',
      options: {
        'allow-with-approval': 'dejar que el equipo apruebe esos registros en lugar de rechazarlos',
        'with-dns-records': 'bloquear también los servidores de correo de los dominios y sus direcciones',
      },
    },
    'email-domain-blocks remove': {
      summary: 'Quitar los bloqueos de dominios de correo y de los servidores de correo bloqueados con ellos',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'canonical-email-blocks find': {
      summary: 'Mostrar si una dirección de correo no puede registrarse, se escriba como se escriba',
      options: {},
    },
    'canonical-email-blocks remove': {
      summary: 'Quitar el bloqueo de una dirección de correo',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'media remove': {
      summary: 'Borrar copias de archivos multimedia remotos sin usar. Se vuelven a obtener si hacen falta',
      options: {
        days: 'solo las que lleven tantos días sin usarse; 7 si no se indica',
        'keep-interacted':
          'dejar las de publicaciones que alguien de aquí haya marcado como favoritas, guardado en marcadores, impulsado, respondido o citado',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'media usage': { summary: 'Mostrar cuánto espacio ocupan los archivos multimedia', options: {} },
    'media refresh': {
      summary: 'Volver a obtener las imágenes de cuentas de otros servidores',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'media remove-orphans': {
      summary: 'Borrar archivos que nada en la base de datos nombra',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'media lookup': {
      summary: 'Mostrar a qué publicación, cuenta o emoji pertenece un archivo, por su dirección aquí o en su servidor',
      options: {},
    },
    'feeds build': {
      summary: 'Volver a construir la cronología de inicio de una cuenta, o de todas',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'feeds clear': {
      summary: 'Borrar todas las cronologías de inicio. Se reconstruyen cuando se leen',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'search deploy': { summary: 'Volver a construir el índice de búsqueda mientras el servidor funciona', options: {} },
    'statuses remove': {
      summary:
        'Borrar publicaciones de otros servidores a las que nadie de aquí reaccionó. Las de cuentas seguidas desde aquí se quedan',
      options: {
        days: 'solo las que tengan más de tantos días; 90 si no se indica',
        'clean-followed': 'borrar también las publicaciones de cuentas seguidas',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    'settings registrations': { summary: 'Abrir o cerrar los registros, o someterlos a aprobación', options: {} },
    'cache clear': {
      summary: 'Borrar las traducciones guardadas, y hacer que los servidores vuelvan a leer los ajustes',
      options: {},
    },
    'cache recount': {
      summary: 'Volver a contar publicaciones, seguidores y reacciones, y corregir cifras erróneas',
      options: {},
    },
    'maintenance reindex': {
      summary: 'Volver a construir todos los índices de la base de datos mientras el servidor funciona',
      options: { 'dry-run': 'solo decir lo que se haría' },
    },
    'self-destruct': {
      summary: 'Borrar todas las cuentas de este servidor y avisar a todos los demás. No se puede deshacer',
      options: {
        confirm: 'el dominio de este servidor; se pregunta si no se indica',
        'dry-run': 'solo decir lo que se haría',
      },
    },
    statistics: { summary: 'Mostrar cifras de este servidor', options: {} },
  },
  done: ({ what }: { what: string }) => `Hecho: ${what}.`,
  nothing_changed: 'No se ha cambiado nada.',
  would: ({ what }: { what: string }) => `Se haría: ${what}. No se ha cambiado nada.`,
  units: {
    accounts: ({ count }) => plural('es', count, { one: '# cuenta', other: '# cuentas' }),
    blocks: ({ count }) => plural('es', count, { one: '# bloqueo', other: '# bloqueos' }),
    corrections: ({ count }) => plural('es', count, { one: '# corrección', other: '# correcciones' }),
    emojis: ({ count }) => plural('es', count, { one: '# emoji', other: '# emojis' }),
    feeds: ({ count }) => plural('es', count, { one: '# cronología de inicio', other: '# cronologías de inicio' }),
    files: ({ count }) => plural('es', count, { one: '# archivo', other: '# archivos' }),
    follows: ({ count }) => plural('es', count, { one: '# seguimiento', other: '# seguimientos' }),
    posts: ({ count }) => plural('es', count, { one: '# publicación', other: '# publicaciones' }),
    rows: ({ count }) => plural('es', count, { one: '# fila', other: '# filas' }),
    servers: ({ count }) => plural('es', count, { one: '# servidor', other: '# servidores' }),
    tables: ({ count }) => plural('es', count, { one: '# tabla', other: '# tablas' }),
    translations: ({ count }) => plural('es', count, { one: '# traducción', other: '# traducciones' }),
  },
  progress: ({ done, total }: { done: number; total: number }) => `${done} de ${total}`,
  so_far: ({ count }: { count: number }) => `${count} hasta ahora`,
  no_domain: ({ text }: { text: string }) => `${text} no es un dominio como example.org`,
  not_remote_account: ({ text }: { text: string }) => `«${text}» no es una cuenta de otro servidor.`,
  same_account: 'Son la misma cuenta.',
  other_key: 'Las cuentas no tienen ninguna clave en común: comprueba que sean de la misma persona y usa --force.',
  not_remote: ({ text }: { text: string }) =>
    `${text} no nombra ninguna cuenta de otro servidor. Indica una con su servidor, como ada@example.org, un dominio o all.`,
  unreachable: ({ domains }: { domains: string }) => `Estos servidores no respondieron: ${domains}`,
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
    `Cuentas: ${accounts}. Publicaciones: ${statuses}. Seguimientos perdidos: ${following} de aquí, ${followers} de allí.`,
  reindex_at_work: 'Los índices ya se están reconstruyendo en otra ejecución de este comando.',
  suspended_already: ({ name }: { name: string }) => `${name} ya está suspendida.`,
  blocked_already: ({ domain }: { domain: string }) => `${domain} ya está bloqueado.`,
  not_pending: ({ username }: { username: string }) => `@${username} no espera aprobación.`,
  unknown_server: ({ domain }: { domain: string }) => `${domain} no se conoce aquí. Ver: rookery domains stats`,
  not_blocked: ({ domain }: { domain: string }) => `${domain} no está bloqueado.`,
  skipped: {
    blocked: ({ names }: { names: string }) => `Ya bloqueado: ${names}`,
    not_blocked: ({ names }: { names: string }) => `No bloqueado: ${names}`,
  },
  email_blocked: ({ email }: { email: string }) => `${email} está bloqueada.`,
  email_of: ({ username }: { username: string }) => `Es la dirección de @${username}, cuya cuenta fue suspendida.`,
  no_range: ({ text }: { text: string }) => `${text} no es una dirección ni un rango IP como 192.0.2.0/24`,
  no_media_address: ({ text }: { text: string }) => `${text} no es la dirección de un archivo`,
  unknown_media: ({ text }: { text: string }) => `Ninguna publicación, cuenta ni emoji tiene el archivo ${text}.`,
  no_budget: 'Las copias de archivos multimedia remotos no tienen límite.',
  budget: ({ size }: { size: string }) =>
    `Las copias de archivos multimedia remotos pueden ocupar ${size} (media_cache_max_bytes).`,
  self_destruct_effects: ({ accounts, servers }) =>
    `Esto borra para siempre ${accounts}, con todas las publicaciones, y avisa a ${servers}.`,
  type_domain: ({ domain }: { domain: string }) => `Escribe ${domain} para continuar:`,
  wrong_domain: ({ domain }: { domain: string }) =>
    `No se hizo nada: no se escribió el dominio ${domain}. En los scripts, usa --confirm ${domain}.`,
  self_destructed: ({ accounts, servers }) =>
    `Borrado: ${accounts}. Deja el servidor en marcha hasta que el aviso llegue a ${servers}: mira rookery statistics.`,
  registration_columns: {
    range: 'RANGO',
    severity: 'REGLA',
    until: 'HASTA',
    since: 'DESDE',
    comment: 'NOTA',
    never: 'sin fin',
    domain: 'DOMINIO',
    sign_ups: 'REGISTROS',
    refused: 'rechazados',
    with_approval: 'con aprobación',
    mail_server_of: 'SERVIDOR DE CORREO DE',
  },
  media_owner: {
    kind: 'Archivo',
    kinds: { attachment: 'adjunto', avatar: 'foto de perfil', header: 'cabecera', emoji: 'emoji' },
    status: 'Publicación',
    account: 'Cuenta',
    emoji: 'Emoji',
    page: 'Administración',
  },
  server_columns: {
    domain: 'SERVIDOR',
    software: 'SOFTWARE',
    accounts: 'CUENTAS',
    following: 'SEGUIDOS',
    followers: 'SEGUIDORES',
    delivered: 'ENTREGADOS',
    failed: 'FALLIDOS',
  },
  usage_columns: { kind: 'QUÉ', files: 'ARCHIVOS', size: 'TAMAÑO' },
  statistics: {
    users: 'Usuarios',
    active_month: 'Activos en 30 días',
    statuses: 'Publicaciones',
    servers: 'Servidores conocidos',
    media_cache: 'Copias de archivos multimedia remotos',
    jobs_due: 'Tareas pendientes',
    jobs_delayed: 'Tareas para después',
    jobs_failed: 'Tareas fallidas',
  },
}
