import { correctedOn, type CorrectedSite } from '#tests/support/corrected.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { predictionNews, sendNews, verdictNews } from '#server/predictions/news.ts'

const { site } = emptySite()
let on: CorrectedSite
beforeEach(async () => {
  on = await correctedOn(site())
})

describe('what an open page hears of the record', () => {
  it('what an open page hears of the record is every prediction that comes, goes or is changed, and no verdict twice', async () => {
    const { catalog, imports } = on.world
    const a = { id: 'a', asset: 'btc', expert: 'expert-a' }

    /** What the record sends of a change. */
    async function news(change: () => Promise<unknown>) {
      const before = catalog.snapshot()
      await change()
      await on.world.refresh()
      return predictionNews(before, catalog.snapshot())
    }

    expect(await news(() => Promise.resolve())).toEqual([])
    const edit = { quote: 'Said otherwise', reason: 'A slip' }
    expect(await news(() => on.change('PUT', '', edit))).toEqual([a])
    const withdrawn = { reason: 'He never said it' }
    expect(await news(() => on.change('POST', '/withdraw', withdrawn))).toEqual([a])
    expect(await news(() => on.change('POST', '/restore', {}))).toEqual([a])
    const another = JSON.stringify([entry('c', { expert_name: 'Expert C', price_target: 170 })])
    expect(await news(() => imports.predictions(another))).toEqual([
      { id: 'c', asset: 'btc', expert: 'expert-c' },
    ])

    // Prices that decide change the verdict alone.
    const open = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }
    await imports.predictions(JSON.stringify([entry('open', open)]))
    await on.world.refresh()
    const before = catalog.snapshot()
    expect(
      await news(() => imports.prices('btc', closesFile('2024-01-16', [121]), 'test')),
    ).toEqual([])
    expect(verdictNews(before, catalog.snapshot()).map(({ id }) => id)).toEqual(['open', 'open'])
  })

  it('what an open page hears of the record is each verdict once, however often the record is read, and none that a later one has replaced', async () => {
    const { catalog, imports, live, refresh } = on.world
    const open = { prediction_made: '2024-01-14', target_time: '2024-12-31', price_target: 120 }
    await imports.predictions(JSON.stringify([entry('open', open)]))
    await refresh()
    const sent: unknown[] = []
    live.listen((event) => {
      if (event.kind === 'record') sent.push(...event.news.verdicts)
    })
    const end = sendNews(catalog, live)
    const prices = async (close: number): Promise<void> => {
      await imports.prices('btc', closesFile('2024-01-16', [close]), 'test')
    }
    await prices(121)
    await refresh()
    await Promise.all([refresh(), refresh()])
    const both = (outcome: string) =>
      ['touch', 'close'].map((mode) => ({ id: 'open', asset: 'btc', mode, outcome }))
    expect(sent).toEqual(both('hit'))
    // Corrected and corrected again before this process has read either.
    await prices(101)
    await prices(122)
    await refresh()
    expect(sent).toEqual([...both('hit'), ...both('hit')])
    end()
    await prices(102)
    await refresh()
    expect(sent).toHaveLength(4)
  })

  it('what an open page hears of the record is a hundred of an import at the most', async () => {
    const before = on.world.catalog.snapshot()
    const many = Array.from({ length: 120 }, (__, n) =>
      entry(`many-${String(n)}`, { price_target: 200 + n }),
    )
    await on.world.imports.predictions(JSON.stringify(many))
    await on.world.refresh()
    expect(predictionNews(before, on.world.catalog.snapshot())).toHaveLength(100)
  })
})
