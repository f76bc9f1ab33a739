import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { arClientAccounts } from './ar/client/accounts.ts'
import { arPages } from './ar/pages.ts'
import { frClientAccounts } from './fr/client/accounts.ts'
import { MAILS } from './mails.ts'
import { textsIn } from './pages.ts'
import type { Language } from './message.ts'
import { LANGUAGES, SAMPLES } from '../../test/support/messages.ts'

const TRANSLATIONS = LANGUAGES.filter((language) => language !== 'en')

/** The markup placeholders of every text, by path. */
function placeholdersIn(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]: [string, unknown]): [string, string][] => {
      const here = `${path}.${name}`
      if (typeof value === 'object' && value !== null) return [...placeholdersIn(value, here)]
      return [
        [
          here,
          // The plural forms repeat the placeholders.
          [...new Set([...String(value).matchAll(/(?<!\$)\{\w+\}/g)].map(([mark]) => mark))].toSorted().join(' '),
        ],
      ]
    }),
  )
}

test('the page texts of all languages have the same markup placeholders', () => {
  const placeholders = (language: Language): [string, string][] =>
    [...placeholdersIn(textsIn(language))].filter(([, marks]) => /^(\{\w+\} ?)+$/.test(marks))
  const english = placeholders('en').toSorted()
  for (const language of TRANSLATIONS) assert.deepEqual(placeholders(language).toSorted(), english, language)
})

test('the texts of the client have the same markup placeholders in all languages', async () => {
  for (const name of readdirSync(join(import.meta.dirname, 'en/client'))) {
    const placeholders = async (language: string): Promise<[string, string][]> => {
      const [texts] = Object.values((await import(`./${language}/client/${name}`)) as Record<string, object>)
      return [...placeholdersIn(texts ?? {})].filter(([, marks]) => /^(\{\w+\} ?)+$/.test(marks)).toSorted()
    }
    const english = await placeholders('en')
    for (const language of TRANSLATIONS)
      assert.deepEqual(await placeholders(language), english, `${language}/client/${name}`)
  }
})

/** Every text by path; those with parameters have sample values. */
function textsByPath(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (typeof value === 'object' && value !== null) return textsByPath(value, `${path}.${name}`)
    const text = typeof value === 'function' ? (value as (params: object) => unknown)(SAMPLES) : value
    return typeof text === 'string' ? [[`${path}.${name}`, text]] : []
  })
}

test('no sentence of the page texts is left in English', () => {
  const english = new Map(textsByPath(textsIn('en')))
  for (const language of TRANSLATIONS) {
    const left = textsByPath(textsIn(language)).filter(
      ([path, text]) => text === english.get(path) && text.length > 12 && /\p{L} .*\p{L}/u.test(text),
    )
    assert.deepEqual(left, [], language)
  }
})

/** The source of the texts of a language, by file. The command line has commands in its sentences. */
function sourcesOf(language: string): [string, string][] {
  const folder = join(import.meta.dirname, language)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^cli[\w-]*\.ts$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')])
}

