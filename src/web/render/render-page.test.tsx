// @vitest-environment node

import { describe, expect, it } from 'vitest'
import { readBoardView, type Board, type BoardTop } from '#contracts/board.ts'
import { type DashboardPart } from '#contracts/dashboard.ts'
import { packCalls } from '#contracts/hedgehog.ts'
import { type PageData, type Selection } from '#contracts/page.ts'
import { type CorrectionsPage } from '#contracts/public-logs.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { type AssetKey } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import {
  openYear,
  yearCard,
  YEARS,
  board,
  boardRow,
  boardTop,
  luckMethod,
  personReport,
} from '#tests/support/board.ts'
import {
  dashboardPart,
  goalpostsRow,
  pageInput,
  predictionRow,
} from '#tests/support/web-fixtures.ts'
import { stillPartsReady } from '#web/ui/still.tsx'
import { renderPage } from './render-page.tsx'

const PRICES = { first: 19_700, steps: [1, 1], closes: [42_000, 69_000, 65_000] }
const HOSTILE = '<img src=x onerror=alert(1)> שלום 🚀 ' + 'x'.repeat(160)
const ROW = predictionRow({
  influencer: { id: 1, name: HOSTILE, slug: 'x', score: 0, is_firm: false, x_handle: null },
})

const THREAD: StatedCall = {
  id: 'a',
  slug: 'x',
  name: HOSTILE,
  made: day('2023-12-10'),
  due: day('2024-03-01'),
  from: 42_000,
  level: 69_000,
  outcome: 'hit',
  isDecided: true,
  isRepeat: false,
  error: 0,
}

const BOARD_VIEW = readBoardView(() => null)
const BOARD: Board = board([boardRow({ name: HOSTILE })])

function year(card: YearCardReply | null): PageData {
  const place = { before: 2024, after: null, assets: ['btc', 'mstr'] } as const
  return { page: 'year', asset: 'btc', year: 2025, place, card }
}

const SELECTION: Selection = {
  accepted: 1,
  rejected: 3,
  waiting: 0,
  since: '2026-10-01',
  reports: { open: 1, accepted: 2, declined: 3 },
  reasons: [
    { reason: 'Already on record', count: 2 },
    { reason: null, count: 1 },
  ],
  imported: 2,
  operator: { name: HOSTILE, holdings: null },
}

function person(overrides: Partial<Extract<PageData, { page: 'expert' }>> = {}): PageData {
  const { predictions = [] } = overrides
  const who = { id: 1, name: HOSTILE, slug: 'x', x_handle: null, is_firm: false, firm: null }
  const expert = { ...who, people: [], predictions: predictions.length }
  return {
    page: 'expert',
    expert,
    threads: [{ asset: 'btc', calls: packCalls([THREAD]), prices: PRICES }],
    predictions,
    goalposts: [],
    replies: [],
    report: null,
    ...overrides,
  }
}

function prediction(overrides: Partial<Extract<PageData, { page: 'prediction' }>> = {}): PageData {
  return {
    page: 'prediction',
    prediction: ROW,
    prices: PRICES,
    rule: '',
    sentences: { touch: '', close: '' },
    record: null,
    withdrawn: null,
    goalposts: null,
    replies: [],
    history: [{ at: '2026-10-01T00:00:00Z', kind: 'published', text: 'Published.', verdict: null }],
    ...overrides,
  }
}

function corrections(...rows: CorrectionsPage['rows']): PageData {
  const view = { asset: null, kind: null, person: null, page: 1 }
  const log = { view, page: 1, total: rows.length, pages: 1, name: null, rows }
  return { page: 'corrections', log }
}

const MIDDLE = { averagePrediction: 150_000.4, medianPrediction: 150_000 }
const LEVELS = { ...MIDDLE, lowestPrediction: 10_000, highestPrediction: 10_000_000 }

