import { plural } from '../../plural.ts'
import type { ClientComposeTexts } from '../../en/client/compose.ts'

export const arClientCompose: ClientComposeTexts = {
  text: 'نص المنشور',
  text_of: ({ number, total }) => `نص المنشور ${number} من ${total}`,
  placeholder: 'فيمَ تفكّر؟',
  placeholder_next: 'تابع السلسلة',
  left: ({ count }) =>
    plural('ar', count, {
      zero: 'لم يبقَ أي حرف',
      one: 'بقي حرف واحد',
      two: 'بقي حرفان',
      few: 'بقيت # أحرف',
      many: 'بقي # حرفًا',
      other: 'بقي # حرف',
    }),
  too_long: ({ count }) =>
    plural('ar', count, {
      one: 'النص أطول من الحد بحرف واحد',
      two: 'النص أطول من الحد بحرفين',
      few: 'النص أطول من الحد بـ# أحرف',
      many: 'النص أطول من الحد بـ# حرفًا',
      other: 'النص أطول من الحد بـ# حرف',
    }),
  warning: 'تحذير عن المحتوى',
  warning_placeholder: 'اكتب تحذيرك هنا',
  visibility: 'الظهور',
  visibility_hints: {
    public: 'يراه الجميع. قد يظهر في الخيوط المباشرة والبحث والمتداولات.',
    unlisted: 'يراه الجميع، لكنه لا يظهر في الخيوط المباشرة ولا البحث ولا المتداولات.',
    private: 'يراه متابعوك والمذكورون فيه فقط.',
    direct: 'يراه المذكورون فيه فقط.',
  },
  direct_note: 'لا يرى هذا المنشور إلا من تذكرهم فيه. وهو غير مشفَّر: يستطيع مديرو خوادمهم قراءته.',
  tools: 'الأدوات',
  post: 'انشر',
  save: 'احفظ التغييرات',
  edit_title: 'تعديل المنشور',
  reply_title: 'رد',
  in_reply_to: 'المنشور الذي ترد عليه',
  quoted: 'المنشور الذي تقتبسه',
  media_count: ({ count }) =>
    plural('ar', count, {
      one: 'مرفق واحد',
      two: 'مرفقان',
      few: '# مرفقات',
      many: '# مرفقًا',
      other: '# مرفق',
    }),
  remove_post: 'أزل هذا المنشور',
  posted: 'نُشر',
  saved: 'حُفظت التغييرات',
  scheduled: 'تمت الجدولة',
}
