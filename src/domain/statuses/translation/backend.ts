import { createFetch, type FetchGate, type FetchOptions } from '../../../net/gate.ts'
import { perServer, type Context } from '../../../context.ts'
import { AppError, Unavailable } from '../../../lib/errors.ts'
import { message } from '../../../messages/message.ts'
import { userAgent } from '../../../lib/version.ts'
import { kept } from '../../server/cached.ts'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'

/** From which language into which others; `und`: from one that nobody named. */
export type LanguagePairs = Record<string, string[]>

export type Translated = { texts: string[]; source: string }

/** A service that translates HTML. Both functions throw Unavailable. */
export type Backend = {
  /** What the API calls it. */
  provider: string
  languages(): Promise<LanguagePairs>
  /** Texts in, texts out, in the same order. `source` null: to be found out. */
  translate(texts: readonly string[], source: string | null, target: string): Promise<Translated>
}

/** Asks the service. Throws Unavailable for whatever is no good answer. */
export type Ask = (url: string, options: FetchOptions) => Promise<unknown>

export const backendOf = perServer((ctx): Backend | null => {
  const { translation } = ctx.config
  if (!translation) return null
  const ask = askWith(ctx, gateFor(ctx))
  return translation.kind === 'deepl' ? deepl(translation, ask) : libreTranslate(translation, ask)
})

/** What can be translated into what, as the service says, at most a day old. Nothing without one. */
export const translationLanguages: (ctx: Context) => Promise<LanguagePairs> = kept(
  86_400,
  async (ctx) => (await backendOf(ctx)?.languages()) ?? {},
)

/** Whoever runs this server says where the service is: on this machine, mostly. */
function gateFor(ctx: Context): FetchGate {
  return createFetch({
    userAgent: userAgent(ctx.config.baseUrl),
    allowedPrivateAddresses: ['0.0.0.0/0', '::/0'],
    allowHttp: true,
  })
}

const QUOTA = 'The translation quota of this server has been used up'

function askWith(ctx: Context, gate: FetchGate): Ask {
  return async (url, options) => {
    try {
      const { status, body } = await gate.request(url, { timeoutMs: 30_000, accept: 'application/json', ...options })
      // 403 is LibreTranslate's word for a used-up key, 456 DeepL's.
      if (status === 403 || status === 456) throw new Unavailable(QUOTA)
      if (status === 429) throw new Unavailable(message('translation_busy'))
      if (status < 200 || status > 299) throw new Error(`the translation service answered ${status}`)
      return JSON.parse(body.toString()) as unknown
    } catch (error) {
      ctx.log.warn({ err: error }, 'could not translate')
      throw error instanceof AppError ? error : new Unavailable(undefined, error)
    }
  }
}