test('Japanese texts have full-width punctuation and no spaces', () => {
  const letter = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]`
  const any = String.raw`(?:${letter}|[、。「」（）：？！…])`
  const latin = String.raw`(?:[\p{L}\p{N}@{}%()[\]]|\$\{)`
  const wrong = new RegExp(`${any} +(?:#|${latin})|${latin} +${any}|${letter}[?!:;,(]|\\)${letter}`, 'gu')
  const found = sourcesOf('ja').flatMap(([name, source]) =>
    (source.match(wrong) ?? []).map((text) => `${name}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('Arabic texts have Arabic punctuation, and isolate handles and hashtags', () => {
  const wrong = /\p{sc=Arabic}(?:[,;?]| [،؛؟])|(?<!\\u206[68]|[\u200E\u2066\u2068])[@#]\$\{/gu
  const found = sourcesOf('ar').flatMap(([name, source]) =>
    (source.match(wrong) ?? []).map((text) => `${name}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('nouns agree with the number beside them, as it is written', () => {
  const french = [2, 1234, 1_234_567].map((count) => frClientAccounts.follower_count({ count }))
  assert.deepEqual(french, ['{number} abonné·e·s', '{number} abonné·e·s', '{number} d’abonné·e·s'])
  // Two of something is one word in Arabic.
  const { post_count: inClient } = arClientAccounts
  const { post_count: onPages } = arPages.profile
  const forms = { 2: 'منشوران', 3: '{number} منشورات', 11: '{number} منشورًا', 100: '{number} منشور' }
  for (const [count, form] of Object.entries(forms))
    for (const text of [inClient, onPages]) assert.equal(text({ count: Number(count) }), form)
  // The client writes 1.2 thousand, pages 1,234.
  assert.deepEqual(
    [inClient, onPages].map((text) => text({ count: 1234 })),
    ['{number} منشور', '{number} منشورًا'],
  )
})

test('numbers on pages are grouped', () => {
  const uses = (['en', 'ja', 'ar'] as const).map((language) => {
    const { settings, admin } = textsIn(language)
    return [admin.registration.invites.of, settings.invites.uses].map((text) => text({ uses: 1000, max: 5000 }))
  })
  for (const text of uses.flat()) assert.match(text, /1,000.*5,000|5,000.*1,000/)
  assert.equal(textsIn('ar').settings.invites.uses({ uses: 2, max: null }), 'استُخدمت مرتين')
})

test('labels in mailed posts have the colon of the language', () => {
  const post = { link: 'https://home.test/1', warning: 'A', text: '', media: [], options: ['B'] }
  const firstLines = (language: 'en' | 'fr' | 'ja'): (string | null)[] =>
    MAILS[language]
      .new_posts({
        server: '',
        username: '',
        handle: '',
        name: '',
        posts: [post],
        hasMore: false,
        subject: '',
        link: '',
        unsubscribe: '',
      })
      .lines.slice(0, 2)
  assert.deepEqual(firstLines('en'), ['Content warning: A', 'Poll:\n• B'])
  assert.deepEqual(firstLines('fr'), ['Avertissement de contenu\u202F: A', 'Sondage\u202F:\n• B'])
  assert.deepEqual(firstLines('ja'), ['閲覧注意：A', 'アンケート：\n• B'])
})

test('pages and the client take the colon between two texts from the language', () => {
  const joined = /[^\s{}]\}:(?: (?:\$?\{|<)|<\/span)/
  const found = ['src/web', 'client/src'].flatMap((folder) => {
    const root = join(import.meta.dirname, '../..', folder)
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => readFileSync(join(root, name), 'utf8').split('\n'))
      .filter((line) => joined.test(line))
  })
  assert.deepEqual(found, [])
})

/** The literals in the files of a language, with `}` for what is put into them. */
function literalsOf(language: string): string[] {
  const folder = join(import.meta.dirname, language)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [])
    .map((literal) => literal.slice(1, -1).replaceAll(/\$\{[^{}]*\}/g, '}'))
}

test('French texts about what happened to readers are inclusive', () => {
  const masculine =
    /\bvous (?:(?:êtes|serez|avez été)(?: \p{L}+)? \p{L}+é|(?:vous )?êtes inscrit|a (?:mentionn|ajout)é)(?![\p{L}·])/iu
  assert.deepEqual(
    literalsOf('fr').filter((text) => masculine.test(text)),
    [],
  )
})

test('quotes, apostrophes, ellipses and the spaces beside them are those of the language', () => {
  const wrong = {
    en: /\S\s…|\.{3}/u,
    ja: /\s…|\.{3}/u,
    ar: /\S\s…|\.{3}/u,
    // The spaces inside of « » and before ; : ! ? are narrow and do not break.
    fr: /\S [;:!?»](?!\p{L})|« |\p{L}'\p{L}|\p{L}[;!?](?:\s|$)|\S\s…|\.{3}|[“”„]/u,
    de: /\S…|\.{3}|\p{L}'\p{L}|[«»”]/u,
    es: /^[^¿]*\?|^[^¡]*!|\S\s…|\.{3}|[“”„]/u,
  }
  for (const [language, pattern] of Object.entries(wrong))
    assert.deepEqual(
      literalsOf(language).filter((text) => pattern.test(text)),
      [],
      language,
    )
})
