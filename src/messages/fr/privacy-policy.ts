import type { PrivacyPolicyTexts } from '../en/privacy-policy.ts'

export const frPrivacyPolicy: PrivacyPolicyTexts = {
  intro: ({ domain }) => `Cette politique décrit ce que ${domain} collecte et pourquoi.`,
  account:
    'Informations sur le compte. À l’inscription, vous donnez un nom d’utilisateur, une adresse e-mail et un mot de passe. Vous pouvez ajouter un nom public, une biographie, une image de profil et une image d’en-tête. Le nom d’utilisateur, le nom public, la biographie, les images et les champs du profil sont toujours publics. Le mot de passe est stocké sous forme d’empreinte, à partir de laquelle il ne peut pas être retrouvé. L’adresse e-mail sert à confirmer votre compte, à réinitialiser votre mot de passe et à vous informer de l’activité ; seule l’administration la voit.',
  posts:
    'Messages, abonnements et autres informations publiques. Les comptes que vous suivez et vos messages publics sont publics, sauf si vous en décidez autrement. Quand vous publiez, l’heure et l’application utilisée sont enregistrées. Les médias peuvent avoir une description que vous rédigez ; les données de localisation et les détails de l’appareil photo sont retirés des images que vous envoyez. Si vous supprimez un message signalé, son texte reste enregistré jusqu’à 30 jours pour la modération.',
  private_posts:
    'Messages réservés aux abonné·e·s et mentions privées. Ils sont stockés sur ce serveur et transmis aux serveurs de vos abonné·e·s ou des personnes que vous mentionnez. Nous demandons à ces serveurs de respecter leur audience, sans pouvoir l’imposer. L’administration de ce serveur et celle des serveurs qui les reçoivent peuvent les lire. Ne partagez pas ici d’informations dangereuses ou sensibles.',
  addresses:
    'Adresses IP et autres métadonnées. À l’inscription, votre adresse IP est enregistrée. À chaque connexion ou tentative de connexion, l’heure, l’adresse IP et le nom du navigateur sont enregistrés, afin que vous puissiez vérifier les connexions et terminer des sessions. La dernière adresse IP de chaque application autorisée est également enregistrée. Les adresses de l’inscription et des connexions sont supprimées après un an, les autres après un an sans utilisation.',
  use: 'À quoi servent ces informations. À fournir le service : afficher et distribuer vos messages, vous permettre de suivre d’autres personnes et d’interagir avec elles, maintenir votre connexion, et aider à la modération, par exemple pour trouver les comptes qui contournent une exclusion.',
  disclosure:
    'Ce qui est transmis à d’autres. Nous ne vendons ni n’échangeons de données personnelles. Vos messages publics et votre profil sont transmis à d’autres serveurs du fédivers quand quelqu’un y suit votre compte ou y est mentionné ; ils peuvent y être recherchés et copiés. Les applications que vous autorisez peuvent lire ce que vous leur avez permis de lire, mais jamais votre adresse e-mail ni votre mot de passe, sauf si vous les leur donnez.',
  rights:
    'Vos droits. Vous pouvez exporter vos messages, vos médias et vos listes dans les paramètres, modifier votre profil à tout moment et supprimer votre compte. La suppression efface vos données de ce serveur et demande aux autres serveurs de faire de même.',
  cookies:
    'Cookies. Ce serveur utilise des cookies pour maintenir votre connexion et protéger les formulaires. Les pages de ce serveur ne chargent rien depuis des tiers.',
  children: 'Enfants. Si ce serveur exige un âge minimum, il est demandé à l’inscription.',
  email_subscriptions:
    'Messages par e-mail. Si vous faites envoyer les messages d’un compte à votre adresse e-mail, l’adresse, la langue et les dates de votre demande, de sa confirmation et du dernier e-mail sont enregistrées. L’adresse sert uniquement à ces e-mails et n’est montrée à personne. Elle est supprimée quand vous vous désabonnez, si vous ne la confirmez pas dans les sept jours, et avec le compte.',
  contact: ({ email }) => `Questions et demandes : ${email}`,
}
