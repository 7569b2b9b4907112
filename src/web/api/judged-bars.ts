// First, before any schema is made.
import './without-eval.ts'
import { parse } from 'csv-parse/browser/esm/sync'
import { CsvLines } from '#contracts/csv-lines.ts'
import { barOfJudgedRow } from '#contracts/judged-bars-wire.ts'
import { judgedBars } from '#contracts/judged-bars.ts'
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

/** The prices by which the record judges a prediction. */
export async function fetchJudgedBars(id: string, signal: AbortSignal): Promise<Series> {
  const { asset, final_through, bars } = await call(judgedBars, { params: { id }, signal })
  return seriesOf(
    ASSETS[asset].calendar,
    bars.map(barOfJudgedRow),
    final_through === null ? null : day(final_through),
  )
}

/** Prices of a file that a visitor chose; it is read here and sent nowhere. */
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
    // A day's only source is believed.
    bars.map((bar) => ({ ...bar, loneHigh: null, loneLow: null })),
  )
}
