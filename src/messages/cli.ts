import { arCli } from './ar/cli.ts'
import { deCli } from './de/cli.ts'
import { enCli, type CliTexts } from './en/cli.ts'
import { esCli } from './es/cli.ts'
import { frCli } from './fr/cli.ts'
import { jaCli } from './ja/cli.ts'
import type { Language } from './message.ts'

export const CLI_TEXTS: Record<Language, CliTexts> = {
  ar: arCli,
  de: deCli,
  en: enCli,
  es: esCli,
  fr: frCli,
  ja: jaCli,
}
