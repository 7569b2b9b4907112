import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { onePrediction } from '#contracts/predictions.ts'
import { correctionsOnRecord } from '#server/corrections/corrections-log.service.ts'
import { newsSince } from '#server/predictions/today.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { sharedCorrected } from '#tests/support/corrected.ts'
import { pageAt } from '#tests/support/test-app.ts'

const on = sharedCorrected()

const logged = async () => (await pageAt(on.world, '/corrections', 'corrections')).log

it('the corrections include a verdict changed by corrected prices, but no open call decided by prices', async () => {
  expect(await logged()).toMatchObject({ total: 0, pages: 1, rows: [] })
  // An open call is decided by a new price.
  const open = { price_target: 130, prediction_made: '2024-01-14', target_time: '2024-02-10' }
  await on.world.publish(entry('c', { expert_name: 'Expert C', ...open }))
  await on.world.imports.prices('btc', closesFile('2024-01-16', [131]), 'test')
  await on.world.refresh()
  const { prediction } = await on.world.read(onePrediction, 'c')
  expect(prediction.verdicts.touch).toMatchObject({ outcome: 'hit', date: '2024-01-16' })
  expect(await logged()).toMatchObject({ total: 0 })
  // The price of a day relevant to `a` is corrected.
  await on.world.imports.prices('btc', closesFile('2024-01-05', [155]), 'test')
  await on.world.refresh()
  expect(
    (await logged()).rows.map(({ kind, what, why }) => `${kind}: ${what} | ${why ?? '-'}`),
  ).toEqual([
    'changed: Verdict by daily closes: SUCCESS on 05/01/2024, before MISS on 10/01/2024. | Prices that arrived or were corrected later lead to a different result.',
    'changed: Verdict by intraday prices: SUCCESS on 05/01/2024, before MISS on 10/01/2024. | Prices that arrived or were corrected later lead to a different result.',
  ])
  expect(await correctionsOnRecord(on.world.database.db)).toHaveLength(2)
  // On /today, each is a correction, not a verdict as well.
  const { db } = on.world.database
  const listed = await newsSince({ readDb: db, record: on.world.record }, null, 9)
  const changed = listed.flatMap(({ kind, number }) => (kind === 'correction' ? [number] : []))
  expect(changed).toHaveLength(2)
  const all = listed.filter(({ number }) => changed.includes(number))
  expect(all.map(({ kind }) => kind)).toEqual(['correction', 'correction'])
})

it('a file of corrections has all pages, whatever page its address names', async () => {
  await on.world.sql(
    `insert into prediction_events (prediction_id, kind, text)
     select 'b', 'edited', 'Corrected: the summary. Reason: Change ' || n || '.' from generate_series(1, 101) n`,
  )
  await on.world.refresh()
  const { body } = await on.world.app.inject('/corrections.csv?kind=edited&page=2')
  expect(parse(body)).toHaveLength(102)
})