function landing(top: BoardTop | null): PageData {
  return {
    page: 'landing',
    metrics: { ...LEVELS, totalPredictions: 128, predictionSpread: 1 },
    exhibits: [{ prediction: ROW, prices: PRICES }],
    now: {
      closes: [{ asset: 'btc', day: '2026-10-01', usd: 84_853 }],
      newest: [{ id: 'one', name: HOSTILE, slug: 'x', text: '', outcome: 'pending', note: '' }],
      decided: [],
      due: [],
    },
    board: top,
  }
}

const CORRECTION: CorrectionsPage['rows'][number] = {
  number: 7,
  at: '2026-10-01T08:00:00.000Z',
  kind: 'edited',
  prediction: { id: 'a', asset: 'btc', statement: '', person: { name: HOSTILE, slug: 'x' } },
  what: `Corrected: who said it from ${HOSTILE} to Ada.`,
  why: HOSTILE,
  verdict: null,
  reports: [],
}
const asset = (key: AssetKey, part: DashboardPart): PageData => {
  return { page: 'asset', asset: key, part, past: null }
}
const experts = (board: Board | null): PageData => ({ page: 'experts', view: BOARD_VIEW, board })
const UNPRICED = { prices: { version: '', first: null, last: null } }
const SIGNED = { event_id: 'e'.repeat(64), npub: 'npub1site', naddr: 'naddr1entry' }
const IDS = { touch: 'd'.repeat(64), close: null }
const RECORD = { ...SIGNED, signed_at: '2026-10-01T08:00:00.000Z', verdict_ids: IDS }
const WITHDRAWN = { at: '2026-11-01T00:00:00.000Z', reason: HOSTILE }

const PAGES: readonly (readonly [url: string, data: PageData, holds: string])[] = [
  ['/', landing(null), '$150,000'],
  ['/', landing(boardTop([boardRow({ name: HOSTILE })])), '2 of 5 came true, luck expects 1.3'],
  [
    '/btc?status=success',
    asset('btc', dashboardPart([ROW], { question: 'status=success' })),
    '$65,000',
  ],
  ['/btc', asset('btc', dashboardPart([])), 'are known for 3,000 of 4,000 days'],
  ['/naka', asset('naka', dashboardPart([], UNPRICED)), 'No NAKA predictions yet'],
  ['/predictions/ada-69k-2024', prediction(), 'Level compared'],
  ['/predictions/signed', prediction({ record: RECORD }), 'npub1site'],
  ['/predictions/a', prediction({ withdrawn: WITHDRAWN }), 'It counts in no list, chart or track'],
  ['/experts', experts(null), 'Scores are being computed'],
  ['/experts', experts(BOARD), '2 of 5'],
  ['/experts', experts(BOARD), 'Most calls were collected in hindsight'],
  // Right of the line of luck, as the odds are better.
  ['/experts', experts(BOARD), 'cx="57.8%"'],
  [
    '/experts',
    experts({ ...BOARD, has_recorded_before: true }),
    // Before the overall share that came true.
    '0%)</span></span></th><th scope="col">Recorded before its outcome</th>',
  ],
  ['/experts?tab=statistics', experts(BOARD), '20 of 100 replays'],
  ['/experts?tab=funnel', experts(BOARD), 'beyond luck'],
  ['/experts/x', person(), 'No predictions are on record right now.'],
  ['/experts/x', person({ predictions: [ROW] }), 'compared with luck'],
  ['/experts/x', person({ predictions: [ROW], report: personReport() }), '2 of 5 came true'],
  [
    '/experts/x',
    person({ predictions: [ROW], goalposts: [goalpostsRow()] }),
    '$150,000: moved by 1 year',
  ],
  ['/years', { page: 'years', years: null }, 'Scores are being computed'],
  ['/years', { page: 'years', years: YEARS }, '1 of 2'],
  ['/years', { page: 'years', years: YEARS }, '50% came true, luck expects 30%'],
  ['/years/2025', year(null), 'Scores are being computed'],
  ['/years/2025', year(yearCard(HOSTILE)), '100% too high'],
  ['/years/2025', year(openYear(HOSTILE)), 'Their time is not up yet.'],
  [
    '/receipt/abcdefghijklmnopqrstuvwxyz',
    { page: 'receipt', of: 'submission' },
    'Loading your receipt',
  ],
  ['/confirm/abcdefghijklmnopqrstuvwxyz', { page: 'confirm' }, 'Confirm your address'],
  ['/following/abcdefghijklmnopqrstuvwxyz', { page: 'following' }, 'Loading what you follow'],
  [
    '/methodology',
    { page: 'methodology', examples: [], luck: null, selection: SELECTION, code: null },
    'How verdicts are decided',
  ],
  ['/corrections', corrections(), 'Nothing on the record has been changed since it was published.'],
  ['/corrections', corrections(CORRECTION), 'By ourselves.'],
  ['/about', { page: 'about' }, 'About us'],
  ['/terms', { page: 'terms' }, 'Terms of service'],
  ['/nowhere', { page: 'missing', what: 'page' }, 'Page not found'],
  ['/btc', { page: 'unavailable' }, 'Temporarily unavailable'],
]

