import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, it } from 'vitest'
import { onePrediction } from '#contracts/predictions.ts'
import { type CorrectionsPage } from '#contracts/public-logs.ts'
import { correctionsOnRecord } from '#server/corrections/corrections-log.service.ts'
import { newsSince } from '#server/predictions/today.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { correctedOn, type CorrectedSite } from '#tests/support/corrected.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { approve, handIn, reject } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { type TestApp, pageAt } from '#tests/support/test-app.ts'

const SECRET = 'seen in a private mail'

const logAt = async (world: TestApp, url = '/corrections') =>
  (await pageAt(world, url, 'corrections')).log

const textsOf = ({ rows }: CorrectionsPage) =>
  rows.map(({ kind, what, why }) => `${kind}: ${what} | ${why ?? '-'}`)

/** Each kind of change of prediction `a`, in turn; only corrected prices affect `b`. */
async function changed(on: CorrectedSite) {
  await on.change('PUT', '', { remarks: SECRET })
  await on.change('PUT', '', {
    price_target: '$140',
    remarks: `${SECRET}, again`,
    reason: 'The source says 140',
  })
  await on.change('POST', '/override', { mode: 'touch', outcome: 'void', reason: 'A joke' })
  await on.change('DELETE', '/override', { mode: 'touch', reason: 'It was none' })
  await on.change('POST', '/freeze', { reason: 'Two sources disagree' })
  await on.change('POST', '/thaw', {})
  await on.change('POST', '/withdraw', { reason: 'Said by another Ada' })
}

const operator = { name: 'Jane Doe', holdings: 'Bitcoin' }
const { world } = emptySite({ settings: { operator } })

