import { type FastifyInstance, type InjectOptions } from 'fastify'
import '@fastify/swagger'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { receiptPath } from '#contracts/paths.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { order } from '#tests/support/payment-world.ts'
import { opens, script, signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { ledgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { type TestApp } from '#tests/support/test-app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
type Served = { readonly method: Method; readonly path: string }

/** Everything under these is for administrators … */
const GUARDED = [
  /^\/api\/admin(?:\/|$)/,
  /^\/api\/v1\/admin(?:\/|$)/,
  /^\/admin\/influencers$/,
  /^\/api\/x(?:\/|$)/,
  /^\/api\/nostr(?:\/|$)/,
  /^\/api\/extract-tweet$/,
  /^\/api\/tweet-queue(?:\/|$)/,
  /^\/api\/process-tweet-queue-item$/,
  /^\/metrics$/,
]
/** … except signing in. */
const OPEN = new Set([
  'POST /api/admin/login',
  'POST /api/admin/passkeys/options',
  'POST /api/admin/passkeys/login',
  'POST /api/admin/password-link',
  'POST /api/admin/password-link/use',
])

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
        'x-right': z.string().optional(),
      }),
    ),
  ),
})

/** Every administrators' route: by its path, or marked as theirs. */
function adminRoutes(app: FastifyInstance): Served[] {
  const found = new Map<string, Served>()
  const add = (method: string, path: string): void => {
    const name = method.toUpperCase()
    if (name === 'HEAD' || name === 'OPTIONS' || OPEN.has(`${name} ${path}`)) return
    found.set(`${name} ${path}`, { method: name as Method, path })
  }
  for (const { method, path } of allRoutes(app)) {
    if (GUARDED.some((one) => one.test(path))) add(method, path)
  }
  for (const [path, calls] of Object.entries(Document.parse(app.swagger()).paths)) {
    const plain = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const [method, { security }] of Object.entries(calls)) if (security) add(method, plain)
  }
  return [...found.values()]
}

/** The routes from the server's own table. */
function allRoutes(app: FastifyInstance): { method: string; path: string }[] {
  const parts: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const row = /^((?:[│ ] {3})*)(?:├──|└──) (\S*)(?: \(([A-Z, ]+)\))?/.exec(line)
      if (!row) return []
      const depth = (row[1] ?? '').length / 4
      parts.length = depth
      parts.push(row[2] ?? '')
      const path = parts.join('')
      return (row[3] ?? '')
        .split(', ')
        .filter((method) => method !== '')
        .map((method) => ({ method, path }))
    })
}

let attempt = 0

/** From a new address each time, as each call is rate limited by address. */
async function answers(
  app: FastifyInstance,
  routes: readonly Served[],
  headers: InjectOptions['headers'],
): Promise<string[]> {
  const rows: string[] = []
  attempt += 1
  for (const { method, path } of routes) {
    const url = path
      .replace(/:id\b/g, '6f1c3f6e-8a3b-4d8e-9b1a-000000000000')
      .replaceAll(/:\w+/g, '1')
    const answer = await app.inject({
      // An event stream does not end by itself.
      payloadAsStream: true,
      method,
      url,
      remoteAddress: `127.2.0.${String(attempt)}`,
      headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
      // Malformed on purpose: parsing it before checking rights answers 400.
      ...(method === 'GET' ? {} : { payload: '{"broken' }),
    })
    answer.stream().destroy()
    rows.push(`${method} ${path} ${String(answer.statusCode)}`)
  }
  return rows
}

