import type { NotificationTexts } from '../en/notifications.ts'

export const arNotifications: NotificationTexts = {
  titles: {
    mention: ({ name }) => `أشار إليك ${name}`,
    status: ({ name }) => `نشر ${name} للتو`,
    reblog: ({ name }) => `أعاد ${name} نشر منشورك`,
    follow: ({ name }) => `يتابعك ${name} الآن`,
    follow_request: ({ name }) => `طلب ${name} متابعتك`,
    favourite: ({ name }) => `أضاف ${name} منشورك إلى المفضلة`,
    poll: ({ name }) => `انتهى استطلاع رأي من ${name}`,
    update: ({ name }) => `عدّل ${name} منشورًا`,
    'admin.sign_up': ({ name }) => `سجّل ${name} حسابًا`,
    'admin.report': ({ name }) => `أرسل ${name} بلاغًا`,
    severed_relationships: () => 'فُقدت بعض علاقاتك',
    moderation_warning: () => 'تلقيت تحذيرًا من الإشراف',
    quote: ({ name }) => `اقتبس ${name} منشورك`,
    quoted_update: ({ name }) => `عدّل ${name} منشورًا اقتبسته`,
    added_to_collection: ({ name }) => `أضافك ${name} إلى مجموعة`,
    collection_update: ({ name }) => `حدّث ${name} مجموعة أنت فيها`,
  },
  details: {
    severed_relationships: 'أنهى قرار من الإشراف، أو نطاق حظرته، بعض متابعاتك.',
    moderation_warning: 'أرسل إليك مشرفو هذا الخادم تحذيرًا.',
    'admin.report': 'يرجى الاطلاع على البلاغ.',
  },
}
