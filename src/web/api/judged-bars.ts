import { parse } from 'csv-parse/browser/esm/sync'
import { CsvLines } from '#contracts/fields.ts'
import { barOfJudgedRow, judgedBars } from '#contracts/prices.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import {
  CSV_OPTIONS,
  priceSizeFault,
  readPriceLines,
  type ReadFile,
} from '#domain/judging/price-file.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { call } from './call.ts'

export async function fetchJudgedBars(id: string, signal: AbortSignal): Promise<Series> {
  const { asset, final_through, bars } = await call(judgedBars, { params: { id }, signal })
  return seriesOf(
    ASSETS[asset].calendar,
    bars.map(barOfJudgedRow),
    final_through === null ? null : day(final_through),
  )
}

export async function readOwnPrices(file: File, asset: AssetKey): Promise<ReadFile<Bar>> {
  const fault = priceSizeFault(file.size)
  if (fault !== null) return { ok: false, broken: fault }
  const text = await file.text().catch(() => null)
  if (text === null) return { ok: false, broken: 'the file cannot be read' }
  return readPriceLines(text, {
    asset,
    source: file.name,
    nowMs: Date.now(),
    parse: (csv) => CsvLines.parse(parse(csv, CSV_OPTIONS)),
  })
}

export function seriesOfOwn(asset: AssetKey, bars: readonly Bar[]): Series {
  return seriesOf(
    ASSETS[asset].calendar,
    // With a single source there is nothing to compare the day with.
    bars.map((bar) => ({ ...bar, loneHigh: null, loneLow: null })),
  )
}
