// /admin/custom_emojis: the emojis of this server, and those of others to copy.
import type { FastifyReply } from 'fastify'
import { copyEmojis, MAX_COPIED, type CopyResult } from '../../actions/emojis/copy.ts'
import { changeEmojis, deleteEmojis } from '../../actions/emojis/manage.ts'
import type { Context } from '../../context.ts'
import {
  countEmojis,
  findMatchingIds,
  listCategories,
  listEmojis,
  MAX_EMOJI_CATEGORY,
  type BatchChange,
  type EmojiFilter,
  type EmojiRow,
} from '../../domain/emojis/emojis.ts'
import { emojiProxyUrl } from '../../domain/media/remote.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field, select } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { cutText } from '../../lib/text/count.ts'
import { render } from '../../messages/message.ts'
import type { Texts } from '../../messages/pages.ts'
import { oneProblem, type FormProblems } from '../form-problems.ts'
import { EMOJIS_PATH, saveEmoji, showEmoji, showNewEmoji } from './emoji-form.ts'
import { batchForm, chosenIds, filterForm, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, numberedPager, pageNumberOf, stateBadge, tabs, withQuery } from './kit.ts'

const PER_PAGE = 60
const MAX_CHANGED = 1000

export const customEmojisPage: AdminPage = {
  key: 'custom_emojis',
  path: EMOJIS_PATH,
  permissions: ['manage_custom_emojis'],
  routes(router) {
    router.get(EMOJIS_PATH, (visit) => show(visit))
    router.get(`${EMOJIS_PATH}/new`, showNewEmoji)
    router.get(`${EMOJIS_PATH}/:id`, showEmoji)
    router.post(EMOJIS_PATH, (visit) => saveEmoji(visit, null), { files: true })
    router.post(`${EMOJIS_PATH}/change`, change)
    router.post(`${EMOJIS_PATH}/:id`, (visit) => saveEmoji(visit, pathId(visit)), { files: true })
  },
}

const STATES = ['enabled', 'disabled', 'hidden'] as const
const WITHOUT_CATEGORY = '-'

function filterOf(query: unknown): EmojiFilter {
  const state = STATES.find((each) => each === textParam(query, 'state'))
  const category = textParam(query, 'category')
  return {
    from: textParam(query, 'from').toLowerCase().slice(0, 255),
    search: textParam(query, 'search').trim().slice(0, 100),
    ...(category === '' ? {} : { category: category === WITHOUT_CATEGORY ? '' : category }),
    ...(state ? { state } : {}),
  }
}

type Shown = { problems?: FormProblems; copied?: CopyResult }

async function show(visit: AdminVisit, { problems, copied }: Shown = {}): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.content.emojis
  // After a batch, the filters come with the form.
  const query = textParam(request.body, 'act') === '' ? request.query : request.body
  const filter = filterOf(query)
  const isRemote = filter.from !== ''
  const page = pageNumberOf(request.query)
  const [rows, count, categories] = await Promise.all([
    listEmojis(ctx, filter, { limit: PER_PAGE, offset: page * PER_PAGE }),
    countEmojis(ctx, filter),
    listCategories(ctx),
  ])
  const { created, saved, changed, deleted } = texts
  const links = [
    { href: EMOJIS_PATH, label: texts.local },
    { href: `${EMOJIS_PATH}?from=remote`, label: texts.remote },
  ]
  const isFiltered = withQuery(EMOJIS_PATH, query, { act: null, from: null }) !== EMOJIS_PATH
  return sendAdminPage(visit, {
    lead: texts.lead,
    actions: html`<a class="button" href="${EMOJIS_PATH}/new">${texts.add}</a>`,
    notices: { created, saved, changed, deleted },
    ...(problems ? { problems } : {}),
    body: (csrf) => html`${copied && copyNotice(t, copied)}
${tabs(t.admin.frame.pages.custom_emojis.label, isRemote ? (links[1]?.href ?? '') : EMOJIS_PATH, links)}
${filterForm(t, EMOJIS_PATH, query, { fields: filterFields(t, query, categories, isRemote), keep: isRemote ? [] : ['from'] })}
${batchForm(t, csrf, {
  action: `${EMOJIS_PATH}/change`,
  table: emojiTable(t, ctx, rows, { isRemote, isFiltered }),
  ids: rows.map(({ id }) => id),
  matching: count,
  maxMatching: isRemote ? MAX_COPIED : MAX_CHANGED,
  hidden: { from: filter.from, search: filter.search, state: filter.state, category: textParam(query, 'category') },
  acts: actsFor(t, isRemote),
  fields: field(t, { label: texts.category, name: 'new_category', value: '', hint: texts.category_hint }),
})}
${numberedPager(t, EMOJIS_PATH, query, { page, hasMore: (page + 1) * PER_PAGE < count })}`,
  })
}

function actsFor(t: Texts, isRemote: boolean): { value: string; label: string; kind?: 'secondary' | 'danger' }[] {
  const texts = t.admin.content.emojis
  const remove = { value: 'delete', label: texts.delete, kind: 'danger' as const }
  if (isRemote) return [{ value: 'copy', label: texts.copy }, remove]
  const acts = (['enable', 'disable', 'show', 'hide', 'move'] as const).map((value) => ({ value, label: texts[value] }))
  return [...acts, remove]
}