/** The rights of each role, repeated here and compared with the server. */
const ALLOWED = {
  'signed-in': ['administrator', 'reviewer', 'script', 'script of a reviewer'],
  account: ['administrator', 'reviewer'],
  accounts: ['administrator'],
  read: ['administrator', 'reviewer', 'script', 'script of a reviewer'],
  'read-all': ['administrator', 'script'],
  review: ['administrator', 'reviewer', 'script', 'script of a reviewer'],
  publish: ['administrator', 'script'],
  operate: ['administrator', 'script'],
} satisfies Record<string, readonly Who[]>
type Needed = keyof typeof ALLOWED
/** Sessions and tokens of both roles, and a visitor. */
type Who = 'administrator' | 'reviewer' | 'script' | 'script of a reviewer' | 'visitor'

/** The right required by each administrators' call; names in braces are calls of their own. New calls are added by hand. */
const NEEDED: Readonly<Record<Needed, readonly string[]>> = {
  'signed-in': calls('GET /api/admin/test', 'GET /api/v1/admin/me'),
  account: calls(
    'POST /api/admin/logout',
    'DELETE /api/v1/admin/{sessions,sessions/:id,tokens/:id}',
    'POST /api/v1/admin/{tokens,password,passkeys,passkeys/options,passkeys/:id/remove}',
    'POST /api/v1/admin/second-factor{,/confirm,/off,/recovery-codes}',
  ),
  accounts: calls(
    'GET /api/v1/admin/accounts',
    'POST /api/v1/admin/accounts{,/:id/disable,/:id/enable,/:id/link,/:id/role}',
    'DELETE /api/v1/admin/accounts/:id/sessions',
  ),
  read: calls(
    'GET {/admin,/api/admin}/influencers',
    'GET /api/admin/prediction_submissions',
    'GET /api/tweet-queue{,/:id,/events}',
    'GET /api/v1/admin/{expert-duplicates,experts,experts/:id,extraction-accuracy,goalposts,home}',
    'GET /api/v1/admin/{predictions,predictions/:id,reports,submissions,submissions/:id}',
    'GET /api/v1/admin/review/waiting',
  ),
  'read-all': calls(
    'GET /metrics',
    'GET /api/{bluesky,nostr}/status',
    'GET /api/v1/admin/{audit,audit/export,jobs,payments,payments/:id,replies,sources/checks}',
    'GET /api/v1/admin/prices/{earlier-days,jumps,sources}',
    'GET /api/v1/admin/social/{compose,pictures/:id,posts,posts/:id,proposals,settings,to-decide}',
    'GET /api/x/{rate-limit-status,scheduled-tweets,scheduling-stats,test}',
  ),
  review: calls(
    'POST /api/admin/{mstr_,naka_,}prediction_submissions/:id/approve',
    'PUT /api/admin/prediction_submissions/:id{,/prediction-date,/update}',
    'PUT /api/admin/submissions/:id',
    'POST /api/{extract-tweet,process-tweet-queue-item,tweet-queue,tweet-queue/:id/restore}',
    'DELETE /api/tweet-queue/:id',
    'PUT /api/v1/admin/{goalposts,reports/:number/text}',
    'POST /api/v1/admin/reports/:number/{decline,reopen}',
    'POST /api/v1/admin/submissions/{:id/dry-run,:id/undo,bulk-approve,bulk-reject,bulk-undo}',
  ),
  publish: calls(
    'POST /api/nostr/post',
    'POST /api/x/tweet{,-with-images}',
    'PUT /api/v1/admin/{experts/:id,predictions/:id,social/posts/:id,social/proposals/:event}',
    'POST /api/v1/admin/experts/:id/merge',
    'POST /api/v1/admin/predictions/:id/{dry-run,freeze,override,restore,thaw,withdraw}',
    'DELETE /api/v1/admin/predictions/:id/override',
    'POST /api/v1/admin/{replies,replies/:id/decline,replies/:id/publish,reports/:number/accept}',
    'POST /api/v1/admin/social/{pictures,pictures/of-prediction,posts}',
    'POST /api/v1/admin/social/posts/:id/{cancel,check,leave,mark,send}',
  ),
  operate: calls(
    'POST /api/v1/admin/jobs/:id/{arrived,dismiss,retry}',
    'POST /api/v1/admin/payments/:id/{look,reopen,settle}',
    'POST /api/v1/admin/prices/{earlier-days/publish,jumps/answer,sources/run}',
    'PUT /api/v1/admin/social/settings',
  ),
}

