import { judgedBars } from '#contracts/judged-bars.ts'
import { barOfJudgedRow } from '#contracts/judged-bars-wire.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { PredictionEnvelope, PredictionList } from '#contracts/predictions.ts'
import { ASSETS } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { isSame } from '#domain/judging/same-verdict.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { stepsOf } from '#domain/judging/steps.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { TEST_DAY } from '#tests/support/test-site.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { expect, it } from 'vitest'

it('the bars of each prediction of the starter record give its verdicts again, with the same evidence', async () => {
  await using world = await starterSite()
  const rows = [
    ...PredictionList.parse((await world.get('/api/predictions')).body),
    ...PredictionEnvelope.parse((await world.get('/api/mstr/predictions')).body).data,
    ...PredictionEnvelope.parse((await world.get('/api/naka/predictions')).body).data,
  ]
  expect(rows.length).toBeGreaterThan(300)
  const today = day(TEST_DAY)
  const texts = new Set<string>()
  for (const [i, row] of rows.entries()) {
    const prediction = predictionOfRow(row)
    if (!prediction) throw new Error(`${row.id} cannot be read`)
    const answer = await world.app.inject({
      url: `/api/v1/predictions/${encodeURIComponent(row.id)}/bars`,
      // One network may ask for sixty a minute.
      remoteAddress: `127.0.1.${String(Math.floor(i / 50))}`,
    })
    expect(answer.statusCode).toBe(200)
    const { bars, final_through: final, asset } = judgedBars.reply.parse(answer.json())
    const { calendar } = ASSETS[asset]
    const series = seriesOf(calendar, bars.map(barOfJudgedRow), final === null ? null : day(final))
    for (const mode of JUDGE_MODES) {
      const verdict = judge(series, prediction, mode, today)
      expect(isSame(prediction.verdicts[mode], verdict)).toBe(true)
      for (const { text } of stepsOf(prediction, series, verdict)) {
        expect(text).toMatch(/^[A-Z$\d].*[.)\d]$/)
        expect(text).not.toMatch(/undefined|NaN|null/)
        texts.add(text)
      }
    }
  }
  expect(texts.size).toBeGreaterThan(1_000)
  expect(await world.get('/api/v1/predictions/nothing/bars')).toMatchObject({
    status: 404,
    body: { error: 'There is no prediction at this address.' },
  })
})
