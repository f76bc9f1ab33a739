import { esCliBackup } from './cli-backup.ts'
import { esCliOperations } from './cli-operations.ts'
import { esCliEmoji } from './cli-emoji.ts'
import type { CliTexts } from '../en/cli.ts'
import { plural } from '../plural.ts'

export const esCli: CliTexts = {
  about: 'Administra un servidor Rookery a través de la base de datos configurada, esté o no en marcha el servidor.',
  usage: 'Uso',
  commands_title: 'Comandos',
  options_title: 'Opciones',
  hint: 'Cada comando se explica con --help y muestra JSON con --json.',
  see_help: ({ help }) => `Ver: ${help}`,
  json: 'mostrar JSON, para programas',
  help: 'mostrar esta ayuda',
  commands: {
    ...esCliBackup.commands,
    ...esCliOperations.commands,
    ...esCliEmoji.commands,
    'accounts create': {
      summary: 'Crear una cuenta en este servidor',
      options: {
        email: 'correo electrónico (obligatorio)',
        password: 'contraseña; si falta, se crea y se muestra una al azar',
        role: 'nombre de un rol, como Moderator, o user para ninguno',
        confirmed: 'dar el correo por confirmado; si falta, se envía un correo de confirmación',
        approved: 'aprobar la cuenta',
        token: 'crear un token de acceso con estos permisos, como "read write follow push"',
      },
    },
    'accounts modify': {
      summary: 'Cambiar una cuenta de este servidor',
      options: {
        email: 'correo electrónico nuevo',
        role: 'nombre de un rol, como Moderator, o user para ninguno',
        confirm: 'dar el correo por confirmado',
        approve: 'aprobar un registro pendiente',
        disable: 'impedir que la cuenta inicie sesión',
        enable: 'permitir de nuevo que la cuenta inicie sesión',
        'disable-2fa': 'quitar la aplicación de autenticación, las llaves de acceso y los códigos de recuperación',
      },
    },
    'accounts delete': {
      summary: 'Eliminar una cuenta de este servidor y todas sus publicaciones. No se puede deshacer',
      options: { yes: 'confirmar la eliminación' },
    },
    'accounts reset-password': {
      summary: 'Dar a una cuenta una contraseña nueva al azar y cerrar todas sus sesiones',
      options: {},
    },
    'accounts list': {
      summary: 'Listar las cuentas de este servidor, las más recientes primero',
      options: {
        limit: 'número de cuentas; 100 por defecto',
        before: 'la página siguiente: cuentas anteriores a este id',
      },
    },
    'settings get': { summary: 'Mostrar un ajuste de este servidor, o todos', options: {} },
    'settings set': { summary: 'Cambiar un ajuste de este servidor. Tiene efecto inmediato', options: {} },
    'federation budgets': {
      summary: 'Mostrar cuántas peticiones y cuentas nuevas ha causado cada servidor, por hora',
      options: { hours: 'cuántas horas hacia atrás; 24 por defecto' },
    },
    'db migrate': { summary: 'Llevar la base de datos a esta versión', options: {} },
    'db status': { summary: 'Mostrar qué migraciones tiene la base de datos', options: {} },
    version: { summary: 'Mostrar la versión', options: {} },
  },
  errors: {
    no_command: ({ name }) => `no existe el comando ${name}`,
    incomplete: ({ name, choices }) => `${name} necesita una de estas palabras: ${choices}`,
    no_arguments: ({ words }) => `no admite argumentos, pero recibió: ${words}`,
    needs: ({ what }) => `falta ${what}`,
    unknown_option: ({ name }) => `no existe la opción ${name}`,
    value_missing: ({ name }) => `la opción ${name} necesita un valor`,
    no_value: ({ name }) => `la opción ${name} no admite ningún valor`,
    one_of: ({ name, choices }) => `${name} debe ser uno de: ${choices}`,
    number: ({ name, min, max }) => `${name} debe ser un número de ${min} a ${max}`,
    number_or_none: ({ name, min, max }) => `${name} debe ser un número de ${min} a ${max}, o none`,
    size: ({ name }) => `${name} debe ser un tamaño como "5 GB", o none`,
    user_id: ({ name }) => `${name} debe ser un id de usuario`,
    unknown_scope: ({ scopes }) => `--token: uno de estos permisos no existe: ${scopes}`,
    admin_scopes: 'los permisos admin son para usuarios con un rol: añade --role.',
    no_account: ({ username }) => `Aquí no hay ninguna cuenta llamada ${username}. Ver: rookery accounts list`,
    no_email: ({ text }) => `${text} no es un correo electrónico`,
    contradiction: '--disable y --enable se contradicen',
    no_change: 'hace falta al menos un cambio, como --role admin',
    confirm_deletion: 'elimina definitivamente: añade --yes para continuar',
    no_role: ({ name, known }) => `no existe el rol ${name}. Los roles son: ${known}`,
    no_setting: ({ name, known }) => `no existe el ajuste ${name}. Los ajustes son: ${known}`,
    set_by_environment: ({ name, variable }) => `${name} está fijado por ${variable} en el entorno.`,
    boolean: ({ name }) => `${name} debe ser true o false`,
  },
  results: {
    created: ({ handle }) => `Se ha creado ${handle}.`,
    password: ({ password }) => `Contraseña: ${password}`,
    token: ({ token }) => `Token de acceso: ${token}`,
    changed: ({ username }) => `Se ha cambiado @${username}.`,
    new_password: ({ username, password }) => `Contraseña nueva de @${username}: ${password}`,
    deleted: ({ username }) =>
      `Se ha eliminado @${username}. El nombre queda reservado; el servidor en marcha avisa a otros servidores.`,
    no_accounts: 'Aún no hay cuentas.',
    columns: { name: 'NOMBRE', email: 'CORREO', role: 'ROL', state: 'ESTADO', since: 'DESDE', id: 'ID' },
    states: { disabled: 'desactivada', unconfirmed: 'sin confirmar', pending: 'pendiente', active: 'activa' },
    up_to_date: 'La base de datos está al día.',
    applied: ({ migrations }) => `Migraciones aplicadas: ${migrations}.`,
    not_applied: 'aún sin aplicar',
    limits: ({ requests, caused, accounts }) =>
      `Por servidor y hora: ${requests} peticiones hacia él, ${caused} causadas por él, ${accounts} cuentas nuevas.`,
    requests: ({ count }) => plural('es', count, { one: '# petición', other: '# peticiones' }),
    caused: ({ count }) => plural('es', count, { one: '# causada', other: '# causadas' }),
    accounts: ({ count }) => plural('es', count, { one: '# cuenta nueva', other: '# cuentas nuevas' }),
    refused: ({ count }) => plural('es', count, { one: '# rechazada', other: '# rechazadas' }),
    version: ({ version, mastodon, node }) =>
      `Rookery ${version} (ofrece la API de Mastodon ${mastodon}; Node ${node})`,
  },
  backup: esCliBackup,
  operations: esCliOperations,
  emoji: esCliEmoji,
}
