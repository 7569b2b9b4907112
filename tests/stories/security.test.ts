import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listJobs } from '#contracts/operations.ts'
import { createInvoice } from '#contracts/payments.ts'
import { previewSubmission } from '#contracts/submissions.ts'
import { loggedError } from '#server/kit/log.ts'
import { openSite } from '#server/site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { rounds } from '#tests/support/deep.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { callsOf, withField, type Call } from '#tests/support/openapi.ts'
import { SUBMISSION, world as paidWorld } from '#tests/support/payment-world.ts'
import { HANDED_IN, handIn } from '#tests/support/review.ts'
import { login, PASSWORD, signedIn } from '#tests/support/sign-in.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { testPorts, testSettings } from '#tests/support/test-site.ts'
import { words } from '#tests/support/words.ts'

/** The same server under an https address, with a readable log and the administrators' app. */
async function publicApp(
  tested: TestApp,
  trust: readonly string[] | number | false = false,
): Promise<{ app: FastifyInstance; log: () => string } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-admin-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets', 'admin-1.js'), 'export {}')
  writeFileSync(join(folder, 'secret.txt'), 'not for the web')
  let lines = ''
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines += chunk.toString()
      done()
    },
  })
  const trustProxy = typeof trust === 'object' ? [...trust] : trust
  const kit = { ...tested.kit, config: testSettings({ origin: 'https://example.org', trustProxy }) }
  const { app, stop } = await openSite(kit, testPorts(kit, { wallet: tested.ports.wallet }), {
    logger: pino({ level: 'debug', serializers: { err: loggedError } }, sink),
    adminPages: { page: '<!doctype html><title>Administration</title>', folder },
    busy: { afterMs: 0, sampleMs: 5_000 },
    payments: { mostAnAddress: 1 },
  })
  return {
    app,
    log: () => lines,
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const world = onceForFile(paidWorld, emptied)

describe('a site under https', () => {
  const site = onceForFile(() => publicApp(world()))

  it('sets a cookie hidden from scripts, other sites and plain connections', async () => {
    await signedIn(world())
    const response = await login(site(), {}, undefined, {})
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(response.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/)
    expect(response.body).not.toContain(response.cookies[0]?.value ?? 'none')
  })

  it('runs only its own scripts, and cannot be framed by other sites', async () => {
    for (const url of ['/admin', '/admin/dashboard', '/admin/login?next=x', '/api/admin/test']) {
      const { headers } = await site().app.inject({ url })
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy).toContain("base-uri 'self'")
      expect(policy).toContain("object-src 'none'")
      expect(policy).not.toMatch(/unsafe-|\*|https?:/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['cache-control']).toBe('no-store')
    }
  })

  it('serves only files of the app', async () => {
    const status = async (url: string) => (await site().app.inject({ url })).statusCode
    expect(await status('/admin/assets/admin-1.js')).toBe(200)
    for (const url of [
      '/admin/assets/../secret.txt',
      '/admin/assets/%2e%2e/secret.txt',
      '/admin/assets/..%2fsecret.txt',
      '/admin/assets/..%5csecret.txt',
      '/admin/assets/%2e%2e%2f%2e%2e%2fetc/passwd',
      '/admin/assets//etc/passwd',
    ]) {
      const response = await site().app.inject({ url })
      expect(`${url} ${response.body}`).not.toMatch(/not for the web|root:/)
    }
  })

  it('logs no password, token or cookie, and leaks none in an error response', async () => {
    await signedIn(world())
    const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
      site().app.inject({ method: 'POST', url, payload, headers })
    const answers = [
      await post('/api/admin/login', { username: 'Admin A', password: 'hunter2-hunter2' }),
      await post('/api/admin/login', { username: 'Admin A', password: ['hunter2-hunter2'] }),
      await post('/api/admin/logout', {}, { cookie: '__Host-session=stolen-stolen-stolen-stolen' }),
      await post('/api/admin/logout', {}, { authorization: 'Bearer stolen-stolen-stolen-stolen' }),
    ]
    const good = await post('/api/admin/login', { username: 'Admin A', password: PASSWORD })
    // A call that fails on our side, with the session on it.
    await world().sql('alter table audit_log rename to audit_log_gone')
    const cookie = `__Host-session=${good.cookies[0]?.value ?? ''}`
    answers.push(await post('/api/admin/logout', {}, { cookie }))
    await world().sql('alter table audit_log_gone rename to audit_log')
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 400, 401, 401, 500])
    const output = site().log() + answers.map(({ body }) => body).join('')
    expect(site().log()).toContain('a call failed')
    for (const secret of ['hunter2', 'stolen', PASSWORD, good.cookies[0]?.value ?? 'none']) {
      expect(output).not.toContain(secret)
    }
    expect(output).not.toMatch(/insert into|audit_log"/)
  })
})

