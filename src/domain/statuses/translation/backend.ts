import { createFetch, type FetchGate } from '../../../net/gate.ts'
import { perServer, type Context } from '../../../context.ts'
import { AppError, Unavailable } from '../../../lib/errors.ts'
import { message } from '../../../messages/message.ts'
import { userAgent } from '../../../lib/version.ts'
import { memoized } from '../../server/cached.ts'
import type { Ask, LanguagePairs, TranslationBackend } from './backend-types.ts'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'

export const backendOf = perServer((ctx): TranslationBackend | null => {
  const { translation } = ctx.config
  if (!translation) return null
  const ask = askWith(ctx, gateFor(ctx))
  return translation.kind === 'deepl' ? deepl(translation, ask) : libreTranslate(translation, ask)
})

/** What can be translated into what, as the service says, at most a day old. Nothing without one. */
export const translationLanguages: (ctx: Context) => Promise<LanguagePairs> = memoized(
  86_400,
  async (ctx) => (await backendOf(ctx)?.languages()) ?? {},
)

/** The administrator configures the address of the service, which is mostly on this machine: private addresses are allowed. */
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
      ctx.log.warn({ err: error }, 'translation.failed')
      throw error instanceof AppError ? error : new Unavailable(undefined, error)
    }
  }
}
