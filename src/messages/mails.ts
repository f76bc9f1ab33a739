import { mails as ar } from './ar/mails.ts'
import { mails as de } from './de/mails.ts'
import { mails as en, type MailTexts } from './en/mails.ts'
import { mails as es } from './es/mails.ts'
import { mails as fr } from './fr/mails.ts'
import { mails as ja } from './ja/mails.ts'
import type { Language } from './message.ts'

/** The texts of mails in every language of the catalogue. */
export const MAILS: Record<Language, MailTexts> = { ar, de, en, es, fr, ja }
