import type { PrivacyPolicyTexts } from '../en/privacy-policy.ts'

export const esPrivacyPolicy: PrivacyPolicyTexts = {
  intro: ({ domain }) => `Esta política describe qué recoge ${domain} y por qué.`,
  account:
    'Información de la cuenta. Al registrarte indicas un nombre de usuario, una dirección de correo electrónico y una contraseña. Puedes añadir un nombre para mostrar, una biografía, una foto de perfil y una imagen de cabecera. El nombre de usuario, el nombre para mostrar, la biografía, las imágenes y los campos del perfil son siempre públicos. La contraseña se guarda como un hash del que no se puede recuperar. La dirección de correo sirve para confirmar tu cuenta, restablecer tu contraseña e informarte de la actividad, y solo la ve la administración.',
  posts:
    'Publicaciones, seguimientos y otra información pública. Las cuentas que sigues y tus publicaciones públicas son públicas, salvo que elijas otra cosa. Cuando publicas, se guardan la hora y la aplicación utilizada. Los archivos multimedia pueden llevar una descripción que tú escribes; los datos de ubicación y los detalles de la cámara se eliminan de las imágenes que subes. Si eliminas una publicación denunciada, su texto se guarda hasta 30 días más para la moderación.',
  private_posts:
    'Publicaciones solo para seguidores y menciones privadas. Se guardan en este servidor y se entregan a los servidores de tus seguidores o de las personas que mencionas. Pedimos a esos servidores que respeten su audiencia, pero no podemos obligarlos. La administración de este servidor y la de los servidores que las reciben pueden leerlas. No compartas aquí información peligrosa o delicada.',
  addresses:
    'Direcciones IP y otros metadatos. Al registrarte se guarda tu dirección IP. Con cada inicio de sesión o intento se guardan la hora, la dirección IP y el nombre del navegador, para que puedas revisar los inicios de sesión y cerrar sesiones. También se guarda la última dirección IP de cada aplicación autorizada. Las direcciones del registro y de los inicios de sesión se eliminan al cabo de un año, y las demás tras un año sin uso.',
  use: 'Para qué se utiliza la información. Para prestar el servicio: mostrar y entregar tus publicaciones, permitirte seguir a otras personas e interactuar con ellas, mantener tu sesión iniciada y ayudar a la moderación, por ejemplo para encontrar cuentas que eluden una expulsión.',
  disclosure:
    'Qué se comunica a otros. No vendemos información personal ni comerciamos con ella. Tus publicaciones públicas y tu perfil se entregan a otros servidores del fediverso cuando alguien de allí te sigue o es mencionado, y allí pueden buscarse y copiarse. Las aplicaciones que autorizas pueden leer lo que les permites, pero nunca tu dirección de correo ni tu contraseña, a no ser que tú se las des.',
  rights:
    'Tus derechos. Puedes exportar tus publicaciones, archivos multimedia y listas en los ajustes, cambiar tu perfil en cualquier momento y eliminar tu cuenta. La eliminación borra tus datos de este servidor y pide a otros servidores que hagan lo mismo.',
  cookies:
    'Cookies. Este servidor utiliza cookies para mantener tu sesión iniciada y proteger los formularios. Las páginas de este servidor no cargan nada de terceros.',
  children: 'Menores. Si este servidor exige una edad mínima, se pregunta al registrarse.',
  email_subscriptions:
    'Publicaciones por correo. Si haces que las publicaciones de una cuenta se envíen a tu dirección de correo, se guardan la dirección, el idioma y los momentos de tu solicitud, de su confirmación y del último correo. La dirección se usa solo para estos correos y no se muestra a nadie. Se elimina cuando cancelas la suscripción, si no la confirmas en siete días, y con la cuenta.',
  contact: ({ email }) => `Preguntas y solicitudes: ${email}`,
}
