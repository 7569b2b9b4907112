import { expect, it } from 'vitest'
import { type LandingNow } from '#contracts/page.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { readDay } from '#domain/day.ts'
import { starterSite } from '#tests/support/starter-site.ts'

it('the landing page lists the newest calls, the last verdicts and the next deadlines of the record', async () => {
  await using world = await starterSite()
  const { today, data } = (await world.get('/api/v1/page?url=/')).body as {
    readonly today: string
    readonly data: { readonly now: LandingNow }
  }
  const { now } = data
  const btc = (await world.get('/api/predictions')).body as readonly PredictionRow[]
  const mstr = (await world.get('/api/mstr/predictions')).body as {
    readonly data: readonly PredictionRow[]
  }
  const all = [...btc, ...mstr.data]
  const rowsOf = (calls: LandingNow['newest']) =>
    calls.map(({ id }) => all.find((row) => row.id === id))

  expect(now.closes.map(({ asset }) => asset)).toEqual(['btc', 'mstr'])
  for (const calls of Object.values({ ...now, closes: [] })) {
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  }

  const newest = rowsOf(now.newest)
  expect(newest[0]?.prediction_made).toBe(
    all
      .map((row) => row.prediction_made)
      .toSorted()
      .at(-1),
  )
  expect(new Set(newest.map((row) => row?.influencer.id)).size).toBe(5)

  const verdicts = all
    .map(({ verdicts: { touch } }) => touch)
    .filter(({ outcome }) => outcome === 'hit' || outcome === 'miss')
    .map(({ date }) => date ?? '')
    .toSorted((a, b) => (a < b ? -1 : 1))
  expect(rowsOf(now.decided).map((row) => row?.verdicts.touch.date)).toEqual(
    verdicts.slice(-5).toReversed(),
  )

  const due = rowsOf(now.due)
  const ahead = all
    .filter((row) => row.verdicts.touch.outcome === 'pending' && row.target_time >= today)
    .map((row) => row.target_time)
    .toSorted()
  expect(due[0]?.target_time).toBe(ahead[0])
  const deadlines = due.map((row) => row?.target_time ?? '')
  expect(deadlines).toEqual(deadlines.toSorted())
  const left = (readDay(ahead[0] ?? '') ?? 0) - (readDay(today) ?? 0)
  expect(now.due[0]?.note).toMatch(
    left === 0 ? /^ends today/ : new RegExp(`^${String(left)} days? left`),
  )
})
