import { groupedNumber, plural } from '../plural.ts'
import type { DisputeTexts } from '../en/disputes.ts'

export const arDisputes: DisputeTexts = {
  strikes: {
    title: 'سجل الإشراف',
    lead: 'ما قرره مشرفو هذا الخادم بشأن حسابك. يمكنك الاعتراض خلال 20 يومًا.',
    empty: 'لم يضطر المشرفون إلى مراسلتك قط.',
    disabled: 'حسابك مجمّد: لا يمكنك استخدامه. أدناه ما حدث.',
    suspended: 'حسابك معلّق: لا أحد يستطيع رؤيته، وستُحذف بياناته في {date}. أدناه ما حدث.',
    gone: 'حسابك معلّق. أدناه ما حدث.',
    sign_out: 'تسجيل الخروج',
    back: 'سجل الإشراف كله',
    reason: 'ما كتبه المشرفون',
    no_reason: 'لم يذكر المشرفون سببًا.',
    posts: 'المنشورات المعنية',
    removed: 'لم تعد المنشورات موجودة.',
    collections: 'المجموعات المعنية',
    collections_removed: 'لم تعد المجموعات موجودة.',
    overruled: 'لم يعد ساريًا',
    appeal: 'اعتراض',
    appeal_text: 'لماذا ترى أن هذا خطأ؟',
    appeal_hint: 'يقرؤه المشرفون ويجيبون بالبريد الإلكتروني. يمكنك الاعتراض مرة واحدة.',
    send: 'إرسال الاعتراض',
    until: 'يمكنك الاعتراض حتى {date}.',
    too_late: 'انقضت الأيام العشرون التي كان يمكنك الاعتراض خلالها.',
    yours: 'اعتراضك بتاريخ {date}',
    sent: 'أُرسل اعتراضك. ستصلك رسالة حين يتخذ المشرفون قرارهم.',
    count: ({ count }) =>
      plural(
        'ar',
        count,
        { one: 'منشور واحد', two: 'منشوران', few: '# منشورات', many: '# منشورًا', other: '# منشور' },
        groupedNumber,
      ),
    collection_count: ({ count }) =>
      plural(
        'ar',
        count,
        { one: 'مجموعة واحدة', two: 'مجموعتان', few: '# مجموعات', many: '# مجموعة', other: '# مجموعة' },
        groupedNumber,
      ),
    states: {
      pending: 'بانتظار القرار',
      approved: 'مقبول',
      rejected: 'مرفوض',
    },
    actions: {
      none: 'تحذير',
      disable: 'تجميد الحساب',
      mark_statuses_as_sensitive: 'وضع علامة حسّاس على محتوى',
      delete_statuses: 'إزالة محتوى',
      sensitive: 'الوسائط حسّاسة دائمًا',
      silence: 'تقييد الحساب',
      suspend: 'تعليق الحساب',
    },
  },
  severed: {
    title: 'العلاقات المقطوعة',
    lead: 'المتابعات التي انتهت لأن خادمًا حُظر أو حسابًا عُلّق. يمكنك خلال 30 يومًا تنزيل قائمة من فقدتهم.',
    empty: 'لم تفقد أي متابعة بهذه الطريقة.',
    domain_block: 'حظر المديرون {name}',
    user_domain_block: 'حظرتَ {name}',
    account_suspension: 'علّق المشرفون {name}',
    download_followers: 'تنزيل المتابِعين المفقودين',
    download_following: 'تنزيل المتابَعين المفقودين',
    purged: 'لم تعد القوائم محفوظة.',
    followers: ({ count }) =>
      plural(
        'ar',
        count,
        { one: 'متابع واحد', two: 'متابعان', few: '# متابعين', many: '# متابعًا', other: '# متابع' },
        groupedNumber,
      ),
    following: ({ count }) =>
      plural(
        'ar',
        count,
        {
          one: 'حساب واحد كنت تتابعه',
          two: 'حسابان كنت تتابعهما',
          few: '# حسابات كنت تتابعها',
          many: '# حسابًا كنت تتابعه',
          other: '# حساب كنت تتابعه',
        },
        groupedNumber,
      ),
  },
}