function emojiTable(
  t: Texts,
  ctx: Context,
  rows: readonly EmojiRow[],
  { isRemote, isFiltered }: { isRemote: boolean; isFiltered: boolean },
): Html {
  const texts = t.admin.content.emojis
  const none = isRemote
    ? { title: texts.empty_remote_title, text: texts.empty_remote_text }
    : {
        title: texts.empty_title,
        text: texts.empty_text,
        action: { href: `${EMOJIS_PATH}/new`, label: texts.add },
      }
  return dataTable<EmojiRow>(t, {
    caption: t.admin.frame.pages.custom_emojis.label,
    rows,
    empty: emptyState(isFiltered ? { title: texts.no_match_title, text: texts.no_match_text } : none),
    select: { value: ({ id }) => id, label: ({ shortcode }) => `:${shortcode}:` },
    columns: [
      { label: texts.shortcode, kind: 'main', cell: (row) => nameOf(ctx, row) },
      ...(isRemote
        ? [{ label: texts.server, cell: ({ domain }: EmojiRow) => html`<bdi>${domain}</bdi>` }]
        : [
            { label: texts.category, cell: ({ category }: EmojiRow) => category ?? '' },
            { label: texts.aliases, cell: ({ aliases }: EmojiRow) => aliases.join(', ') },
            { label: texts.state, cell: (row: EmojiRow) => stateOf(t, row) },
          ]),
    ],
  })
}

function sourceOf(ctx: Context, { domain, image_key: key, remote_url: url }: EmojiRow): string | null {
  if (key) return ctx.files.url(key)
  return url && domain ? emojiProxyUrl(ctx, url, domain, 'original') : null
}

function nameOf(ctx: Context, emoji: EmojiRow): Html {
  const { id, shortcode, domain } = emoji
  const source = sourceOf(ctx, emoji)
  const image = source && html`<img class="emoji-large" src="${source}" alt="" width="32" height="32" loading="lazy"> `
  const name = html`<bdi>:${shortcode}:</bdi>`
  return html`${image}${domain === null ? html`<a href="${EMOJIS_PATH}/${id}">${name}</a>` : name}`
}

function stateOf(t: Texts, { disabled, visible_in_picker: visible }: EmojiRow): Html {
  const { states } = t.admin.content.emojis
  return html`${disabled ? stateBadge(states.disabled, 'warning') : stateBadge(states.enabled, 'good')}${!visible && html` ${stateBadge(states.hidden)}`}`
}

function filterFields(t: Texts, query: unknown, categories: readonly string[], isRemote: boolean): Html {
  const texts = t.admin.content.emojis
  const any = { value: '', label: t.admin.frame.any }
  const search = field(t, { label: texts.search, name: 'search', type: 'search', value: textParam(query, 'search') })
  if (isRemote)
    return html`${search}
${field(t, { label: texts.server, name: 'from', value: textParam(query, 'from') === 'remote' ? '' : textParam(query, 'from'), literal: true })}`
  return html`${search}
${select({ label: texts.category, name: 'category', value: textParam(query, 'category'), options: [any, { value: WITHOUT_CATEGORY, label: texts.no_category }, ...categories.map((value) => ({ value, label: value }))] })}
${select({ label: texts.state, name: 'state', value: textParam(query, 'state'), options: [any, ...STATES.map((value) => ({ value, label: texts.states[value] }))] })}`
}

function copyNotice(t: Texts, { copied, failed }: CopyResult): Html {
  const texts = t.admin.content.emojis
  const reasons = failed.map(
    ({ shortcode, reason }) => html`<li><bdi>:${shortcode}:</bdi> – ${render(reason, t.language)}</li>`,
  )
  return html`<div class="notice ${failed.length > 0 ? 'info' : 'success'}" role="status"><p>${texts.copied({ count: copied.length })}</p>
${failed.length > 0 && html`<p>${texts.not_copied({ count: failed.length })}</p><ul>${reasons}</ul>`}</div>`
}

const CHANGES: Record<string, (category: string) => BatchChange> = {
  enable: () => ({ disabled: false }),
  disable: () => ({ disabled: true }),
  show: () => ({ visibleInPicker: true }),
  hide: () => ({ visibleInPicker: false }),
  move: (category) => ({ category }),
}

async function change(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { body } = request
  const act = textParam(body, 'act')
  const category = cutText(textParam(body, 'new_category').trim(), MAX_EMOJI_CATEGORY)
  const chosen = chosenIds(body, MAX_CHANGED)
  const ids = chosen === 'matching' ? await findMatchingIds(ctx, filterOf(body), MAX_CHANGED) : chosen.filter(isId)
  if (ids.length === 0) return show(visit, { problems: oneProblem(t, t.admin.frame.nothing_selected) })
  if (act === 'copy') return show(visit, { copied: await copyEmojis(ctx, staff.accountId, ids, { category }) })
  if (act === 'delete') return remove(visit, ids)
  const changing = Object.hasOwn(CHANGES, act) ? CHANGES[act] : undefined
  if (changing) await changeEmojis(ctx, staff.accountId, ids, changing(category))
  return reply.redirect(listAddress(body, changing ? 'changed' : ''), 303)
}

/** The filters of the list, which its form sends along. */
const filtersIn = (body: unknown): Record<string, string> =>
  Object.fromEntries(['from', 'search', 'state', 'category'].map((name) => [name, textParam(body, name)]))

const listAddress = (body: unknown, notice: string): string => withQuery(EMOJIS_PATH, filtersIn(body), { notice })

async function remove(visit: AdminVisit, ids: readonly string[]): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.content.emojis
  const { body } = request
  if (textParam(body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.delete_title,
      lead: texts.delete_lead({ count: ids.length }),
      action: `${EMOJIS_PATH}/change`,
      hidden: { act: 'delete', ids, ...filtersIn(body) },
      confirm: texts.delete,
      cancel: listAddress(body, ''),
    })
  await deleteEmojis(ctx, staff.accountId, ids)
  return reply.redirect(listAddress(body, 'deleted'), 303)
}
