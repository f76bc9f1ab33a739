import type { CliOperationsTexts } from '../en/cli-operations.ts'
import { plural } from '../plural.ts'

export const arCliOperations: CliOperationsTexts = {
  commands: {
    'accounts approve': {
      summary: 'الموافقة على تسجيل ينتظر الموافقة أو على الأقدم أو على الجميع',
      options: { number: 'العدد، من الأقدم انتظارًا', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts suspend': {
      summary: 'تعليق حساب من هذا الخادم أو غيره. يمكن التراجع خلال 30 يومًا',
      options: { text: 'ما يُقال للحساب', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts unsuspend': { summary: 'إلغاء تعليق حساب', options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' } },
    'accounts memorialize': {
      summary: 'تحويل حساب شخص متوفى إلى حساب تذكاري',
      options: { undo: 'إعادته حسابًا عاديًا', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts follow': {
      summary: 'جعل كل حسابات هذا الخادم تتابع حسابًا',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts unfollow': {
      summary: 'جعل كل حسابات هذا الخادم تلغي متابعة حساب',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts reset-relationships': {
      summary: 'إنهاء كل متابعات حساب من هذا الخادم أو إزالة كل متابعيه أو كليهما',
      options: {
        follows: 'إنهاء كل متابعاته',
        followers: 'إزالة كل متابعيه',
        'dry-run': 'عرض ما سيحدث فقط دون تنفيذه',
      },
    },
    'accounts rotate-keys': {
      summary: 'إعطاء مفتاح توقيع جديد لحساب أو لكل الحسابات',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts backup': { summary: 'إنشاء أرشيف بيانات مستخدم يمكنه تنزيله', options: {} },
    'accounts migrate': {
      summary: 'نقل حساب من هذا الخادم إلى حساب آخر يجب أن يذكره اسمًا مستعارًا',
      options: { target: 'الحساب المنقول إليه', replay: 'إرسال آخر انتقال من جديد، لأجل المتابعين على خوادم لم تنفذه' },
    },
    'accounts refresh': {
      summary: 'جلب حسابات خوادم أخرى من جديد عبر مهام الخادم',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts cull': {
      summary: 'حذف حسابات الخوادم الأخرى التي لم تعد موجودة هناك',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts merge': {
      summary:
        'دمج حسابين من خوادم أخرى لشخص واحد، مثلًا بعد تغيّر نطاق خادمه. يُحذف FROM وتنتقل منشوراته ومتابعوه وقوائمه وحالات حظره إلى TO',
      options: { force: 'حتى الحسابات التي لم يكن لها المفتاح نفسه قط', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'accounts prune': {
      summary: 'حذف حسابات الخوادم الأخرى التي لا صلة لأحد هنا بها',
      options: {
        days: 'فقط ما لم يُجلب منذ هذا العدد من الأيام؛ 7 إن لم يُحدد',
        'dry-run': 'عرض ما سيحدث فقط دون تنفيذه',
      },
    },
    'domains block': {
      summary: 'حظر خادم على الجميع هنا',
      options: {
        severity: 'suspend (الافتراضي) أو silence أو noop',
        'reject-media': 'عدم تخزين وسائطه',
        'reject-reports': 'تجاهل بلاغاته',
        comment: 'السبب، للفريق',
        'public-comment': 'السبب، للجميع',
        'dry-run': 'عرض ما سيحدث فقط دون تنفيذه',
      },
    },
    'domains unblock': {
      summary: 'إنهاء حظر خادم',
      options: { 'restore-follows': 'استعادة المتابعات التي قطعها الحظر', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'domains purge': {
      summary: 'حذف كل حسابات ومنشورات خوادم. لا يمكن التراجع',
      options: { yes: 'تأكيد الحذف', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'domains stats': { summary: 'عرض الخوادم المعروفة', options: { limit: 'عدد الصفوف؛ 100 إن لم يُحدد' } },
    'domains crawl': {
      summary: 'سؤال كل الخوادم المعروفة عن برمجياتها',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'ip-blocks list': {
      summary: 'عرض عناوين IP والنطاقات المحظورة، الأحدث أولًا',
      options: { limit: 'عدد الصفوف؛ 100 إن لم يُحدد' },
    },
    'ip-blocks add': {
      summary: 'حظر عناوين IP أو نطاقات',
      options: {
        severity: 'sign_up_requires_approval أو sign_up_block أو no_access (مطلوب)',
        comment: 'السبب، للفريق',
        duration: 'مدة الحظر بالثواني؛ بلا نهاية إن لم تُحدد',
      },
    },
    'ip-blocks remove': {
      summary: 'إلغاء حظر عناوين IP أو نطاقات',
      options: { covering: 'إلغاء حظر النطاقات التي تحتويها أيضًا', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'ip-blocks export': {
      summary: 'طباعة العناوين والنطاقات التي لا وصول لها، لجدار حماية أو وكيل',
      options: { format: 'plain (الافتراضي) أو nginx' },
    },
    'email-domain-blocks list': {
      summary: 'عرض نطاقات البريد التي لا يمكنها التسجيل، الأحدث أولًا',
      options: { limit: 'عدد الصفوف؛ 100 إن لم يُحدد' },
    },
    'email-domain-blocks add': {
      summary: 'رفض التسجيل بعناوين بريد من نطاقات',
      options: {
        'allow-with-approval': 'السماح للفريق بالموافقة على هذه التسجيلات بدل رفضها',
        'with-dns-records': 'حظر خوادم بريد النطاقات وعناوينها أيضًا',
      },
    },
    'email-domain-blocks remove': {
      summary: 'إلغاء حظر نطاقات البريد وخوادم البريد التي حُظرت معها',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'canonical-email-blocks find': {
      summary: 'عرض ما إذا كان عنوان بريد محظورًا من التسجيل، أيًا كانت كتابته',
      options: {},
    },
    'canonical-email-blocks remove': {
      summary: 'إلغاء حظر عنوان بريد',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'media remove': {
      summary: 'حذف نسخ الوسائط البعيدة التي لا يشاهدها أحد. تُجلب من جديد عند الحاجة',
      options: {
        days: 'فقط ما لم يُستخدم منذ هذا العدد من الأيام؛ 7 إن لم يُحدد',
        'keep-interacted':
          'إبقاء ما في منشورات أضافها مستخدمو هذا الخادم إلى المفضلة أو الفواصل المرجعية أو أعادوا نشرها أو ردّوا عليها أو اقتبسوها',
        'dry-run': 'عرض ما سيحدث فقط دون تنفيذه',
      },
    },
    'media usage': { summary: 'عرض المساحة التي تشغلها الوسائط', options: {} },
    'media refresh': {
      summary: 'جلب صور حسابات الخوادم الأخرى من جديد',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'media remove-orphans': {
      summary: 'حذف الملفات التي لا يذكرها شيء في قاعدة البيانات',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'media lookup': {
      summary: 'عرض المنشور أو الحساب أو الرمز التعبيري الذي يتبعه ملف، بعنوانه هنا أو على خادمه',
      options: {},
    },
    'feeds build': {
      summary: 'إعادة بناء الخيط الرئيسي لحساب أو للجميع',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'feeds clear': {
      summary: 'حذف كل الخيوط الرئيسية. تُبنى من جديد عند القراءة',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'search deploy': { summary: 'إعادة بناء فهرس البحث أثناء عمل الخادم', options: {} },
    'statuses remove': {
      summary: 'حذف منشورات الخوادم الأخرى التي لم يتفاعل معها أحد هنا. تبقى منشورات الحسابات التي يتابعها أحد هنا',
      options: {
        days: 'فقط ما هو أقدم من هذا العدد من الأيام؛ 90 إن لم يُحدد',
        'clean-followed': 'حذف منشورات الحسابات المتابَعة أيضًا',
        'dry-run': 'عرض ما سيحدث فقط دون تنفيذه',
      },
    },
    'settings registrations': { summary: 'فتح التسجيل أو إغلاقه أو جعله بالموافقة', options: {} },
    'cache clear': { summary: 'حذف الترجمات المخزنة وجعل الخوادم تقرأ الإعدادات من جديد', options: {} },
    'cache recount': { summary: 'إعادة عدّ المنشورات والمتابعين والتفاعلات وتصحيح الأرقام الخاطئة', options: {} },
    'maintenance reindex': {
      summary: 'إعادة بناء كل فهارس قاعدة البيانات أثناء عمل الخادم',
      options: { 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    'self-destruct': {
      summary: 'حذف كل حسابات هذا الخادم وإبلاغ كل الخوادم الأخرى. لا يمكن التراجع',
      options: { confirm: 'نطاق هذا الخادم؛ يُسأل عنه إن لم يُذكر', 'dry-run': 'عرض ما سيحدث فقط دون تنفيذه' },
    },
    statistics: { summary: 'عرض أرقام هذا الخادم', options: {} },
  },
  done: ({ what }: { what: string }) => `تم: ${what}.`,
  nothing_changed: 'لم يتغير شيء.',
  would: ({ what }: { what: string }) => `سيشمل: ${what}. لم يتغير شيء.`,
  units: {
    accounts: ({ count }) =>
      plural('ar', count, {
        zero: 'لا حسابات',
        one: 'حساب واحد',
        two: 'حسابان',
        few: '# حسابات',
        many: '# حسابًا',
        other: '# حساب',
      }),
    blocks: ({ count }) =>
      plural('ar', count, {
        zero: 'لا حظر',
        one: 'حظر واحد',
        two: 'حظران',
        few: '# عمليات حظر',
        many: '# عملية حظر',
        other: '# عملية حظر',
      }),
    corrections: ({ count }) =>
      plural('ar', count, {
        zero: 'لا تصحيحات',
        one: 'تصحيح واحد',
        two: 'تصحيحان',
        few: '# تصحيحات',
        many: '# تصحيحًا',
        other: '# تصحيح',
      }),
    emojis: ({ count }) =>
      plural('ar', count, {
        zero: 'لا رموز',
        one: 'رمز واحد',
        two: 'رمزان',
        few: '# رموز',
        many: '# رمزًا',
        other: '# رمز',
      }),
    feeds: ({ count }) =>
      plural('ar', count, {
        zero: 'لا خيوط رئيسية',
        one: 'خيط رئيسي واحد',
        two: 'خيطان رئيسيان',
        few: '# خيوط رئيسية',
        many: '# خيطًا رئيسيًا',
        other: '# خيط رئيسي',
      }),
    files: ({ count }) =>
      plural('ar', count, {
        zero: 'لا ملفات',
        one: 'ملف واحد',
        two: 'ملفان',
        few: '# ملفات',
        many: '# ملفًا',
        other: '# ملف',
      }),
    follows: ({ count }) =>
      plural('ar', count, {
        zero: 'لا متابعات',
        one: 'متابعة واحدة',
        two: 'متابعتان',
        few: '# متابعات',
        many: '# متابعة',
        other: '# متابعة',
      }),
    posts: ({ count }) =>
      plural('ar', count, {
        zero: 'لا منشورات',
        one: 'منشور واحد',
        two: 'منشوران',
        few: '# منشورات',
        many: '# منشورًا',
        other: '# منشور',
      }),
    rows: ({ count }) =>
      plural('ar', count, { zero: 'لا صفوف', one: 'صف واحد', two: 'صفان', few: '# صفوف', many: '# صفًا', other: '# صف' }),
    servers: ({ count }) =>
      plural('ar', count, {
        zero: 'لا خوادم',
        one: 'خادم واحد',
        two: 'خادمان',
        few: '# خوادم',
        many: '# خادمًا',
        other: '# خادم',
      }),
    tables: ({ count }) =>
      plural('ar', count, {
        zero: 'لا جداول',
        one: 'جدول واحد',
        two: 'جدولان',
        few: '# جداول',
        many: '# جدولًا',
        other: '# جدول',
      }),
    translations: ({ count }) =>
      plural('ar', count, {
        zero: 'لا ترجمات',
        one: 'ترجمة واحدة',
        two: 'ترجمتان',
        few: '# ترجمات',
        many: '# ترجمة',
        other: '# ترجمة',
      }),
  },
  progress: ({ done, total }: { done: number; total: number }) => `${done} من ${total}`,
  so_far: ({ count }: { count: number }) => `${count} حتى الآن`,
  no_domain: ({ text }: { text: string }) => `${text} ليس نطاقًا مثل example.org`,
  not_remote_account: ({ text }: { text: string }) => `«${text}» ليس حسابًا على خادم آخر.`,
  same_account: 'هذا حساب واحد.',
  other_key: 'ليس للحسابين مفتاح مشترك: تأكد من أنهما لشخص واحد، ثم استخدم ‎--force.',
  not_remote: ({ text }: { text: string }) =>
    `${text} ليس حسابًا على خادم آخر. اذكر حسابًا مع خادمه مثل ada@example.org، أو نطاقًا، أو all.`,
  unreachable: ({ domains }: { domains: string }) => `لم تستجب هذه الخوادم: ${domains}`,
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
  }) => `الحسابات: ${accounts}. المنشورات: ${statuses}. المتابعات المفقودة: ${following} من هنا و${followers} من هناك.`,
  reindex_at_work: 'الفهارس قيد إعادة البناء بالفعل بواسطة تشغيل آخر لهذا الأمر.',
  suspended_already: ({ name }: { name: string }) => `${name} معلّق بالفعل.`,
  blocked_already: ({ domain }: { domain: string }) => `${domain} محظور بالفعل.`,
  not_pending: ({ username }: { username: string }) => `الحساب ‎@${username} لا ينتظر الموافقة.`,
  unknown_server: ({ domain }: { domain: string }) => `${domain} غير معروف هنا. انظر: rookery domains stats`,
  not_blocked: ({ domain }: { domain: string }) => `${domain} غير محظور.`,
  skipped: {
    blocked: ({ names }: { names: string }) => `محظور بالفعل: ${names}`,
    not_blocked: ({ names }: { names: string }) => `غير محظور: ${names}`,
  },
  email_blocked: ({ email }: { email: string }) => `${email} محظور.`,
  email_of: ({ username }: { username: string }) => `هو عنوان ‎@${username}‎ الذي عُلّق حسابه.`,
  no_range: ({ text }: { text: string }) => `${text} ليس عنوان IP أو نطاقًا مثل 192.0.2.0/24`,
  no_media_address: ({ text }: { text: string }) => `${text} ليس عنوان ملف`,
  unknown_media: ({ text }: { text: string }) => `لا منشور ولا حساب ولا رمز تعبيري له الملف ${text}.`,
  no_budget: 'لا حد لنسخ الوسائط البعيدة.',
  budget: ({ size }: { size: string }) => `يمكن لنسخ الوسائط البعيدة أن تشغل ${size} (media_cache_max_bytes).`,
  self_destruct_effects: ({ accounts, servers }) => `سيُحذف نهائيًا مع كل المنشورات: ${accounts}. وسيُبلَّغ: ${servers}.`,
  type_domain: ({ domain }: { domain: string }) => `اكتب ${domain} للمتابعة:`,
  wrong_domain: ({ domain }: { domain: string }) =>
    `لم يُنفَّذ شيء: لم يُكتب النطاق ${domain}. حيث لا يمكن الكتابة استخدم ‎--confirm ${domain}.`,
  self_destructed: ({ accounts, servers }) =>
    `حُذف: ${accounts}. أبقِ الخادم يعمل حتى يصل الخبر إلى الجميع (${servers}): انظر rookery statistics.`,
  registration_columns: {
    range: 'النطاق',
    severity: 'القاعدة',
    until: 'حتى',
    since: 'منذ',
    comment: 'ملاحظة',
    never: 'بلا نهاية',
    domain: 'نطاق البريد',
    sign_ups: 'التسجيل',
    refused: 'مرفوض',
    with_approval: 'بموافقة',
    mail_server_of: 'خادم بريد لـ',
  },
  media_owner: {
    kind: 'الملف',
    kinds: { attachment: 'مرفق', avatar: 'صورة رمزية', header: 'صورة الرأسية', emoji: 'رمز تعبيري' },
    status: 'المنشور',
    account: 'الحساب',
    emoji: 'الرمز التعبيري',
    page: 'الإدارة',
  },
  server_columns: {
    domain: 'الخادم',
    software: 'البرمجية',
    accounts: 'الحسابات',
    following: 'متابَعون',
    followers: 'متابِعون',
    delivered: 'مُسلَّم',
    failed: 'فشل',
  },
  usage_columns: { kind: 'النوع', files: 'الملفات', size: 'الحجم' },
  statistics: {
    users: 'المستخدمون',
    active_month: 'نشطون خلال 30 يومًا',
    statuses: 'المنشورات',
    servers: 'الخوادم المعروفة',
    media_cache: 'نسخ الوسائط البعيدة',
    jobs_due: 'مهام مستحقة',
    jobs_delayed: 'مهام لاحقة',
    jobs_failed: 'مهام فاشلة',
  },
}
