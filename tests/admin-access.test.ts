import '@fastify/swagger'
import { receiptPath } from '#contracts/receipt.ts'
import { type FastifyInstance, type InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { order, world } from './support/payment-world.ts'
import { signedIn } from './support/sign-in.ts'
import { testApp } from './support/test-app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
type Served = { readonly method: Method; readonly path: string }

/** Under these everything is for administrators … */
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
/** … but signing in. */
const OPEN = new Set([
  'POST /api/admin/login',
  'POST /api/admin/passkeys/options',
  'POST /api/admin/passkeys/login',
])

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ security: z.array(z.unknown()).optional() })),
  ),
})

/** Every route that is for administrators: whatever stands under their paths, and whatever is marked as theirs. */
function guarded(app: FastifyInstance): Served[] {
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

/** What the server answers, read off its own table. */
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

async function answers(
  app: FastifyInstance,
  routes: readonly Served[],
  headers: InjectOptions['headers'],
): Promise<string[]> {
  const rows: string[] = []
  for (const { method, path } of routes) {
    const url = path
      .replace(/:id\b/g, '6f1c3f6e-8a3b-4d8e-9b1a-000000000000')
      .replaceAll(/:\w+/g, '1')
    const answer = await app.inject({
      method,
      url,
      headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
      // Broken on purpose: who reads it before asking who is there answers 400.
      ...(method === 'GET' ? {} : { payload: '{"broken' }),
    })
    rows.push(`${method} ${path} ${String(answer.statusCode)}`)
  }
  return rows
}

const refused = (routes: readonly Served[]): string[] =>
  routes.map(({ method, path }) => `${method} ${path} 401`)

describe('every call of administrators', () => {
  it('is known to this test', async () => {
    await using site = await testApp()
    const known = guarded(site.app).map(({ method, path }) => `${method} ${path}`)
    expect(known).toEqual(
      expect.arrayContaining([
        'GET /api/admin/test',
        'GET /api/admin/prediction_submissions',
        'GET /admin/influencers',
        'POST /api/admin/prediction_submissions/:id/approve',
        'PUT /api/admin/submissions/:id',
        'POST /api/v1/admin/submissions/:id/undo',
        'POST /api/extract-tweet',
      ]),
    )
    // Both ways of finding them agree on what they both see.
    expect(allRoutes(site.app).map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(known),
    )
  })

  it('is refused without a session, before its body is read', async () => {
    await using site = await testApp()
    const routes = guarded(site.app)
    expect(await answers(site.app, routes, {})).toEqual(refused(routes))
    const made = { cookie: `session=${'x'.repeat(43)}`, 'sec-fetch-site': 'same-origin' }
    expect(await answers(site.app, routes, made)).toEqual(refused(routes))
    const hint = { cookie: 'adminLoggedIn=true', 'x-admin': 'true', authorization: 'Basic YTph' }
    expect(await answers(site.app, routes, hint)).toEqual(refused(routes))
  })

  it('is refused with a session that has ended', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z')
    await using site = await testApp({ clock: { now: () => now } })
    const admin = await signedIn(site)
    expect((await admin.call('GET', '/api/admin/test')).status).toBe(200)
    now += 8 * 86_400_000
    const routes = guarded(site.app)
    expect(await answers(site.app, routes, admin.headers)).toEqual(refused(routes))
  })

  it('is refused with a bearer token that was revoked', async () => {
    await using site = await testApp()
    const admin = await signedIn(site)
    const made = await admin.call('POST', '/api/v1/admin/tokens', { name: 'script', days: 1 })
    const { token } = z.object({ token: z.string() }).parse(made.body)
    const headers = { authorization: `Bearer ${token}` }
    const first = await site.app.inject({ url: '/api/admin/test', headers })
    expect(first.statusCode).toBe(200)
    const me = await admin.call('GET', '/api/v1/admin/me')
    const { tokens } = z.object({ tokens: z.array(z.object({ id: z.string() })) }).parse(me.body)
    await admin.call('DELETE', `/api/v1/admin/tokens/${tokens[0]?.id ?? ''}`)
    const routes = guarded(site.app)
    expect(await answers(site.app, routes, headers)).toEqual(refused(routes))
  })

  it("is refused with a visitor's receipt", async () => {
    await using site = await world()
    const { receipt } = await order(site)
    expect(receipt.path).toBe(receiptPath(receipt.token))
    const routes = guarded(site.app)
    const bearer = { authorization: `Bearer ${receipt.token}` }
    expect(await answers(site.app, routes, bearer)).toEqual(refused(routes))
    const cookie = { cookie: `session=${receipt.token}`, 'sec-fetch-site': 'same-origin' }
    expect(await answers(site.app, routes, cookie)).toEqual(refused(routes))
  })

  it('that changes something is refused when another site sends it', async () => {
    await using site = await testApp()
    const { headers } = await signedIn(site)
    const routes = guarded(site.app).filter(({ method }) => method !== 'GET')
    const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' }
    expect(await answers(site.app, routes, crossSite)).toEqual(
      routes.map(({ method, path }) => `${method} ${path} 403`),
    )
  })
})