describe('behind a proxy', () => {
  const request = (
    app: FastifyInstance,
    remoteAddress: string,
    forwarded?: string,
    header = 'x-forwarded-for',
  ) =>
    app.inject({
      url: '/healthz',
      remoteAddress,
      headers: forwarded === undefined ? {} : { [header]: forwarded },
    })

  it.each([
    [false, '127.0.0.1', true],
    [false, '::ffff:10.1.2.3', true],
    [false, '8.8.8.8', false],
    [['127.0.0.1'], '10.1.2.3', true],
    [['127.0.0.1', '10.0.0.0/8'], '10.1.2.3', false],
    [1, '127.0.0.1', false],
  ] as const)(
    'behind a proxy with TRUST_PROXY %j, one at %s that names visitors is reported once: %j',
    async (trustProxy, remoteAddress, isReported) => {
      await using site = await publicApp(world(), trustProxy)
      const { headers } = await signedIn(world())
      for (const odd of [undefined, '', ' , ', 'unknown', '203.0.113.9, 1.2'])
        await request(site.app, remoteAddress, odd)
      expect(site.log()).not.toContain('TRUST_PROXY')
      for (let i = 0; i < 3; i += 1) await request(site.app, remoteAddress, '203.0.113.9')
      const advice = `set TRUST_PROXY=${remoteAddress}`
      expect(site.log().split(advice)).toHaveLength(isReported ? 2 : 1)
      const cookie = headers['cookie']?.replace('session=', '__Host-session=') ?? ''
      const url = listJobs.path
      const answer = await site.app.inject({ url, headers: { ...headers, cookie } })
      const { warnings } = listJobs.reply.parse(answer.json())
      const reported = warnings.filter(({ text }) => text.includes(advice)).map(({ name }) => name)
      expect(reported).toEqual(isReported ? ['unbelieved-proxy'] : [])
    },
  )

  it('that sends only Forwarded is reported once, with the header it has to send', async () => {
    await using site = await publicApp(world(), ['127.0.0.1'])
    const names = (remoteAddress: string) =>
      request(site.app, remoteAddress, 'for=203.0.113.9;proto=https', 'forwarded')
    const advice = 'sends Forwarded, which is not read here'
    await names('8.8.8.8')
    expect(site.log()).not.toContain(advice)
    // Even from a trusted proxy this header is not read.
    for (let i = 0; i < 3; i += 1) await names('127.0.0.1')
    expect(site.log().split(advice)).toHaveLength(2)
    expect(site.log()).toContain(
      'A proxy at 127.0.0.1 sends Forwarded, which is not read here: all its visitors share one limit. If it is yours, let it send X-Forwarded-For, and set TRUST_PROXY=127.0.0.1',
    )
  })

  it.each([
    ['its address', ['127.0.0.1'], '', true],
    ['one hop', 1, '', true],
    ['two hops', 2, ', 10.0.0.1', true],
    ['nothing', false, '', false],
  ] as const)(
    'behind an appending proxy known by %s, a visitor cannot choose an address',
    async (_, trustProxy, tail, isKnown) => {
      await using site = await publicApp(world(), trustProxy)
      const orderAs = async (forwarded: string): Promise<number> => {
        const answer = await site.app.inject({
          method: 'POST',
          url: createInvoice.path,
          remoteAddress: '127.0.0.1',
          headers: { 'x-forwarded-for': forwarded + tail },
          payload: { amount: 1, submissionData: SUBMISSION },
        })
        return answer.statusCode
      }
      expect(await orderAs('192.0.2.1, 203.0.113.9')).toBe(200)
      expect(await orderAs('192.0.2.2, 203.0.113.9')).toBe(429)
      expect(await orderAs('192.0.2.1, 203.0.113.10')).toBe(isKnown ? 200 : 429)
    },
  )
})