function calls(...patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const [, before = '', names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
    return names === undefined ? pattern : names.split(',').map((name) => before + name + after)
  })
}

/** Headers for each of them. */
async function everyone(site: TestApp): Promise<Record<Who, Readonly<Record<string, string>>>> {
  const [administrator, reviewer] = [
    await signedIn(site),
    await signedIn(site, 'Reviewer', 'reviewer'),
  ]
  return {
    administrator: administrator.headers,
    reviewer: reviewer.headers,
    script: await script(administrator),
    'script of a reviewer': await script(reviewer),
    visitor: {},
  }
}

const { world: site, clock } = emptySite({
  ports: { wallet: ledgerWallet(standInLedger(() => clock.now())) },
})

it('every administrator call requires its right', async () => {
  const headers = await everyone(site)
  const routes = adminRoutes(site.app)
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  // Both ways of finding them agree where they overlap.
  expect(allRoutes(site.app).map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining(names),
  )
  // Each call that needs a right is in the table, and each listed call needs one.
  expect(names.toSorted()).toEqual(Object.values(NEEDED).flat().toSorted())
  const [expected, seen]: [string[], string[]] = [[], []]
  for (const [who, input] of Object.entries(headers)) {
    const rows = await answers(site.app, routes, input)
    seen.push(...rows.map((row) => `${who}: ${row.replace(/ (?!40[13]$)\d+$/, ' open')}`))
    for (const right of Object.keys(NEEDED) as Needed[]) {
      const allowed: readonly string[] = ALLOWED[right]
      const status = who === 'visitor' ? '401' : allowed.includes(who) ? 'open' : '403'
      expected.push(...NEEDED[right].map((name) => `${who}: ${name} ${status}`))
    }
  }
  expect(seen.toSorted()).toEqual(expected.toSorted())
})

