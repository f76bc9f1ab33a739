import type { ProviderTexts } from '../en/provider.ts'

export const esProvider: ProviderTexts = {
  sign_in: ({ name }) => `Iniciar sesión con ${name}`,
  sign_up: ({ name }) => `Registrarse con ${name}`,
  only: ({ name }) => `Este servidor no acepta contraseñas ni llaves de acceso. Inicia sesión con ${name}.`,
  leaving: ({ name }) => `Vas de camino a ${name}. Si no ocurre nada, continúa con el botón.`,
  almost: ({ name }) => `Has iniciado sesión con ${name}. Un paso más y tendrás una cuenta aquí.`,
  username: 'Tu dirección será {handle}. No podrás cambiarla después.',
  email: 'Tu dirección de correo es {email}. No se muestra a los demás.',
  email_unverified:
    'Tu dirección de correo es {email}. No se muestra a los demás. Le enviamos un enlace para confirmar la dirección.',
  applied: 'Gracias por tu solicitud',
  back: 'Volver a los ajustes',
  problems: {
    denied: {
      title: 'No se ha iniciado sesión',
      text: ({ name }) =>
        `${name} no ha iniciado tu sesión, o la has cancelado allí. Inténtalo de nuevo, o pregunta a quienes gestionan ${name} si tienes acceso.`,
    },
    unreachable: {
      title: 'Sin respuesta',
      text: ({ name }) =>
        `Este servidor no puede contactar con ${name} en este momento. Inténtalo de nuevo en unos minutos. Si sigue ocurriendo, escribe a la administración de este servidor.`,
    },
    clock: {
      title: 'Los relojes no coinciden',
      text: ({ name }) =>
        `El reloj de ${name} o el de este servidor está mal, y el inicio de sesión no se puede verificar. Inténtalo de nuevo en unos minutos. Si sigue ocurriendo, escribe a la administración de este servidor.`,
    },
    invalid: {
      title: 'No se ha podido verificar el inicio de sesión',
      text: ({ name }) =>
        `Este servidor no puede verificar la respuesta de ${name}. Inténtalo de nuevo. Si sigue ocurriendo, escribe a la administración de este servidor: su registro dice por qué.`,
    },
    expired: {
      title: 'Este inicio de sesión ha terminado',
      text: () =>
        'Ha tardado demasiado, ya se respondió o comenzó en otro navegador. Empieza de nuevo aquí y permite las cookies de este servidor.',
    },
    taken: {
      title: 'Ya tienes una cuenta aquí',
      text: ({ name }) =>
        `Una cuenta de este servidor tiene la dirección de correo que ${name} da para ti. Inicia sesión en ella como antes y conéctala con ${name} en los ajustes, en «Contraseña y correo». Si no puedes iniciar sesión, escribe a la administración de este servidor.`,
    },
    connected: {
      title: 'Esta conexión no es posible',
      text: ({ name }) =>
        `Tu cuenta en ${name} está conectada con otra cuenta de aquí, o tu cuenta de aquí con otra en ${name}. Elimina primero esa conexión.`,
    },
  },
  connect: ({ name }) => `Conectar con ${name}`,
  connect_hint: ({ name }) => `Conecta tu cuenta con ${name} para iniciar sesión aquí con ${name}.`,
  connected_since: ({ name }) => `Puedes iniciar sesión con ${name} desde el {day}.`,
  disconnect: 'Eliminar la conexión',
  disconnect_needs_password:
    'Para eliminar la conexión necesitas una contraseña: de lo contrario, ya no podrías iniciar sesión. {link}',
  choose_password: ({ name }) => `No tienes contraseña: inicias sesión con ${name}. {link}`,
  choose_password_link: 'Elegir una contraseña',
  notices: {
    connected: 'Tu cuenta está conectada.',
    disconnected:
      'La conexión se ha eliminado y se ha cerrado la sesión en los demás navegadores. A partir de ahora, inicia sesión con tu contraseña.',
  },
  sign_in_again: ({ name }) =>
    `Tu último inicio de sesión con ${name} fue hace un tiempo. {link} antes de continuar. Si ${name} no te pregunta quién eres, cierra antes la sesión allí.`,
  sign_in_again_link: 'Inicia sesión de nuevo',
  not_fresh: 'Iniciaste sesión hace demasiado tiempo. Inicia sesión de nuevo y repítelo en un plazo de 15 minutos.',
}