await stillPartsReady()

it.each(PAGES)(
  '%s, rendered on the server, has its text, escapes names, and obeys the content security policy',
  (url, data, holds) => {
    const { head, body } = renderPage(pageInput(url, data), {})
    expect(body).toContain(holds)
    expect(body).not.toMatch(/\sstyle="|<script|<style/)
    expect(head).not.toMatch(/<script(?! type="application\/ld\+json")|<style/)
    expect(body + head).not.toContain('<img src=x')
  },
)

describe('the landing page', () => {
  const drawn = (top: BoardTop | null): string => renderPage(pageInput('/', landing(top)), {}).body

  it('begins with the finding of the day, linking its person', () => {
    const top = boardTop([boardRow()])
    const body = drawn({ ...top, finding: 'Expert A leads with 2 hits where luck expects 1.3.' })
    expect(body).toMatch(
      /<a href="\/experts\/[\w-]+"><bdi>Expert A<\/bdi><\/a> leads with 2 hits where luck expects 1\.3\./,
    )
    expect(body).toContain('5 calls are decided. 2 came true. Luck expects 1.')
    expect(body).toContain('Calls of Expert A: 2 decided, 1 came true')
    expect(body).toContain('aria-label="40% came true, luck expects 26%"')
  })

  it('shows no finding and no empty frame without ranked people', () => {
    const body = drawn(null)
    expect(body).toContain('Live Market Intelligence')
    expect(body).not.toMatch(/where luck expects|came true, luck|Skill or luck|compared with luck/)
  })

  it('without ranked people shows no rows, but how often luck was right', () => {
    const body = drawn(boardTop([]))
    expect(body).toContain('luck expects 26%')
    expect(body).not.toContain('Each mark is one call')
  })
})

it.each([
  'Since 01/10/2026: 1 submission published, 3 rejected, 0 waiting for review. Rejected, by reason: Already on record: 2 Another reason: 1',
  'Holdings in these assets: not disclosed',
  'b counts as 1.270, 0.010 more',
  'It is farthest off for levels above over 30 days: it expects 30%, and 36% happened.',
  'The latest 1 of 70.',
])('the methodology page says "%s"', (message) => {
  const known = { examples: [], luck: luckMethod(), selection: SELECTION, code: null }
  const data: PageData = { page: 'methodology', ...known }
  const text = renderPage(pageInput('/methodology', data), {}).body.replaceAll(/<[^>]+>/g, ' ')
  expect(text.replaceAll(/\s+/g, ' ')).toContain(message)
})

it('the data page offers the checksums, whose name has no ending, as a download', () => {
  const archive = { name: 'a.tar.gz', url: '', bytes: 1, sha256: '' }
  const latest = { day: '2026-11-20', made: '', rule: 2, archive, files: [], citation: '' }
  const snapshots = { total: 1, page: 1, pages: 1, latest, rows: [] }
  const { body } = renderPage(pageInput('/data', { page: 'data', snapshots, sources: [] }), {})
  expect(body).toMatch(/download="SHA256SUMS"[^>]*>SHA256SUMS/)
})