describe('a date in a call', () => {
  const NO_DAYS = words(
    '1899-12-31 2300-01-01 2026-02-30 0000-00-00 0001-01-01 9999-12-31 +275760-09-13 -000001-01-01',
  ).slice(0, rounds(3, 8))
  const NO_MOMENTS = NO_DAYS.slice(-rounds(1, 8)).map((day) => `${day}T00:00:00Z`)
  const NAMES = /(?:^|_)(?:date|day|time|at|from|to|since|until|made|posted|start|end)$/

  /** Fields that a form needs to be validated beyond its first field. */
  const FILLED = {
    ...HANDED_IN,
    text: 'My call: Bitcoin hits $150k by the end of next year.',
    submissionData: SUBMISSION,
  }

  it('that does not exist is refused with a message by every call', async () => {
    const site = world()
    await site.imports.predictions(JSON.stringify([entry('known')]))
    await site.imports.prices('btc', closesFile('2023-12-20', Array(25).fill(100)), 'test')
    await site.refresh()
    const admin = await signedIn(site)
    const submission = await handIn(admin)
    const faults: string[] = []
    const seen: string[] = []
    let requests = 0
    for (const call of callsOf(site.app)) {
      const id = call.path.includes('submission') ? submission : 'known'
      const form = Object.entries(FILLED).filter(([name]) => call.names.includes(name))
      const filled = call.body && { ...call.body, ...Object.fromEntries(form) }
      const path = call.path.replace('{id}', id).replaceAll(/\{\w+\}/g, '1')
      const dates = call.fields.filter(
        ({ at, format }) =>
          format === 'date' || format === 'date-time' || NAMES.test(at.at(-1) ?? ''),
      )
      for (const field of dates) {
        seen.push(`${call.method} ${call.path} ${field.at.join('.')}`)
        for (const value of field.format === 'date' ? NO_DAYS : [...NO_DAYS, ...NO_MOMENTS]) {
          const [query, body] =
            field.in === 'query'
              ? [withField(call.query, field.at, value), filled]
              : [call.query, withField(filled ?? {}, field.at, value)]
          requests += 1
          const answer = await site.app
            .inject({
              method: call.method,
              url: path,
              query: Object.fromEntries(
                Object.entries(query).map(([name, one]) => [name, String(one)]),
              ),
              headers: admin.headers,
              // Each from an address of its own, as calls have limits.
              remoteAddress: `10.${String(requests >> 16)}.${String((requests >> 8) & 255)}.${String(requests & 255)}`,
              ...(body === null ? {} : { payload: body }),
            })
            .catch(() => null)
          const name = `${call.method} ${call.path} ${field.at.join('.')}=${value}`
          if (!answer) {
            faults.push(`${name}: cut off`)
            continue
          }
          const text = `${name}: ${String(answer.statusCode)}`
          if (answer.statusCode >= 500 || answer.statusCode === 429) faults.push(text)
          if (field.format === 'date' && answer.statusCode !== 400) faults.push(text)
          if (answer.statusCode >= 400) {
            const { message } = z.object({ message: z.string().min(10) }).parse(answer.json())
            if (!/[.?!]$/.test(message)) faults.push(`${text} ${message}`)
          }
        }
      }
    }
    expect(faults).toEqual([])
    expect(seen).toEqual(
      expect.arrayContaining([
        'GET /api/v1/admin/audit to',
        'GET /api/v1/admin/audit/export to',
        'POST /api/v1/admin/prices/jumps/answer date',
        'PUT /api/v1/admin/predictions/{id} target_time',
        'POST /api/payments/create-invoice submissionData.prediction_made',
      ]),
    )
  })
})

describe('the rate limit of an address', () => {
  /** Prepared in advance, and sent in a fifth of a millisecond. */
  const READY = words(`
    /api/prices /api/predictions /api/mstr/prices /api/mstr/predictions /api/naka/prices
    /api/naka/predictions /prices /api/intro/metrics
  `)

  /** Event streams are counted while they are open; see http/event-streams.ts. */
  const STREAMS = ['/api/v1/live']

  it('every call has a limit, and a lower one for visitors than for administrators', async () => {
    const site = world()
    const { headers } = await signedIn(site)
    const unlimited: string[] = []
    const calls = callsOf(site.app)
    const mostOf = ({ isGuarded, method }: Call) =>
      isGuarded ? 1_200 : method === 'POST' ? 50 : 240
    // Signing out comes last: the others need the session.
    const ends = ({ path }: Call): boolean => /logout|sessions/.test(path)
    for (const call of calls.toSorted((a, b) => Number(ends(a)) - Number(ends(b)))) {
      const { method, path, isGuarded, body } = call
      const answer = await site.app.inject({
        // An event stream does not end by itself.
        payloadAsStream: true,
        method,
        url: path.replaceAll(/\{\w+\}/g, '1'),
        remoteAddress: '192.0.2.9',
        headers: !isGuarded ? {} : ends(call) ? (await signedIn(site)).headers : headers,
        ...(body === null ? {} : { payload: {} }),
      })
      answer.stream().destroy()
      const most = Number(answer.headers['x-ratelimit-limit'] ?? Infinity)
      if (!(most <= mostOf(call))) unlimited.push(path)
    }
    expect(calls.length).toBeGreaterThan(100)
    expect(unlimited.toSorted()).toEqual([...READY, ...STREAMS].toSorted())
  })

  it('a limit is enforced: beyond it there is a 429 with a message, for that address only', async () => {
    const site = world()
    const ask = (remoteAddress: string) => site.app.inject({ url: '/api/v1/assets', remoteAddress })
    const statuses = new Set<number>()
    for (let i = 0; i < 240; i += 1) statuses.add((await ask('192.0.2.1')).statusCode)
    expect(statuses).toEqual(new Set([200]))
    const refused = await ask('192.0.2.1')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toMatchObject({ success: false, code: 'too_many' })
    expect((await ask('192.0.2.2')).statusCode).toBe(200)
    // A change: the limit of one address is that of its whole prefix.
    const request = { method: 'POST', url: previewSubmission.path, payload: {} } as const
    const preview = async (remoteAddress: string) =>
      (await site.app.inject({ ...request, remoteAddress })).statusCode
    const near = (n: number) => preview(`2001:db8:9:${n.toString(16)}::1`)
    for (let n = 0; n < 50; n += 1) expect(await near(n)).not.toBe(429)
    expect([await near(50), await preview('198.51.100.7')]).toEqual([429, 400])
  })
})
