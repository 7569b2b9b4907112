import { vi } from 'vitest'
import { type DashboardPart, type ListedRow } from '#contracts/dashboard.ts'
import { type PageData, type PageInput } from '#contracts/page.ts'
import { predictionOfRow, verdictRow } from '#contracts/prediction-wire.ts'
import { type PredictionRow, type SourceRow } from '#contracts/predictions.ts'
import { day } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { type Site } from '#web/head/site.ts'

export function verdict(overrides: Partial<Verdict> = {}): Verdict {
  return {
    outcome: 'hit',
    mode: 'touch',
    rule: 1,
    reason: 'reached',
    day: day('2024-03-05'),
    level: { min: 69_000, max: 69_000 },
    direction: 'up',
    reference: { day: day('2024-01-31'), usd: 42_582 },
    window: { from: day('2024-02-01'), to: day('2024-12-31') },
    bar: {
      day: day('2024-03-05'),
      open: 68_330,
      high: 69_170,
      low: 59_323,
      close: 63_801,
      source: 'bitstamp',
    },
    nearest: { day: day('2024-03-05'), usd: 69_170 },
    unconfirmed: null,
    closeOnly: false,
    someClosesOnly: false,
    ...overrides,
  }
}

/** A source as the server sends it: by default a report without a date. */
export function sourceRow(url: string, overrides: Partial<SourceRow> = {}): SourceRow {
  const none = { date: null, archived_url: null, quotation: null, speaker: null, dead_since: null }
  return { kind: 'report', url, ...none, ...overrides }
}

/** A published prediction as the server sends it: Ada Quant said $69,000 by the end of 2024, and it came true. */
export function predictionRow(overrides: Partial<PredictionRow> = {}): PredictionRow {
  return {
    id: 'ada-69k-2024',
    asset_type: 'btc',
    influencer_id: 1,
    influencer: {
      id: 1,
      name: 'Ada Quant',
      slug: 'ada-quant',
      score: 0,
      is_firm: false,
      x_handle: '@ada',
    },
    price_prediction: '$69,000',
    price_target: 69_000,
    price_min: null,
    price_max: null,
    timing: 'by',
    direction: null,
    prediction_type: 'target',
    target_time: '2024-12-31',
    start_date: null,
    end_date: null,
    prediction_date: '2024-01-31',
    prediction_made: '2024-01-31',
    made_precision: 'day',
    target_precision: 'year',
    deadline_assumed: false,
    repeats: null,
    success_status: 'success',
    quote: 'Said in an interview.',
    source_url: 'https://example.org/interview',
    sources: [sourceRow('https://example.org/interview', { kind: 'interview' })],
    only_reposts: false,
    vote_score: 0,
    created_at: '2026-10-01T00:00:00.000Z',
    exclude_from_chart: false,
    chart_value: null,
    split_factor: 1,
    verdicts: {
      touch: verdictRow(verdict()),
      close: verdictRow(verdict({ mode: 'close', outcome: 'pending', reason: 'open', day: null })),
    },
    ...overrides,
  }
}

/** The same as in a list, with its text about the verdict. */
function listedRow(row: PredictionRow, line = ''): ListedRow {
  const prediction = predictionOfRow(row)
  const verdictBy = (mode: JudgeMode) => ({
    ...row.verdicts[mode],
    close: row.verdicts[mode].bar?.close ?? null,
    sentence: prediction ? verdictSentence(prediction, mode) : '',
    line,
  })
  const verdicts = { touch: verdictBy('touch'), close: verdictBy('close') }
  return { ...row, target_time: row.end_date ?? row.target_time, verdicts }
}

/** A dashboard with these, by default all listed, drawn and in the table. */
export function dashboardPart(
  rows: readonly PredictionRow[],
  overrides: Partial<DashboardPart> = {},
): DashboardPart {
  const countBy = (mode: JudgeMode) => {
    const of = (outcome: string) =>
      rows.filter(({ verdicts }) => verdicts[mode].outcome === outcome).length
    const [success, miss, pending] = [of('hit'), of('miss'), of('pending')]
    return { all: success + miss + pending, pending, success, miss }
  }
  const counts = { touch: countBy('touch'), close: countBy('close') }
  const all = { total: rows.length, rows: rows.map((_, place) => place) }
  return {
    question: '',
    version: 'v1',
    total: rows.length,
    first: null,
    prices: { version: 'p1', first: '2012-01-01', last: { date: '2023-12-09', usd: 65_000 } },
    rows: rows.map((row) => listedRow(row)),
    counts,
    totals: counts,
    chosen: [],
    listed: { ...all, next: null },
    drawn: all,
    history: {
      total: rows.length,
      rows: all.rows.map((at) => ({ at, price: null, error: null, so_far: false, luck: null })),
      page: 0,
      has_luck: false,
      made: [],
      due: [],
      years: [],
    },
    ...overrides,
  }
}

export const SITE: Site = {
  origin: 'https://example.org',
  today: day('2026-11-20'),
  priced: { btc: { days: 4_000, ranged: 0, sources: [] } },
  contacts: { social: null, nostr: null, email: null, lightning: null },
  openSubmit: () => undefined,
}

/** The data that the server embeds in a page. */
export function pageInput(url: string, data: PageData): PageInput {
  return {
    url,
    origin: 'https://example.org',
    today: '2026-11-20',
    priced: {
      btc: { days: 4_000, ranged: 3_000, sources: [] },
      mstr: { days: 2_000, ranged: 2_000, sources: [] },
    },
    contacts: { social: null, nostr: null, email: null, lightning: null },
    version: 'v1',
    data,
  }
}

/** A window as wide as a desktop screen, which jsdom does not measure. */
export function stubWideWindow(): void {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
}
