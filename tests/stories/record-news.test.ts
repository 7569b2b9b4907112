import { correctedOn, type CorrectedSite } from '#tests/support/corrected.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { shows } from '#tests/support/waiting.ts'
import { messagesOf, readState, recordChanged } from '#server/record/record-state.ts'
import { startRecord } from '#server/record/record.jobs.ts'
import { type RecordNews } from '#server/prices/live-prices.ts'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const { site } = emptySite()
let on: CorrectedSite
let sent: RecordNews[]
const ends: (() => void)[] = []
beforeEach(async () => {
  on = await correctedOn(site())
  sent = []
  const { kit, live, record } = on.world
  const { stop } = startRecord(kit, { record, live, judgeDue: null })
  const unlisten = live.listen((event) => {
    if (event.kind === 'record') sent.push(event.news)
  })
  ends.push(stop, unlisten)
  await on.world.refresh()
  await heard()
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Waits until everything has been sent. */
async function heard(): Promise<void> {
  const { version } = await readState(on.world.kit.db)
  await shows(() => expect(sent.at(-1)?.version).toBe(String(version)))
}

/** What open pages hear of a change. */
async function news(change: () => Promise<unknown>) {
  await heard()
  sent = []
  const before = on.world.record.version()
  await change()
  await heard()
  expect(sent[0]?.since).toBe(before)
  return {
    predictions: sent.flatMap(({ predictions }) => predictions.map(({ id }) => id)),
    verdicts: sent.flatMap(({ verdicts }) =>
      verdicts.map(({ id, mode, outcome }) => [id, mode, outcome].join(' ')),
    ),
  }
}

describe('what an open page hears of the record', () => {
  it('is every prediction that comes, goes or is changed, once, and no other', async () => {
    const { imports, database, refresh } = on.world
    const { db, pool } = database
    const named = (condition: string) => async () =>
      recordChanged(db, { predictions: await messagesOf(db, sql.raw(condition)) })
    const put = (text: string) => () => imports.predictions(text)
    const open = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }
    const many = Array.from({ length: 120 }, (__, n) =>
      entry(`many-${String(n)}`, { price_target: 200 + n }),
    )
    const rename = async () => {
      const { rows } = await pool.query<{ id: string }>(
        "select id from influencers where slug = 'expert-b'",
      )
      const body = { version: 0, name: 'Expert Bee', reason: 'A slip' }
      const url = `/api/v1/admin/experts/${rows[0]?.id ?? ''}`
      expect(await on.admin.call('PUT', url, body)).toMatchObject({ status: 200 })
    }
    const correct = (method: 'PUT' | 'POST', path: string, body: object) => () =>
      on.change(method, path, body)
    for (const [what, change, heardOf] of [
      ['nothing', refresh, []],
      ['an edit', correct('PUT', '', { quote: 'Said otherwise', reason: 'A slip' }), ['a']],
      ['a withdrawal', correct('POST', '/withdraw', { reason: 'He never said it' }), ['a']],
      ['its return', correct('POST', '/restore', {}), ['a']],
      ['a new one', put(JSON.stringify([entry('open', open)])), ['open']],
      ['the same file again', () => put(JSON.stringify([entry('open', open)]))().then(refresh), []],
      ['another name', rename, ['b']],
      // As sats, a source that is dead and an approval that is undone say it.
      ['those that are named', named("predictions.id in ('b', 'open')"), ['b', 'open']],
    ] as const) {
      expect([what, await news(change)]).toEqual([what, { predictions: heardOf, verdicts: [] }])
    }
    const { predictions } = await news(put(JSON.stringify(many)))
    expect(new Set(predictions).size).toBe(100)
    expect((await news(named('true'))).predictions).toHaveLength(100)
  })

  it('is each verdict once, however often the record is read, and both of two in a row', async () => {
    const { imports, record } = on.world
    const open = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }
    await imports.predictions(JSON.stringify([entry('open', open)]))
    const price = (close: number) => () =>
      imports.prices('btc', closesFile('2024-01-16', [close]), 'test')
    const both = (outcome: string) => ['open touch', 'open close'].map((one) => `${one} ${outcome}`)
    const { predictions, verdicts } = await news(async () => {
      await price(121)()
      await Promise.all([record.refresh(), record.refresh()])
    })
    expect([predictions, verdicts]).toEqual([[], both('hit')])
    const again = await news(() => price(101)().then(price(122)))
    expect(again.verdicts).toEqual([...both('pending'), ...both('hit')])
  })
})
