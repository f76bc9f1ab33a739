import type { Attempt, MailTexts } from '../en/mails.ts'
import { postLines } from '../mailed-posts.ts'

const MAILED_POST = {
  image: 'صورة',
  gifv: 'صورة متحركة',
  video: 'فيديو',
  audio: 'صوت',
  unknown: 'مرفق',
  warning: 'تحذير المحتوى',
  sensitive: 'حساس',
  poll: 'استطلاع',
}

const attempted = ({ ip, device, time }: Attempt): (string | null)[] => [
  ip && `عنوان IP: ‎${ip}`,
  device && `المتصفح: ${device}`,
  `الوقت: ${time}`,
]

export const arMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `أكّد عنوان بريدك الإلكتروني على ${server}`,
    lines: [
      `مرحبًا بك في ${server}، ‎@${username}!`,
      'افتح هذا الرابط لتأكيد أن هذا هو عنوان بريدك الإلكتروني:',
      link,
      app === null ? null : `بعد ذلك يمكنك المواصلة في ${app}.`,
      approved ? null : 'يراجع مشرفو هذا الخادم كل طلب انضمام، وسيصلك ردّهم بعد أن تؤكد عنوانك.',
      'الرابط صالح لسبعة أيام. إن لم تكن أنت من سجّل، فتجاهل هذه الرسالة: لن يُستخدم الحساب من دون الرابط.',
    ],
  }),
  welcome: ({ server, username, handle, domain, profileLink, exploreLink }) => ({
    subject: `مرحبًا بك في ${server}`,
    lines: [
      `مرحبًا بك في ${server} يا ‎@${username}! ${server} جزء من شبكة تضم خوادم كثيرة، ويمكن لمن هم على أي منها متابعتك على هذا العنوان:`,
      handle,
      'عرّف الآخرين بنفسك:',
      profileLink,
      'ابحث عن أشخاص ووسوم لمتابعتها، فتظهر منشوراتها في خيطك الرئيسي:',
      exploreLink,
      'يمكنك أيضًا استخدام تطبيق لماستدون. عندما يسألك عن خادمك، أدخل:',
      domain,
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
    lines: [`تعلن إدارة ${server}:`, announcement],
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
      'إن لم تكن أنت من غيّرها، فراسل إدارة الخادم واطلب كلمة مرور جديدة من هنا:',
      link,
    ],
  }),
  two_factor_changed: ({ server, username, change, link }) => ({
    subject: `تغيّرت المصادقة بخطوتين على ${server}`,
    lines: [
      {
        app_added: `أُضيف تطبيق مصادقة إلى الحساب ‎@${username}.`,
        app_removed: `أُزيل تطبيق المصادقة من الحساب ‎@${username}.`,
        passkey_added: `أُضيف مفتاح مرور إلى الحساب ‎@${username}.`,
        passkey_removed: `أُزيل مفتاح مرور من الحساب ‎@${username}.`,
        new_codes: `أُنشئت رموز استرداد جديدة للحساب ‎@${username}. لم تعد الرموز القديمة تعمل.`,
        turned_off: `عطّلت إدارة الخادم المصادقة بخطوتين للحساب ‎@${username}.`,
      }[change],
      'إن لم ترغب في ذلك، فراسل إدارة الخادم فورًا وراجع إعدادات حسابك:',
      link,
    ],
  }),
  wrong_codes: ({ server, username, attempt, link }) => ({
    subject: `قد يعرف شخص ما كلمة مرورك على ${server}`,
    lines: [
      `أدخل شخص ما كلمة المرور الصحيحة للحساب ‎@${username}، ثم أدخل رموزًا خاطئة للعامل الثاني. لم يتمكن من الدخول.`,
      ...attempted(attempt),
      'إن لم تكن أنت، فاختر كلمة مرور جديدة من هنا:',
      link,
    ],
  }),
  new_sign_in: ({ server, username, attempt, link }) => ({
    subject: `تسجيل دخول جديد إلى ${server}`,
    lines: [
      `سجّل شخص ما الدخول إلى الحساب ‎@${username} بكلمة المرور الصحيحة، من شبكة لم تستخدمها هنا من قبل.`,
      ...attempted(attempt),
      'إن كنت أنت، فلا داعي لفعل شيء. وإن لم تكن أنت، فاختر كلمة مرور جديدة من هنا وأنهِ الجلسات التي ليست لك:',
      link,
    ],
  }),
  identity_connected: ({ server, username, provider }) => ({
    subject: `يمكنك الآن تسجيل الدخول إلى ${server} عبر ${provider}`,
    lines: [
      `من الآن فصاعدًا يمكن أيضًا استخدام الحساب ‎@${username} بتسجيل الدخول عبر ${provider}.`,
      'إن لم تكن أنت من ربطه، فأزل الربط في إعدادات حسابك وراسل إدارة الخادم.',
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `بلاغ جديد على ${server}`,
    lines: [
      `مرحبًا ‎@${username}، هناك بلاغ جديد: أبلغ ‎${reporter} عن ‎${target}.`,
      'يمكنك الاطلاع عليه هنا:',
      link,
      'تصلك هذه الرسالة لأنك مخوّل إدارة البلاغات. يمكنك إيقافها من تفضيلات حسابك.',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `محتوى متداول جديد للمراجعة على ${server}`,
    lines: [
      `مرحبًا ‎@${username}، يمكن أن يظهر ما يلي ضمن المتداول بعد موافقتك.`,
      tags.length > 0 ? `الوسوم: ${tags.join('، ')}` : null,
      links.length > 0 ? `الروابط: ${links.join('، ')}` : null,
      publishers.length > 0 ? `الناشرون: ${publishers.join('، ')}` : null,
      statuses.length > 0 ? `منشورات من: ${statuses.join('، ')}` : null,
      'راجعها هنا:',
      link,
      'تصلك هذه الرسالة لأن لديك صلاحية إدارة المتداول.',
    ],
  }),
  warning: ({ server, username, action, text, statuses, collections, link }) => {
    const what = {
      subject: {
        none: `تحذير بشأن حسابك ‎@${username}`,
        disable: `تم تجميد حسابك ‎@${username}`,
        mark_statuses_as_sensitive: `تم وضع علامة حسّاس على محتوى ‎@${username}`,
        delete_statuses: `تمت إزالة محتوى ‎@${username}`,
        sensitive: `منشورات ‎@${username} تُعلَّم من الآن بأنها حسّاسة`,
        silence: `تم تقييد حسابك ‎@${username}`,
        suspend: `تم تعليق حسابك ‎@${username}`,
      },
      explanation: {
        none: `أرسل إليك مشرفو ${server} تحذيرًا. يعمل حسابك كما كان.`,
        disable: `جمّد مشرفو ${server} حسابك. لم يعد بإمكانك استخدامه، لكن ملفك الشخصي ومنشوراتك تبقى كما هي.`,
        mark_statuses_as_sensitive: `علّم مشرفو ${server} بعض محتواك بأنه حسّاس. يبقى مخفيًا إلى أن يختار أحدهم عرضه.`,
        delete_statuses: `أزال مشرفو ${server} بعض محتواك لأنه يخالف قواعد الخادم.`,
        sensitive: `من الآن فصاعدًا تُعلَّم كل الوسائط في منشوراتك على ${server} بأنها حسّاسة، وتبقى مخفية إلى أن يختار أحدهم عرضها.`,
        silence: `قيّد مشرفو ${server} حسابك. لا يرى منشوراتك في خيوطهم إلا من يتابعونك بالفعل، وعلى من تتابعهم أن يقبلوا ذلك أولًا.`,
        suspend: `علّق مشرفو ${server} حسابك. لم يعد بإمكان أحد رؤية ملفك الشخصي ومنشوراتك. بعد 30 يومًا تُحذف بياناتك نهائيًا.`,
      },
    }
    return {
      subject: what.subject[action],
      lines: [
        what.explanation[action],
        statuses === 0 ? null : `عدد المنشورات المعنية: ${statuses}`,
        collections === 0 ? null : `عدد المجموعات المعنية: ${collections}`,
        text === '' ? null : 'كتب المشرفون:',
        text === '' ? null : text,
        'إن كنت ترى أن هذا خطأ، فيمكنك الاعتراض خلال 20 يومًا. سجّل الدخول لترى ما حدث ولتكتب إلى المشرفين:',
        link,
      ],
    }
  },
  appeal_approved: ({ server, username, date }) => ({
    subject: 'قُبل اعتراضك',
    lines: [`قرأ مشرفو ${server} اعتراضك المؤرخ ${date} ووافقوك الرأي. لم يعد ما قرروه بشأن ‎@${username} ساريًا.`],
  }),
  appeal_rejected: ({ server, username, date }) => ({
    subject: 'رُفض اعتراضك',
    lines: [`قرأ مشرفو ${server} اعتراضك المؤرخ ${date}. يبقى قرارهم بشأن ‎@${username} كما هو.`],
  }),
  account_approved: ({ server, username, link }) => ({
    subject: `مرحبًا بك في ${server}: تمت الموافقة على حسابك`,
    lines: [`وافق مشرفو ${server} على طلب انضمامك. حسابك ‎@${username} جاهز؛ سجّل الدخول من هنا:`, link],
  }),
  account_rejected: ({ server, username }) => ({
    subject: `رُفض طلب انضمامك إلى ${server}`,
    lines: [`رفض مشرفو ${server} طلب انضمامك باسم ‎@${username}. حُذف ما أرسلته معه.`],
  }),
  account_pending: ({ server, applicant, email, reason, link }) => ({
    subject: `يطلب ‎@${applicant} الانضمام إلى ${server}`,
    lines: [
      `أكّد ‎@${applicant} ‏(${email}) عنوان بريده الإلكتروني ويطلب الانضمام إلى ${server}.`,
      reason === '' ? null : 'السبب المذكور:',
      reason === '' ? null : reason,
      'اقبل الطلب أو ارفضه من هنا:',
      link,
    ],
  }),
  appeal_received: ({ server, applicant, text, link }) => ({
    subject: `يعترض ‎@${applicant} على قرار في ${server}`,
    lines: [`كتب ‎@${applicant}:`, text, 'اقبل الاعتراض أو ارفضه من هنا:', link],
  }),
  registrations_need_approval: ({ server, days, link }) => ({
    subject: `أصبح التسجيل على ${server} يتطلب موافقة`,
    lines: [
      `لم يستخدم أي مشرف ${server} منذ ${days} أيام. لذلك تحتاج الحسابات الجديدة من الآن إلى موافقة المشرفين، حتى لا يُساء استخدام الخادم دون أن يلاحظ أحد.`,
      'يمكن للإدارة فتح التسجيل من جديد هنا:',
      link,
    ],
  }),
  unread_notifications: ({ server, username, lines, hasMore, link, settings, unsubscribe }) => ({
    subject: `إشعارات غير مقروءة على ${server}`,
    lines: [
      `هذا ما حدث أثناء غيابك، ‎@${username}:`,
      ...lines.map((line) => `• ${line}`),
      hasMore ? '… والمزيد.' : null,
      'شاهدها كلها هنا:',
      link,
      'اخترت استلام هذه الرسالة. يمكنك تغيير ذلك في تفضيلاتك:',
      settings,
      'لإيقاف هذه الرسائل، اتبع هذا الرابط:',
      unsubscribe,
    ],
  }),
  archive_ready: ({ server, username, date, link }) => ({
    subject: `أرشيفك من ${server} جاهز`,
    lines: [
      `الأرشيف الذي طلبته للحساب ‎@${username} جاهز. يمكنك تنزيله حتى ${date} بعد تسجيل الدخول:`,
      link,
      'إذا لم تطلبه فاختر كلمة مرور جديدة وأنهِ الجلسات التي ليست لك.',
    ],
  }),
  terms_changed: ({ server, date, link, changelog }) => ({
    subject: `تتغير شروط خدمة ${server}`,
    lines: [
      `تتغير شروط خدمة ${server} في ${date}. يمكنك قراءة النسخة الجديدة هنا:`,
      link,
      changelog === '' ? null : 'ما الذي يتغير:',
      changelog === '' ? null : changelog,
      'إذا واصلت استخدام حسابك بعد هذا اليوم فستسري عليه الشروط الجديدة.',
    ],
  }),
  email_subscription: ({ server, handle, link }) => ({
    subject: `أكّد رغبتك في استلام منشورات ‎${handle}`,
    lines: [
      `أدخل شخص ما هذا العنوان في ${server} لاستلام منشورات ‎${handle} العامة الجديدة بالبريد الإلكتروني. إن كنت أنت، فافتح هذا الرابط وأكّد ذلك:`,
      link,
      'الرابط صالح لسبعة أيام. إن لم تكن أنت، فتجاهل هذه الرسالة: لن يصلك شيء آخر من دون الرابط.',
    ],
  }),
  new_posts: ({ handle, name, posts, hasMore, subject, link, unsubscribe }) => ({
    subject:
      posts.length > 1 ? `منشورات جديدة من ${name}` : subject === '' ? `منشور جديد من ${name}` : `${name}: ${subject}`,
    lines: [
      ...posts.flatMap((post) => postLines(post, MAILED_POST, 'ar')),
      hasMore ? 'هناك المزيد من المنشورات الجديدة:' : null,
      hasMore ? link : null,
      `تصلك هذه الرسالة لأن هذا العنوان مشترك في منشورات ‎${handle}. لإلغاء الاشتراك افتح هذا الرابط:`,
      unsubscribe,
    ],
  }),
}
