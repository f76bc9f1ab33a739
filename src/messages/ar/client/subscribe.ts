import type { ClientSubscribeTexts } from '../../en/client/subscribe.ts'

export const arClientSubscribe: ClientSubscribeTexts = {
  title: ({ handle }) => `منشورات ${handle} بالبريد الإلكتروني`,
  text: 'المنشورات العامة الجديدة، دون المنشورات المعاد نشرها والردود على الآخرين. تطلب منك رسالة أولى تأكيد العنوان.',
  email: 'عنوان البريد الإلكتروني',
  submit: 'اشتراك',
  sent: 'إذا لم يكن هذا العنوان مشتركًا بعد، فسيصله رابط للتأكيد.',
}
