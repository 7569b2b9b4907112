// @vitest-environment node

import { expect, it } from 'vitest'
import { readBoardView } from '#contracts/board.ts'
import { type PageData } from '#contracts/page.ts'
import { board, boardRow, boardTop } from '#tests/support/board.ts'
import { dashboardPart, pageInput, predictionRow } from '#tests/support/web-fixtures.ts'
import { stillPartsReady } from '#web/ui/still.tsx'
import { renderPage } from './render-page.tsx'

const PRICES = { first: 19_700, steps: [1, 1], closes: [42_000, 69_000, 65_000] }
const ROW = predictionRow()
const SIGNED = { event_id: 'e'.repeat(64), npub: 'npub1site', naddr: 'naddr1entry' }
const IDS = { touch: 'd'.repeat(64), close: null }
const RECORD = { ...SIGNED, signed_at: '2026-10-01T08:00:00.000Z', verdict_ids: IDS }
const SIGNED_PREDICTION: PageData = {
  page: 'prediction',
  prediction: ROW,
  prices: PRICES,
  rule: '',
  sentences: { touch: '', close: '' },
  record: RECORD,
  withdrawn: null,
  goalposts: null,
  replies: [],
  history: [],
}
const EXPERT = { id: 1, name: 'Expert A', slug: 'x', x_handle: null, is_firm: false, firm: null }
const PERSON = { expert: { ...EXPERT, people: [], predictions: 0 }, threads: [], predictions: [] }
const LANDING = {
  page: 'landing',
  metrics: {
    averagePrediction: 150_000.4,
    medianPrediction: 150_000,
    lowestPrediction: 10_000,
    highestPrediction: 10_000_000,
    totalPredictions: 128,
    predictionSpread: 1,
  },
  exhibits: [{ prediction: ROW, prices: PRICES }],
  now: { closes: [], newest: [], decided: [], due: [] },
} as const
const LOG = {
  view: { asset: null, kind: null, person: null, page: 1 },
  page: 1,
  total: 0,
  pages: 1,
}
const PLACE = { before: 2024, after: null, assets: ['btc', 'mstr'] } as const
const UNPRICED = { prices: { version: '', first: null, last: null } }
const NAKA = dashboardPart([], UNPRICED)
const BOARD_VIEW = readBoardView(() => null)
const BOARD = { ...board([boardRow()]), has_recorded_before: true }

/** States that the record of `texts.test.ts` is not in. */
const PAGES: readonly (readonly [url: string, data: PageData, holds: string])[] = [
  ['/', { ...LANDING, board: boardTop([]) }, 'luck expects 26%'],
  ['/naka', { page: 'asset', asset: 'naka', part: NAKA, past: null }, 'No NAKA predictions yet'],
  ['/predictions/signed', SIGNED_PREDICTION, 'npub1site'],
  ['/experts', { page: 'experts', view: BOARD_VIEW, board: null }, 'Scores are being computed'],
  [
    '/experts',
    { page: 'experts', view: BOARD_VIEW, board: BOARD },
    // Before the overall share that came true.
    '0%)</span></span></th><th scope="col">Recorded before its outcome</th>',
  ],
  // Right of the line of luck, as the odds are better.
  ['/experts', { page: 'experts', view: BOARD_VIEW, board: BOARD }, 'cx="57.8%"'],
  [
    '/experts/x',
    { page: 'expert', ...PERSON, goalposts: [], replies: [], report: null },
    'No predictions are on record right now.',
  ],
  ['/years', { page: 'years', years: null }, 'Scores are being computed'],
  [
    '/years/2025',
    { page: 'year', asset: 'btc', year: 2025, place: PLACE, card: null },
    'Scores are being computed',
  ],
  [
    '/corrections',
    { page: 'corrections', log: { ...LOG, name: null, rows: [] } },
    'Nothing on the record has been changed since it was published.',
  ],
  ['/btc', { page: 'unavailable' }, 'Temporarily unavailable'],
]

await stillPartsReady()

it.each(PAGES)('%s, rendered on the server, has its text', (url, data, holds) => {
  expect(renderPage(pageInput(url, data), {}).body).toContain(holds)
})

it('the landing page shows no finding and no empty frame without ranked people', () => {
  const { body } = renderPage(pageInput('/', { ...LANDING, board: null }), {})
  expect(body).toContain('Live Market Intelligence')
  expect(body).not.toMatch(/where luck expects|came true, luck|Skill or luck|compared with luck/)
})

it('the methodology page counts what was rejected, by reason', () => {
  const data: PageData = {
    page: 'methodology',
    examples: [],
    luck: null,
    code: null,
    selection: {
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
      operator: { name: 'Expert A', holdings: null },
    },
  }
  const text = renderPage(pageInput('/methodology', data), {}).body.replaceAll(/<[^>]+>/g, ' ')
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Rejected, by reason: Already on record: 2 Another reason: 1',
  )
})

it('the data page offers the checksums, whose name has no ending, as a download', () => {
  const archive = { name: 'a.tar.gz', url: '', bytes: 1, sha256: '' }
  const latest = { day: '2026-11-20', made: '', rule: 2, archive, files: [], citation: '' }
  const snapshots = { total: 1, page: 1, pages: 1, latest, rows: [] }
  const { body } = renderPage(pageInput('/data', { page: 'data', snapshots, sources: [] }), {})
  expect(body).toMatch(/download="SHA256SUMS"[^>]*>SHA256SUMS/)
})
