import { arMails } from './ar/mails.ts'
import { deMails } from './de/mails.ts'
import { enMails, type MailTexts } from './en/mails.ts'
import { esMails } from './es/mails.ts'
import { frMails } from './fr/mails.ts'
import { jaMails } from './ja/mails.ts'
import type { Language } from './message.ts'

export const MAILS: Record<Language, MailTexts> = {
  ar: arMails,
  de: deMails,
  en: enMails,
  es: esMails,
  fr: frMails,
  ja: jaMails,
}
