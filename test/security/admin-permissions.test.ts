// Who may use the administration: every operation and every page, for each kind of person and each permission alone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { adminPages } from '../support/admin-pages.ts'
import { createSession, PERMISSION_NAMES, routes, type Permission } from '../support/internals.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

/** The moderator's role: what the migration gives it. */
const MODERATOR = new Set<Permission>([
  'view_audit_log',
  'view_dashboard',
  'manage_reports',
  'manage_taxonomies',
  'manage_users',
  'view_feeds',
])

/** The administrator's role lacks these alone. */
const NOT_OF_ADMINS = new Set<Permission>(['administrator', 'view_devops'])

/** Scope and permissions, of which one is needed, of each operation. */
const OPERATIONS: Record<string, readonly [scope: string, ...permissions: Permission[]]> = {
  'GET /api/v1/admin/accounts': ['admin:read:accounts', 'manage_users'],
  'GET /api/v2/admin/accounts': ['admin:read:accounts', 'manage_users'],
  'GET /api/v1/admin/accounts/:id': ['admin:read:accounts', 'manage_users'],
  'DELETE /api/v1/admin/accounts/:id': ['admin:write:accounts', 'delete_user_data'],
  'POST /api/v1/admin/accounts/:id/action': ['admin:write:accounts', 'manage_users', 'manage_reports'],
  'POST /api/v1/admin/accounts/:id/approve': ['admin:write:accounts', 'manage_users'],
  'POST /api/v1/admin/accounts/:id/enable': ['admin:write:accounts', 'manage_users'],
  'POST /api/v1/admin/accounts/:id/reject': ['admin:write:accounts', 'manage_users'],
  'POST /api/v1/admin/accounts/:id/unsensitive': ['admin:write:accounts', 'manage_users'],
  'POST /api/v1/admin/accounts/:id/unsilence': ['admin:write:accounts', 'manage_users'],
  'POST /api/v1/admin/accounts/:id/unsuspend': ['admin:write:accounts', 'manage_users'],
  'GET /api/v1/admin/canonical_email_blocks': ['admin:read:canonical_email_blocks', 'manage_blocks'],
  'POST /api/v1/admin/canonical_email_blocks': ['admin:write:canonical_email_blocks', 'manage_blocks'],
  'GET /api/v1/admin/canonical_email_blocks/:id': ['admin:read:canonical_email_blocks', 'manage_blocks'],
  'DELETE /api/v1/admin/canonical_email_blocks/:id': ['admin:write:canonical_email_blocks', 'manage_blocks'],
  'POST /api/v1/admin/canonical_email_blocks/test': ['admin:read:canonical_email_blocks', 'manage_blocks'],
  'POST /api/v1/admin/dimensions': ['admin:read', 'view_dashboard'],
  'POST /api/v1/admin/measures': ['admin:read', 'view_dashboard'],
  'POST /api/v1/admin/retention': ['admin:read', 'view_dashboard'],
  'GET /api/v1/admin/domain_allows': ['admin:read:domain_allows', 'manage_federation'],
  'POST /api/v1/admin/domain_allows': ['admin:write:domain_allows', 'manage_federation'],
  'GET /api/v1/admin/domain_allows/:id': ['admin:read:domain_allows', 'manage_federation'],
  'DELETE /api/v1/admin/domain_allows/:id': ['admin:write:domain_allows', 'manage_federation'],
  'GET /api/v1/admin/domain_blocks': ['admin:read:domain_blocks', 'manage_federation'],
  'POST /api/v1/admin/domain_blocks': ['admin:write:domain_blocks', 'manage_federation'],
  'GET /api/v1/admin/domain_blocks/:id': ['admin:read:domain_blocks', 'manage_federation'],
  'PUT /api/v1/admin/domain_blocks/:id': ['admin:write:domain_blocks', 'manage_federation'],
  'DELETE /api/v1/admin/domain_blocks/:id': ['admin:write:domain_blocks', 'manage_federation'],
  'GET /api/v1/admin/email_domain_blocks': ['admin:read:email_domain_blocks', 'manage_blocks'],
  'POST /api/v1/admin/email_domain_blocks': ['admin:write:email_domain_blocks', 'manage_blocks'],
  'GET /api/v1/admin/email_domain_blocks/:id': ['admin:read:email_domain_blocks', 'manage_blocks'],
  'DELETE /api/v1/admin/email_domain_blocks/:id': ['admin:write:email_domain_blocks', 'manage_blocks'],
  'GET /api/v1/admin/ip_blocks': ['admin:read:ip_blocks', 'manage_blocks'],
  'POST /api/v1/admin/ip_blocks': ['admin:write:ip_blocks', 'manage_blocks'],
  'GET /api/v1/admin/ip_blocks/:id': ['admin:read:ip_blocks', 'manage_blocks'],
  'PUT /api/v1/admin/ip_blocks/:id': ['admin:write:ip_blocks', 'manage_blocks'],
  'DELETE /api/v1/admin/ip_blocks/:id': ['admin:write:ip_blocks', 'manage_blocks'],
  'GET /api/v1/admin/reports': ['admin:read:reports', 'manage_reports'],
  'GET /api/v1/admin/reports/:id': ['admin:read:reports', 'manage_reports'],
  'PUT /api/v1/admin/reports/:id': ['admin:write:reports', 'manage_reports'],
  'POST /api/v1/admin/reports/:id/assign_to_self': ['admin:write:reports', 'manage_reports'],
  'POST /api/v1/admin/reports/:id/reopen': ['admin:write:reports', 'manage_reports'],
  'POST /api/v1/admin/reports/:id/resolve': ['admin:write:reports', 'manage_reports'],
  'POST /api/v1/admin/reports/:id/unassign': ['admin:write:reports', 'manage_reports'],
  'GET /api/v1/admin/tags': ['admin:read', 'manage_taxonomies'],
  'GET /api/v1/admin/tags/:id': ['admin:read', 'manage_taxonomies'],
  'PUT /api/v1/admin/tags/:id': ['admin:write', 'manage_taxonomies'],
  'PATCH /api/v1/admin/tags/:id': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/links/:id/approve': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/links/:id/reject': ['admin:write', 'manage_taxonomies'],
  'GET /api/v1/admin/trends/links/publishers': ['admin:read', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/links/publishers/:id/approve': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/links/publishers/:id/reject': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/statuses/:id/approve': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/statuses/:id/reject': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/tags/:id/approve': ['admin:write', 'manage_taxonomies'],
  'POST /api/v1/admin/trends/tags/:id/reject': ['admin:write', 'manage_taxonomies'],
}

/** Public: without the permission, they show what everyone sees. */
const OPEN_TO_ALL = ['links', 'statuses', 'tags'].map((what) => `GET /api/v1/admin/trends/${what}`)

const { server } = await stage({ env: { EXPERIMENTAL_FEATURES: 'fasp' } })
const operations = routes.map(({ method, path }) => `${method} ${path}`).filter((name) => name.includes('/admin/'))

/** By their role, or by their permissions. */
const people = new Map<string, Person>()
const named = (name: string): Person => people.get(name) as Person

/** The name of the person with every permission but these and that of owners. */
const without = (permissions: readonly string[]): string => `not_${permissions.join('_')}`

before(async () => {
  const scopes = ['read', 'write', 'follow', 'push', 'profile', 'admin:read', 'admin:write']
  people.set('plain', await server.person('plain', { scopes }))
  for (const role of ['moderator', 'admin', 'owner'] as const) people.set(role, await server.person(role, { role }))
  for (const permission of PERMISSION_NAMES)
    people.set(permission, await server.person(permission, { role: [permission] }))
  const needed = [
    ...Object.values(OPERATIONS).map(([, ...each]) => each),
    ...adminPages().map((each) => each.permissions),
  ]
  for (const permissions of needed) {
    const name = without(permissions)
    const others = PERMISSION_NAMES.filter((each) => each !== 'administrator' && !permissions.includes(each))
    if (!people.has(name)) people.set(name, await server.person(`not${people.size}`, { role: others }))
  }
})

/** Whether each person may do what one of these permissions allows: any of them is enough, and all others together are not. */
const expectations = (permissions: readonly Permission[]): [name: string, isAllowed: boolean][] => [
  ['plain', false],
  ['moderator', permissions.some((each) => MODERATOR.has(each))],
  ['admin', permissions.some((each) => !NOT_OF_ADMINS.has(each))],
  ['owner', true],
  ['administrator', true],
  ...permissions.map((each): [string, boolean] => [each, true]),
  [without(permissions), false],
]

/** Works on many at a time, and returns the problems. */
async function inParallel<T>(items: Iterable<T>, check: (item: T) => Promise<string | null>): Promise<string[]> {
  const waiting = items[Symbol.iterator]()
  const problems: string[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const problem = await check(next.value)
      if (problem !== null) problems.push(problem)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return problems.toSorted()
}

/** Requests an operation on something that does not exist. */
const ask = (operation: string, token: string | null) => {
  const [method = '', path = ''] = operation.split(' ')
  return server.send(method, path.replace(':id', '1'), { token })
}

test('the table has every operation', () => {
  assert.deepEqual(operations.toSorted(), [...Object.keys(OPERATIONS), ...OPEN_TO_ALL].toSorted())
})

test('operations require a role with the permission', async () => {
  const cases = operations.flatMap((operation) => {
    const [, ...permissions] = OPERATIONS[operation] ?? ['']
    const isOpen = OPEN_TO_ALL.includes(operation)
    return isOpen
      ? [{ operation, name: 'plain', isAllowed: true }]
      : expectations(permissions).map(([name, isAllowed]) => ({ operation, name, isAllowed }))
  })
  const problems = await inParallel(cases, async ({ operation, name, isAllowed }) => {
    const { status } = await ask(operation, named(name).token)
    const isRight = isAllowed ? status !== 401 && status !== 403 && status < 500 : status === 403
    return isRight ? null : `${operation} for ${name}: ${status}`
  })
  assert.deepEqual(problems, [])
})

test('operations need a token, with the scope, whatever the role', async () => {
  const noun = (scope: string): string | undefined => scope.split(':')[2]
  const scopes = [...new Set(Object.values(OPERATIONS).map(([scope]) => scope))]
  /** All that does not cover the scope: that of other nouns, and of reading for writing and the reverse. */
  const others = new Map(
    await Promise.all(
      scopes.map(async (scope): Promise<[string, string]> => {
        const opposite = scope.startsWith('admin:read') ? 'admin:write' : 'admin:read'
        const own = opposite === 'admin:write' ? 'admin:read' : 'admin:write'
        const nouns = [
          'accounts',
          'reports',
          'domain_allows',
          'domain_blocks',
          'ip_blocks',
          'email_domain_blocks',
          'canonical_email_blocks',
        ]
        const rest = nouns.filter((each) => each !== noun(scope)).map((each) => `${own}:${each}`)
        return [
          scope,
          await server.token({ userId: named('owner').userId, scopes: ['read', 'write', opposite, ...rest] }),
        ]
      }),
    ),
  )
  const exact = new Map(
    await Promise.all(
      scopes.map(async (scope): Promise<[string, string]> => [
        scope,
        await server.token({ userId: named('owner').userId, scopes: [scope] }),
      ]),
    ),
  )
  const problems = await inParallel(Object.entries(OPERATIONS), async ([operation, [scope]]) => {
    if (!operations.includes(operation)) return null
    const [none, wrong, right] = [
      await ask(operation, null),
      await ask(operation, others.get(scope) ?? ''),
      await ask(operation, exact.get(scope) ?? ''),
    ]
    const isRight = none.status === 401 && wrong.status === 403 && ![401, 403].includes(right.status)
    return isRight ? null : `${operation}: ${none.status}, ${wrong.status}, ${right.status} (${wrong.text})`
  })
  assert.deepEqual(problems, [])
})

test('pages require a role with the permission', async () => {
  const cookies = new Map<string, string>()
  for (const [name, { userId }] of people) {
    const session = await createSession(server.ctx, { userId, ip: null, userAgent: '', method: 'password' })
    cookies.set(name, `rookery_session=${session?.secret}`)
  }
  const open = (path: string, cookie?: string) =>
    server.send('GET', path, { headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) } })
  const cases = adminPages().flatMap(({ path, permissions }) =>
    expectations(permissions as Permission[]).map(([name, isAllowed]) => ({ path, name, isAllowed })),
  )
  const problems = await inParallel(cases, async ({ path, name, isAllowed }) => {
    const { status, headers } = await open(path, cookies.get(name))
    // A page with tabs redirects to the first.
    const isShown = status === 200 || headers.get('location')?.startsWith(`${path}/`)
    return (isAllowed ? isShown : status === 403) ? null : `${path} for ${name}: ${status}`
  })
  assert.deepEqual(problems, [])
  for (const { path } of adminPages())
    assert.equal((await open(path)).headers.get('location'), `/auth/sign_in?next=${encodeURIComponent(path)}`)
  const menu = await open('/admin/menu', cookies.get('view_devops'))
  assert.match(menu.text, /href="\/admin\/jobs"/)
  assert.doesNotMatch(menu.text, /href="\/admin\/audit_log"/)
  assert.equal((await open('/admin', cookies.get('plain'))).status, 403)
  assert.doesNotMatch((await open('/settings', cookies.get('plain'))).text, /href="\/admin"/)
  assert.match((await open('/settings', cookies.get('owner'))).text, /href="\/admin"/)
  // Forms of other sites, and files from those who may not upload.
  const post = (path: string, who: string, form: Record<string, string> | FormData) =>
    server.send('POST', path, { form, headers: { cookie: cookies.get(who) ?? '' } })
  assert.equal(
    (await post('/admin/jobs/change', 'owner', { act: 'discard', all: 'matching', confirmed: '1' })).status,
    403,
  )
  const file = new FormData()
  file.set('image', new File(['no image'], 'emoji.png'))
  assert.equal((await post('/admin/custom_emojis', 'plain', file)).status, 403)
})
