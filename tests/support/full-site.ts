import { vi } from 'vitest'
import { z } from 'zod'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import { entry } from './builders.ts'
import { manyEntries } from './many.ts'
import { call, order, payNow, world } from './payment-world.ts'
import { presentTime } from './present-time.ts'
import { approve, handIn } from './review.ts'
import { signedIn } from './sign-in.ts'
import { STARTER_FILES } from './starter-site.ts'

const said = (id: string, made: string, due: string, price_target: number, more: object = {}) =>
  entry(id, { prediction_made: made, target_time: due, price_target, ...more })
const between = (prediction_type: string, price_min: number | null, price_max: number | null) => {
  return { prediction_type, price_target: null, price_min, price_max }
}
const YEAR = { target_precision: 'year', made_precision: 'month' }
const FIRM = { expert_name: 'Firm <b>', is_firm: true, asset_type: 'mstr' }
const OTHER = { expert_name: 'Expert C', x_handle: 'expert_c', remarks: 'Said twice.' }
const RECORD = [
  ...manyEntries(24),
  said('near', '2024-05-02', '2024-08-30', 62_000, { summary: 'It gets there.' }),
  said('moved', '2023-01-10', '2023-12-31', 100_000, YEAR),
  said('moved-on', '2024-01-10', '2024-12-31', 100_000, YEAR),
  said('soon', '2024-05-03', '2024-09-05', 90_000, { deadline_assumed: true }),
  said('early', '2009-01-10', '2010-01-10', 50),
  said('range', '2024-05-04', '2024-12-31', 0, between('range', 60_000, 80_000)),
  said('top', '2024-05-05', '2024-08-20', 0, between('top', null, 75_000)),
  said('bottom', '2024-05-06', '2024-08-21', 0, between('bottom', 40_000, null)),
  said('day', '2024-05-07', '2024-08-15', 70_000, { timing: 'at_end', direction: 'up' }),
  said('gone', '2024-05-08', '2024-10-01', 77_000),
  said('mended', '2024-05-09', '2024-10-02', 78_000),
  said('merged', '2024-02-09', '2025-10-02', 88_000, OTHER),
  said('split', '2024-05-01', '2025-05-01', 2_000, FIRM),
  said('stock', '2024-01-15', '2024-07-01', 900, FIRM),
]

/** Calls of an administrator, who gives the row's version and a reason. */
const CHANGES: readonly (readonly [method: 'POST' | 'PUT', path: string, body: object])[] = [
  ['PUT', '/predictions/mended', { price_target: 79_000, reports: [2] }],
  ['POST', '/predictions/gone/withdraw', {}],
  ['POST', '/predictions/day/freeze', {}],
  ['POST', '/predictions/range/freeze', {}],
  ['POST', '/predictions/range/thaw', {}],
  ['POST', '/predictions/bottom/override', { mode: 'close', outcome: 'void' }],
  ['POST', '/reports/1/decline', { reason: 'The record is right', answer: 'It is.' }],
  ['PUT', '/goalposts', { earlier: 'moved', later: 'moved-on', was: 'suggested', state: 'cut' }],
  ['PUT', '/goalposts', { earlier: 'moved', later: 'moved-on', was: 'cut', state: 'confirmed' }],
  ['POST', '/experts/5/merge', { into: 4 }],
  ['POST', '/replies', { page: '/predictions/near', text: 'I did.', link: '', note: 'By phone.' }],
  ['POST', '/replies/:first/publish', { note: '' }],
  [
    'POST',
    '/replies',
    { page: '/predictions/top', text: 'A <b>joke</b>.', link: '', note: 'By post.' },
  ],
]

