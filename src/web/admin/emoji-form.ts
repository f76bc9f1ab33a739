// The form of a custom emoji.
import type { FastifyReply } from 'fastify'
import { createEmoji, modifyEmoji } from '../../actions/emojis/manage.ts'
import { findEmojis, MAX_EMOJI_CATEGORY, type EmojiFields, type EmojiRow } from '../../domain/emojis/emojis.ts'
import { EMOJI_TYPES } from '../../domain/media/site-images.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { checkbox, field, fileField } from '../../html/forms.ts'
import { isUpload } from '../../http/multipart.ts'
import { Invalid, invalidFields, NotFound } from '../../lib/errors.ts'
import { html } from '../../lib/html.ts'
import { message } from '../../messages/message.ts'
import { labelledProblems, noProblems, type FormProblems } from '../form-problems.ts'
import { sendAdminPage, type AdminVisit } from './frame.ts'

export const EMOJIS_PATH = '/admin/custom_emojis'

export const showNewEmoji = (visit: AdminVisit): Promise<FastifyReply> =>
  sendForm(visit, null, { shortcode: '', category: '', aliases: [], visibleInPicker: true })

/** Throws NotFound for remote ones too. */
async function getLocal(visit: AdminVisit, id: string): Promise<EmojiRow> {
  const [emoji] = await findEmojis(visit.ctx, [id])
  if (!emoji || emoji.domain !== null) throw new NotFound()
  return emoji
}

export async function showEmoji(visit: AdminVisit): Promise<FastifyReply> {
  const emoji = await getLocal(visit, pathId(visit))
  const { shortcode, category, aliases, visible_in_picker: visibleInPicker } = emoji
  return sendForm(visit, emoji, { shortcode, category: category ?? '', aliases, visibleInPicker })
}

export async function saveEmoji(visit: AdminVisit, id: string | null): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { body } = request
  const file = (body as Record<string, unknown> | null)?.image
  const fields: EmojiFields = {
    shortcode: textParam(body, 'shortcode'),
    category: textParam(body, 'category'),
    aliases: textParam(body, 'aliases')
      .split(/[\s,]+/)
      .filter(Boolean),
    visibleInPicker: textParam(body, 'visible') === '1',
  }
  const before = id === null ? null : await getLocal(visit, id)
  try {
    if (id !== null) await modifyEmoji(ctx, staff.accountId, id, { ...fields, file: isUpload(file) ? file : null })
    else if (isUpload(file)) await createEmoji(ctx, staff.accountId, fields, file)
    else throw invalidFields({ image: [{ error: 'ERR_BLANK', description: message('blank') }] })
  } catch (error) {
    return sendForm(visit, before, fields, labelledProblems(t, atImage(error), t.admin.content.emojis))
  }
  return reply.redirect(`${EMOJIS_PATH}?notice=${id === null ? 'created' : 'saved'}`, 303)
}

/** Problems without a field concern the file. */
function atImage(error: unknown): unknown {
  if (!(error instanceof Invalid) || error.extra?.details) return error
  return invalidFields({ image: [{ error: 'ERR_INVALID', description: message('not_an_image') }] })
}

function sendForm(
  visit: AdminVisit,
  emoji: EmojiRow | null,
  fields: EmojiFields,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.content.emojis
  const url = emoji?.image_key && ctx.files.url(emoji.image_key)
  return sendAdminPage(visit, {
    title: emoji ? texts.edit : texts.add,
    back: { href: EMOJIS_PATH, label: texts.all },
    problems,
    body: (
      csrf,
    ) => html`<form class="card" method="post" action="${emoji ? `${EMOJIS_PATH}/${emoji.id}` : EMOJIS_PATH}" enctype="multipart/form-data">${csrf}
${url && emoji && html`<p><img src="${url}" alt=":${emoji.shortcode}:" width="64" height="64"></p>`}
${field(t, { label: texts.shortcode, name: 'shortcode', value: fields.shortcode, hint: texts.shortcode_hint, error: problems.of('shortcode'), required: true, literal: true, maxLength: 102 })}
${fileField(t, { label: texts.image, name: 'image', hint: emoji ? texts.new_image_hint : texts.image_hint, error: problems.of('image'), accept: EMOJI_TYPES.join(','), required: emoji === null })}
${field(t, { label: texts.category, name: 'category', value: fields.category, hint: texts.category_hint, error: problems.of('category'), maxLength: MAX_EMOJI_CATEGORY })}
${field(t, { label: texts.aliases, name: 'aliases', value: fields.aliases.join(' '), hint: texts.aliases_hint, error: problems.of('aliases'), literal: true })}
${checkbox({ label: texts.visible, name: 'visible', checked: fields.visibleInPicker })}
<div class="actions"><button>${emoji ? texts.save : texts.upload}</button></div>
</form>`,
  })
}