it('the OpenAPI document lists the right of each administrator call', async () => {
  const { paths } = Document.parse(site.app.swagger())
  const documented = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, call]) => {
      const right = call['x-right']
      return right === undefined
        ? []
        : [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${right}`]
    }),
  )
  // These two are for programs and pictures, and are not in the document.
  const hidden = ['GET /metrics', 'GET /api/v1/admin/social/pictures/:id']
  const expected = Object.entries(NEEDED).flatMap(([right, names]) =>
    names.filter((name) => !hidden.includes(name)).map((name) => `${name} ${right}`),
  )
  expect(documented.toSorted()).toEqual(expected.toSorted())
  const token = (path: string, method: string) =>
    paths[path]?.[method]?.security?.find((one) => 'token' in one)?.['token']
  expect(token('/api/x/tweet', 'post')).toEqual([])
  expect(token('/api/v1/admin/password', 'post')).toBeUndefined()
})

it("reviewers may submit without paying, and the visitor's fields are ignored", async () => {
  const ended = { cookie: `session=${'x'.repeat(43)}` }
  const callers = await everyone(site)
  const elsewhere = { ...callers.administrator, 'sec-fetch-site': 'cross-site' }
  for (const url of ['/api/submissions', '/api/mstr/submissions', '/api/naka/predictions']) {
    for (const [who, input] of Object.entries({ ...callers, ended, elsewhere })) {
      const headers = { ...input, 'content-type': 'application/json' }
      const payload = '{"broken'
      const answer = await site.app.inject({ method: 'POST', url, headers, payload })
      const status = { visitor: 402, ended: 401, elsewhere: 403 }[who] ?? 400
      expect([url, who, answer.statusCode]).toEqual([url, who, status])
    }
  }
})

it('a reviewer sees failed queue items, but no payments or prices', async () => {
  const { sql } = site.database
  await sql(
    `insert into tweet_queue (url, post_id, status, step, created_at, processed_at, error_message)
     values ('https://x.com/a/status/1', '1', 'failed', '', now(), now(), 'Gone.');
     insert into price_sources (asset, source, failing_since, last_error_at, last_error)
     values ('btc', 'kraken', now(), now(), 'Away.'), ('btc', 'kraken live', now(), now(), 'Away.')`,
  )
  const failed = async (who: SignedInBrowser) =>
    z
      .object({ failed: z.array(z.object({ kind: z.string() })) })
      .parse((await who.call('GET', '/api/v1/admin/home')).body)
      .failed.map(({ kind }) => kind)
  expect((await failed(await signedIn(site))).toSorted()).toEqual(['queue', 'source'])
  expect(await failed(await signedIn(site, 'Reviewer', 'reviewer'))).toEqual(['queue'])
})

/** Two sample calls: the first test checks that each requires a session. */
const SOME: readonly Served[] = [
  { method: 'GET', path: '/api/v1/admin/home' },
  { method: 'PUT', path: '/api/v1/admin/predictions/:id' },
]

it('administrator calls are refused before the body is read: forged, revoked, expired or receipt tokens', async () => {
  const routes = SOME
  const all = routes.map(({ method, path }) => `${method} ${path} 401`)
  const admin = await signedIn(site)
  const revoked = await script(admin)
  expect(await opens(site, revoked)).toBe(200)
  const me = await admin.call('GET', '/api/v1/admin/me')
  const { tokens } = z.object({ tokens: z.array(z.object({ id: z.string() })) }).parse(me.body)
  const url = `/api/v1/admin/tokens/${tokens[0]?.id ?? ''}`
  expect((await (await signedIn(site, 'Admin B')).call('DELETE', url)).status).toBe(404)
  expect(await opens(site, revoked)).toBe(200)
  await admin.call('DELETE', url)
  expect(await opens(site, admin.headers)).toBe(200)
  const { receipt } = await order(site)
  expect(receipt.path).toBe(receiptPath(receipt.token))
  clock.pass(8 * 86_400_000)
  const session = (token: string) => ({
    cookie: `session=${token}`,
    'sec-fetch-site': 'same-origin',
  })
  for (const headers of [
    session('x'.repeat(43)),
    { cookie: 'adminLoggedIn=true', 'x-admin': 'true', authorization: 'Basic YTph' },
    revoked,
    admin.headers,
    session(receipt.token),
    { authorization: `Bearer ${receipt.token}` },
  ]) {
    expect(await answers(site.app, routes, headers)).toEqual(all)
  }
})

it('administrator calls that change something are refused from another site', async () => {
  const { headers } = await signedIn(site)
  const every = adminRoutes(site.app).filter(({ method }) => method !== 'GET')
  const refused = (of: readonly Served[]) => of.map(({ method, path }) => `${method} ${path} 403`)
  const other = { ...headers, 'sec-fetch-site': 'cross-site' }
  expect(await answers(site.app, every, other)).toEqual(refused(every))
  const routes = SOME.slice(1)
  const all = refused(routes)
  // A subdomain is another site, too.
  const subdomain = { ...headers, 'sec-fetch-site': 'same-site' }
  expect(await answers(site.app, routes, subdomain)).toEqual(all)
  // Browsers before 2020 send only the page's own address.
  const { 'sec-fetch-site': _, ...older } = headers
  const elsewhere = { ...older, host: 'localhost:3001', origin: 'https://elsewhere.example' }
  expect(await answers(site.app, routes, elsewhere)).toEqual(all)
  expect(await answers(site.app, routes, { ...elsewhere, origin: 'null' })).toEqual(all)
  const here = { ...elsewhere, origin: 'http://localhost:3001' }
  expect((await answers(site.app, routes, here)).filter((row) => row.endsWith('403'))).toEqual([])
})
