// /admin/instances: every known server.
import type { FastifyReply } from 'fastify'
import {
  countServerStates,
  listServers,
  listSoftware,
  SERVER_ORDERS,
  type ServerFilter,
  type ServerRow,
} from '../../domain/moderation/servers.ts'
import { textParam } from '../../html/form-page.ts'
import { field, select } from '../../html/forms.ts'
import { numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { filterForm } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { addNote, changeDelivery, purgeInstance, removeNote, restoreFollows, retry, showInstance } from './instance.ts'
import { dataTable, filterLinks, noRows, numberedPager, pageNumberOf, withQuery } from './kit.ts'
import { serverPath, serverState } from './server-state.ts'

const PATH = '/admin/instances'
const PER_PAGE = 40
const STATES = ['working', 'failing', 'stopped'] as const
const RULES = ['suspend', 'silence', 'noop', 'allowed'] as const

export const instancesPage: AdminPage = {
  key: 'instances',
  path: PATH,
  permissions: ['manage_federation'],
  routes(router) {
    router.get(PATH, list)
    router.get(`${PATH}/:domain`, (visit) => showInstance(visit))
    router.post(`${PATH}/:domain/retry`, retry)
    router.post(`${PATH}/:domain/delivery`, changeDelivery)
    router.post(`${PATH}/:domain/restore`, restoreFollows)
    router.post(`${PATH}/:domain/purge`, purgeInstance)
    router.post(`${PATH}/:domain/notes`, addNote)
    router.post(`${PATH}/:domain/notes/delete`, removeNote)
  },
}

function filterOf(query: unknown): ServerFilter {
  const sent = (name: string): string => textParam(query, name).trim()
  const state = STATES.find((each) => each === sent('state'))
  const rule = RULES.find((each) => each === sent('rule'))
  return {
    search: sent('q'),
    software: sent('software'),
    ...(state ? { state } : {}),
    ...(rule ? { rule } : {}),
  }
}

async function list(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const { query } = request
  const texts = t.admin.federation.servers
  const page = pageNumberOf(query)
  const order = SERVER_ORDERS.find((each) => each === textParam(query, 'order')) ?? 'domain'
  const [{ servers, hasMore }, counts, software] = await Promise.all([
    listServers(ctx, filterOf(query), { limit: PER_PAGE, offset: page * PER_PAGE }, order),
    countServerStates(ctx),
    listSoftware(ctx),
  ])
  const isFiltered = withQuery(PATH, query) !== PATH
  const empty = noRows(texts, { isFiltered })
  const states = filterLinks(t, PATH, query, [
    {
      label: t.admin.federation.state,
      name: 'state',
      options: [
        { value: '', label: texts.all, count: counts.all },
        ...STATES.map((value) => ({ value, label: texts.states[value], count: counts[value] })),
      ],
    },
    {
      label: texts.order,
      name: 'order',
      options: [
        { value: '', label: texts.name },
        { value: 'accounts', label: t.admin.federation.accounts },
        { value: 'received', label: texts.received },
        { value: 'failed', label: texts.failed },
      ],
    },
  ])
  return sendAdminPage(visit, {
    lead: texts.lead,
    body: () => html`${states}
${filterForm(t, PATH, query, { fields: filterFields(t, query, software), keep: ['state', 'order'] })}
${serverTable(t, servers, empty)}
${numberedPager(t, PATH, query, { page, hasMore })}`,
  })
}

function filterFields(t: Texts, query: unknown, software: readonly { software: string; count: number }[]): Html {
  const texts = t.admin.federation
  const any = { value: '', label: t.admin.frame.any }
  const rules = RULES.map((value) => ({
    value,
    label: value === 'allowed' ? texts.servers.allowed : texts.severities[value],
  }))
  return html`${field(t, { label: texts.search, name: 'q', type: 'search', value: textParam(query, 'q'), literal: true })}
${select({ label: texts.servers.rule, name: 'rule', value: textParam(query, 'rule'), options: [any, ...rules] })}
${select({ label: texts.servers.software, name: 'software', value: textParam(query, 'software'), options: [any, ...software.map((each) => ({ value: each.software, label: `${each.software} (${numberText(t, each.count)})` }))] })}`
}

function serverTable(t: Texts, servers: readonly ServerRow[], empty: Html): Html {
  const { servers: texts, accounts } = t.admin.federation
  const number = (label: string, value: (row: ServerRow) => number) =>
    ({ label, kind: 'number', cell: (row: ServerRow) => numberText(t, value(row)) }) as const
  return dataTable<ServerRow>(t, {
    caption: t.admin.frame.pages.instances.label,
    rows: servers,
    empty,
    columns: [
      {
        label: texts.name,
        kind: 'main',
        cell: ({ domain, software, software_version: version }) =>
          html`<a href="${serverPath(domain)}"><bdi>${domain}</bdi></a>${software !== null && html` <span class="muted long-address"><bdi>${software} ${version}</bdi></span>`}`,
      },
      number(accounts, (row) => row.accounts),
      {
        label: `${texts.following} / ${texts.followers}`,
        kind: 'number',
        cell: ({ following, followers }) => `${numberText(t, following)} / ${numberText(t, followers)}`,
      },
      number(texts.received, (row) => row.received),
      {
        label: texts.delivered,
        kind: 'number',
        cell: ({ delivered, failed }) =>
          html`${numberText(t, delivered)}${failed > 0 && html` <span class="muted">${texts.failures({ count: failed })}</span>`}`,
      },
      { label: t.admin.federation.state, cell: (row) => serverState(t, row) },
    ],
  })
}