/** A small record with everything that pages show, as of 1 September 2024. */
export async function fullSite(
  pages: BuiltPages | null = null,
  more: Parameters<typeof world>[0] = {},
) {
  // Timers of jobs compare times with this.
  vi.setSystemTime('2024-06-01')
  const site = await world({ ...more, options: { pages } })
  const { database, clock, imports, scores } = site
  const setPresent = await presentTime(database)
  const moveTo = async (day: string): Promise<void> => {
    clock.ms = Date.parse(`${day}T12:00:00Z`)
    vi.setSystemTime(clock.ms)
    await setPresent(clock.ms)
    for (const asset of ['btc', 'mstr'] as const) {
      const isPast = (row: string): boolean => !/^\d/.test(row) || row < day
      const past = STARTER_FILES.prices[asset].split('\n').filter(isPast).join('\n')
      await imports.prices(asset, past, 'test')
    }
    await site.refresh()
  }
  await moveTo('2024-06-01')
  await site.publish(...RECORD)
  await moveTo('2024-08-31')
  const signIn = () => signedIn(site, 'Admin A', 'administrator', '192.0.2.7')
  const admin = await signIn()
  for (const prediction of ['near', 'mended', 'top']) {
    const explanation = `The date of ${prediction} is another one.`
    const about = { prediction, kind: 'date', explanation, source: 'https://example.org/other' }
    await call(site, 'POST', '/api/v1/reports', about)
  }
  for (const [method, path, body] of CHANGES) {
    const [row = ''] = /^\/(?:predictions|experts)\/\w+/.exec(path) ?? []
    const about = await admin.call('GET', `/api/v1/admin${row || '/replies'}`)
    const { version, rows } = Row.parse(about.body)
    const url = `/api/v1/admin${path.replace(':first', rows?.[0]?.id ?? '')}`
    const sent = { ...(row && { version, reason: `The reason of ${path}.` }), ...body }
    const { status, body: answer } = await admin.call(method, url, sent)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  }
  const first = await order(site, { amount: 2_100 })
  const second = await order(site, { amount: 1, receipt: first.receipt.token })
  for (const paid of [first, second]) await payNow(site, paid)
  await database.sql(
    `update payments set created_at = created_at - interval '1 minute' where sats = 2100`,
  )
  const made = { prediction_made: '2024-08-30', expert_name: 'Expert A' }
  await approve(admin, await handIn(admin, { ...made, price_target: 95_000 }))
  await handIn(admin, { ...made, price_target: 250_000 })
  await moveTo('2024-09-01')
  for (const mode of ['touch', 'close'] as const) await scores.service.bringUpToDate(mode)
  await database.sql(`
    insert into price_questions (asset, day, sources, before_day, before_usd, after_usd)
      values ('mstr', '2024-08-29', 'yahoo', '2024-08-28', 400, 200), ('mstr', '2024-08-22', 'yahoo', '2024-08-21', 400, 600);
    insert into source_checks (url, asked_at, next_ask_at, dead_since, last_error)
      values ('https://example.org/source', present(), present(), present(), '404');
    insert into outbox (kind, key, ref, lane, state, tries, last_error, created_at, updated_at) values
      ('relay', '1', '1', 'wss://relay.example', 'failed', 3, 'It is away.', present(), present()),
      ('relay', '3', '3', 'wss://relay.example', 'failed', 3, 'It is away.', present(), present()),
      ('notice', '2', '2', 'email', 'unknown', 1, 'No answer.', present(), present());
    insert into tweet_queue (url, post_id, status, step, expert_name, error_message, created_at)
      select 'https://x.com/a/status/' || n, n, status, step, name, error, present() + n * interval '1 second' from (values
        (1, 'pending', 'Waiting', null, null), (2, 'processing', 'Reading the post', null, null),
        (3, 'completed', 'Read: no prediction', 'Expert A', null),
        (4, 'failed', 'Failed', null, 'This post has been deleted.')) rows (n, status, step, name, error)`)
  // The time of waiting jobs is that of the machine.
  await database.sql('update jobs.job set start_after = present()')
  const reviewer = await signedIn(site, 'Admin B', 'reviewer', '192.0.2.8')
  return Object.assign(site, { admin: await signIn(), reviewer })
}
const Row = z.looseObject({
  version: z.int().optional(),
  rows: z.array(z.looseObject({ id: z.string() })).optional(),
})
