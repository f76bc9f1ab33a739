import { plural } from '../../plural.ts'
import type { ClientComposeTexts } from '../../en/client/compose.ts'

export const frClientCompose: ClientComposeTexts = {
  text: 'Texte du message',
  text_of: ({ number, total }) => `Texte du message ${number} sur ${total}`,
  placeholder: 'Quoi de neuf ?',
  placeholder_next: 'Continuer le fil',
  left: ({ count }) => plural('fr', count, { one: '# caractère restant', other: '# caractères restants' }),
  too_long: ({ count }) => plural('fr', count, { one: '# caractère de trop', other: '# caractères de trop' }),
  warning: 'Avertissement de contenu',
  warning_placeholder: 'Écrivez votre avertissement ici',
  visibility: 'Visibilité',
  visibility_hints: {
    public: 'Tout le monde peut le voir. Il peut apparaître dans les flux en direct, les recherches et les tendances.',
    unlisted:
      'Tout le monde peut le voir, mais il n’apparaît pas dans les flux en direct, les recherches et les tendances.',
    private: 'Seuls vos abonnés et les personnes mentionnées peuvent le voir.',
    direct: 'Seules les personnes mentionnées peuvent le voir.',
  },
  direct_note:
    'Seules les personnes que vous mentionnez peuvent voir ce message. Il n’est pas chiffré : les administrateurs de leurs serveurs pourraient le lire.',
  tools: 'Outils',
  post: 'Publier',
  save: 'Enregistrer les modifications',
  edit_title: 'Modifier le message',
  reply_title: 'Répondre',
  in_reply_to: 'Le message auquel vous répondez',
  quoted: 'Le message que vous citez',
  media_count: ({ count }) => plural('fr', count, { one: '# pièce jointe', other: '# pièces jointes' }),
  remove_post: 'Retirer ce message',
  posted: 'Publié',
  saved: 'Modifications enregistrées',
  scheduled: 'Programmé',
}
