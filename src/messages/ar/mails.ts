import type { MailTexts } from '../en/mails.ts'

export const arMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `أكّد عنوان بريدك الإلكتروني على ${server}`,
    lines: [
      `مرحبًا بك في ${server}، ‎@${username}!`,
      'افتح هذا الرابط لتأكيد أن هذا هو عنوان بريدك الإلكتروني:',
      link,
      app === null ? null : `بعد ذلك يمكنك المتابعة في ${app}.`,
      approved ? null : 'يراجع مشرفو هذا الخادم كل طلب انضمام، وسيصلك ردّهم بعد أن تؤكد عنوانك.',
      'الرابط صالح لسبعة أيام. إن لم تكن أنت من سجّل، فتجاهل هذه الرسالة: لن يُستخدم الحساب من دون الرابط.',
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `أكّد عنوان بريدك الإلكتروني الجديد على ${server}`,
    lines: [
      `يريد ‎@${username} استخدام هذا العنوان على ${server} من الآن فصاعدًا. افتح هذا الرابط لتأكيده:`,
      link,
      'الرابط صالح لسبعة أيام. إن لم تكن أنت صاحب الطلب، فتجاهل هذه الرسالة: لن يتغير شيء من دون الرابط.',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `إعلان من ${server}`,
    lines: [`يعلن المشرفون على ${server}:`, announcement],
  }),
  address_changed: ({ server, username, newAddress }) => ({
    subject: `تغيّر عنوان بريدك الإلكتروني على ${server}`,
    lines: [
      `يستخدم الحساب ‎@${username} الآن العنوان ${newAddress}. لن تصل الرسائل إلى هذا العنوان بعد الآن.`,
      'إن لم تكن أنت من غيّره، فراسل إدارة الخادم فورًا.',
    ],
  }),
  password_reset: ({ server, username, link }) => ({
    subject: `اختر كلمة مرور جديدة على ${server}`,
    lines: [
      `طُلبت كلمة مرور جديدة للحساب ‎@${username} على ${server}. افتح هذا الرابط لاختيارها:`,
      link,
      'الرابط صالح لست ساعات. إن لم تكن أنت من طلبها، فتجاهل هذه الرسالة: ستبقى كلمة مرورك كما هي.',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `تغيّرت كلمة مرورك على ${server}`,
    lines: [
      `تغيّرت كلمة مرور ‎@${username} قبل قليل.`,
      'إن لم تكن أنت من غيّرها، فاطلب كلمة مرور جديدة من هنا وراسل إدارة الخادم:',
      link,
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `بلاغ جديد على ${server}`,
    lines: [
      `@${username}، هناك بلاغ جديد: أبلغ ${reporter} عن ${target}.`,
      'يمكنك الاطلاع عليه هنا:',
      link,
      'تصلك هذه الرسالة لأنك مخوّل إدارة البلاغات. يمكنك إيقافها من تفضيلات حسابك.',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `اتجاهات جديدة للمراجعة على ${server}`,
    lines: [
      `@${username}، يمكن أن يظهر ما يلي ضمن الاتجاهات بعد موافقتك.`,
      tags.length > 0 ? `الوسوم: ${tags.join('، ')}` : null,
      links.length > 0 ? `الروابط: ${links.join('، ')}` : null,
      publishers.length > 0 ? `الناشرون: ${publishers.join('، ')}` : null,
      statuses.length > 0 ? `منشورات من: ${statuses.join('، ')}` : null,
      'راجعها هنا:',
      link,
      'تصلك هذه الرسالة لأن لديك صلاحية إدارة الاتجاهات.',
    ],
  }),
}
