import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { Terms } from '../domain/terms/terms.ts'
import { sanitizeDocument } from '../lib/sanitize.ts'
import { markdownToHtml } from '../lib/text/markdown.ts'
import { nullable } from './schema.ts'

const Day = Type.String({ format: 'date' })

/** https://docs.joinmastodon.org/entities/TermsOfService/ */
export const TermsOfServiceEntity = Type.Object(
  { effective_date: Day, effective: Type.Boolean(), content: Type.String(), succeeded_by: nullable(Day) },
  { $id: 'TermsOfService' },
)

/** `%{domain}` stands for the domain of the server, as in Mastodon. */
export const termsHtml = async (ctx: Context, text: string): Promise<string> =>
  sanitizeDocument(await markdownToHtml(text.replaceAll('%{domain}', ctx.config.localDomain)))

export const presentTerms = async (ctx: Context, terms: Terms): Promise<Static<typeof TermsOfServiceEntity>> => ({
  effective_date: terms.effective_date,
  effective: terms.effective,
  content: await termsHtml(ctx, terms.text),
  succeeded_by: terms.succeeded_by,
})