describe('the corrections', () => {
  let on: CorrectedSite
  beforeEach(async () => {
    on = await correctedOn(world)
  })

  it('list each change with its old value and reason, but nothing private', async () => {
    await changed(on)
    // Withdrawn predictions stay listed; a missing reason stays empty.
    expect(textsOf(await logAt(world))).toEqual([
      'withdrawn: Withdrawn from lists, charts and track records. | Said by another Ada.',
      'thawed: No longer frozen: its verdicts follow the prices again. | -',
      'frozen: Frozen: its verdicts stay as they are, whatever prices come. | Two sources disagree.',
      'changed: The rule decides again, by intraday prices: SUCCESS on 05/01/2024. | It was none.',
      'overridden: Set by an administrator, by intraday prices: VOID, before SUCCESS on 05/01/2024. | A joke.',
      'changed: Judged again as corrected, by daily closes: SUCCESS on 05/01/2024, before MISS on 10/01/2024. | The entry was corrected, and the rule judged it again.',
      'changed: Judged again as corrected, by intraday prices: SUCCESS on 05/01/2024, before MISS on 10/01/2024. | The entry was corrected, and the rule judged it again.',
      'edited: Corrected: the level from Target $150 to Target $140. | The source says 140.',
    ])
    // The file says the same, with the outcomes as words.
    const { body } = await world.app.inject('/corrections.csv')
    const rows = parse<Record<string, string>>(body, { bom: true, columns: true })
    expect(rows).toHaveLength(8)
    expect(rows[4]).toMatchObject({
      kind: 'overridden',
      id: 'a',
      url: 'http://localhost:3001/predictions/a',
      asset: 'btc',
      person: 'Expert A',
      judged_by: 'touch',
      outcome_before: 'hit',
      outcome_after: 'void',
      why: 'A joke.',
      report: '',
    })
    expect(rows[1]).toMatchObject({ kind: 'thawed', why: '', outcome_before: '' })

    await on.change('POST', '/restore', {})
    const [newest] = textsOf(await logAt(world))
    expect(newest).toBe('restored: Back on lists, charts and track records. | -')

    for (const url of [
      '/api/v1/page?url=/corrections',
      '/corrections.json',
      '/corrections.csv',
      '/corrections/feed.xml',
      '/corrections/feed.json',
    ]) {
      const { statusCode, body, headers } = await world.app.inject(url)
      expect([url, statusCode]).toEqual([url, 200])
      expect(body).not.toContain(SECRET)
      expect(body).not.toContain('Admin A')
      if (url.startsWith('/api')) continue
      const again = await world.app.inject({ url, headers: { 'if-none-match': headers.etag } })
      expect([url, again.statusCode]).toEqual([url, 304])
    }
    const feed = (await world.app.inject('/corrections/feed.json')).json<{
      title: string
      items: { title: string; content_text: string; url: string }[]
    }>()
    expect(feed.title).toBe('Proof of Price: Corrections')
    expect(feed.items).toHaveLength(9)
    expect(feed.items.at(-1)).toMatchObject({
      url: 'http://localhost:3001/predictions/a',
      content_text:
        'Corrected: the level from Target $150 to Target $140. Reason: The source says 140.',
    })
    expect((await world.app.inject('/sitemap.xml')).body).toContain('/corrections</loc>')
  })

  it('include a verdict changed by corrected prices, but no open call decided by prices', async () => {
    expect(await logAt(world)).toMatchObject({ total: 0, pages: 1, rows: [] })
    // An open call is decided by a new price.
    const open = { price_target: 130, prediction_made: '2024-01-14', target_time: '2024-02-10' }
    await world.publish(entry('c', { expert_name: 'Expert C', ...open }))
    await world.imports.prices('btc', closesFile('2024-01-16', [131]), 'test')
    await world.refresh()
    const { prediction } = await world.read(onePrediction, 'c')
    expect(prediction.verdicts.touch).toMatchObject({ outcome: 'hit', date: '2024-01-16' })
    expect(await logAt(world)).toMatchObject({ total: 0 })
    // The price of a day relevant to `a` is corrected.
    await world.imports.prices('btc', closesFile('2024-01-05', [155]), 'test')
    await world.refresh()
    expect(textsOf(await logAt(world))).toEqual([
      'changed: Verdict by daily closes: SUCCESS on 05/01/2024, before MISS on 10/01/2024. | Prices that arrived or were corrected later lead to a different result.',
      'changed: Verdict by intraday prices: SUCCESS on 05/01/2024, before MISS on 10/01/2024. | Prices that arrived or were corrected later lead to a different result.',
    ])
    expect(await correctionsOnRecord(world.database.db)).toHaveLength(2)
    // On /today, each is a correction, not a verdict as well.
    const { db } = world.database
    const listed = await newsSince({ readDb: db, record: world.record }, null, 9)
    const changed = listed.flatMap(({ kind, number }) => (kind === 'correction' ? [number] : []))
    expect(changed).toHaveLength(2)
    const all = listed.filter(({ number }) => changed.includes(number))
    expect(all.map(({ kind }) => kind)).toEqual(['correction', 'correction'])
  })

  it('are paged and filtered by address, and reject invalid parameters with a message', async () => {
    await on.change('PUT', '', { quote: 'He said 150.', reason: 'Our words' })
    await world.sql(
      `insert into prediction_events (prediction_id, kind, text)
       select 'b', 'edited', 'Corrected: the summary. Reason: Change ' || n || '.' from generate_series(1, 100) n`,
    )
    await world.refresh()
    const at = (query: string) => logAt(world, `/corrections?${query}`)
    const [first, last, beyond] = [await at(''), await at('page=3'), await at('page=99')]
    expect([first.total, first.pages, first.rows.length]).toEqual([101, 3, 50])
    expect(first.rows[0]?.why).toBe('Change 100.')
    expect([last.rows.length, beyond.page, beyond.rows]).toEqual([1, 3, last.rows])
    expect((await at('person=expert-b')).total).toBe(100)
    expect((await at('kind=edited&person=expert-a&asset=btc')).total).toBe(1)
    expect((await at('asset=mstr')).total).toBe(0)
    // A file has all pages, whatever page the address names.
    const { body } = await world.app.inject('/corrections.csv?kind=edited&page=2')
    expect(parse(body)).toHaveLength(102)
    for (const [query, sentence] of [
      ['kind=deleted', 'The filter kind is “deleted”, but has to be one of edited, changed,'],
      ['page=0', 'The filter page is “0”, but has to be the number of a page, such as 2.'],
      ['person=no-one', 'The filter person names “no-one”, who is not on record.'],
      ['since=2024', 'This view has no filter “since”. It has: asset, kind, person, page.'],
    ]) {
      const refused = await world.app.inject(`/corrections.json?${query}`)
      expect([query, refused.statusCode]).toEqual([query, 400])
      expect(refused.json<{ error: string }>().error).toContain(sentence)
    }
  })
})

it('the selection policy counts what was published, what was rejected and why, without the words of administrators', async () => {
  const selection = async () => (await pageAt(world, '/methodology', 'methodology')).selection
  const same = { reports: { open: 0, accepted: 0, declined: 0 }, imported: 0, operator }
  const none = { accepted: 0, rejected: 0, waiting: 0, since: null, reasons: [] }
  expect(await selection()).toEqual({ ...none, ...same })
  const admin = await signedIn(world)
  for (const [expert_name, reason] of [
    ['Expert B', 'Already on record'],
    ['Expert C', 'already on record: see the page of Expert C'],
    ['Expert D', `Jane wrote to us, ${SECRET}`],
  ] as const) {
    expect((await reject(admin, await handIn(admin, { expert_name }), reason)).status).toBe(200)
  }
  await approve(admin, await handIn(admin, { expert_name: 'Expert E' }))
  await handIn(admin, { expert_name: 'Expert F' })
  expect(await selection()).toEqual({
    accepted: 1,
    rejected: 3,
    waiting: 1,
    since: '2026-11-20',
    reasons: [
      { reason: 'Already on record', count: 2 },
      { reason: null, count: 1 },
    ],
    ...same,
  })
})
