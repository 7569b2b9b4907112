import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readBoardView, type PersonReport } from '#contracts/board.ts'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { openYear, yearCard, board, boardRow, personReport } from '#tests/support/board.ts'
import { dashboardPart, predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { headMarkup } from './head-markup.ts'
import { headOf } from './head.ts'
import { type PageContent } from './site.ts'

const ORIGIN = 'https://example.org'
const judged = (at: string, mode: 'touch' | 'close') => {
  return {
    at,
    kind: 'judged',
    text: `By ${mode}.`,
    verdict: verdictRow(verdict({ mode })),
  } as const
}
const PREDICTION: PageContent = {
  page: 'prediction',
  prediction: predictionRow(),
  prices: { first: 19_700, steps: [], closes: [42_000] },
  rule: '',
  sentences: { touch: '', close: '' },
  record: null,
  withdrawn: null,
  goalposts: null,
  replies: [],
  history: [
    { at: '2026-10-01T08:00:00.000Z', kind: 'published', text: 'Published.', verdict: null },
    judged('2026-10-03T09:00:00.000Z', 'touch'),
    judged('2026-10-04T09:00:00.000Z', 'close'),
  ],
}

const markupOf = (content: PageContent): string =>
  headMarkup(headOf(content, ORIGIN), ORIGIN, '', [], null)

const row = predictionRow()
const firm = predictionRow({ influencer: { ...row.influencer, is_firm: true } })
const judgedAs = (outcome: Outcome) =>
  predictionRow({
    verdicts: {
      touch: verdictRow(verdict({ outcome })),
      close: verdictRow(verdict({ mode: 'close' })),
    },
  })
const place = { before: null, after: null, assets: ['mstr'] } as const
const year = (card: YearCardReply | null): PageContent => {
  return { page: 'year', asset: 'mstr', year: 2025, place, card }
}
const name = { id: 1, name: 'Expert A', slug: 'expert-a', x_handle: null, is_firm: false }
const expert = { ...name, firm: null, people: [], predictions: 2 }
const lists = { threads: [], predictions: [], goalposts: [], replies: [] }
const person = (report: PersonReport | null): PageContent => {
  return { page: 'expert', expert, ...lists, report }
}
const part = dashboardPart([row])
const dashboard = (shown: typeof part): PageContent => {
  const seed = { page: 'asset', asset: 'btc', part: shown, past: null } as const
  return { page: 'asset', asset: 'btc', seed }
}

const HEADS: Readonly<Record<string, PageContent>> = {
  'a prediction that came true': PREDICTION,
  'one of a firm, without a history': { ...PREDICTION, prediction: firm, history: [] },
  'an open one': { ...PREDICTION, prediction: judgedAs('pending') },
  'a void one': { ...PREDICTION, prediction: judgedAs('void') },
  'an address without a page': { page: 'missing', what: 'page' },
  'a year': year(yearCard()),
  'a year before its first decision': year(openYear()),
  'a year without a card': year(null),
  people: { page: 'experts', view: readBoardView(() => null), board: board([boardRow()]) },
  'a person': person(personReport()),
  'a person without a report': person(null),
  'a dashboard': dashboard(part),
  'a dashboard without calls': dashboard(dashboardPart([])),
  'a dashboard without prices': dashboard({
    ...part,
    prices: { version: '', first: null, last: null },
  }),
}

it('the heads of pages have their stored markup, where it differs from the first', async () => {
  const first = markupOf(PREDICTION).split('\n')
  const texts = Object.entries(HEADS).map(([title, content], at) => {
    const lines = markupOf(content).split('\n')
    const own = lines.filter((line) => at === 0 || !first.includes(line))
    const shared = at === 0 ? [] : [`and ${String(lines.length - own.length)} lines of the first`]
    return [`# ${title}`, ...own.map((line) => line.trim()), ...shared].join('\n')
  })
  const file = resolve('tests/texts/heads.txt')
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(file)
})

it('escapes texts in attributes and script elements', () => {
  const name = `"><script>alert('x')</script>`
  const content: PageContent = {
    ...PREDICTION,
    prediction: predictionRow({
      influencer: { id: 1, name, slug: 'x', score: 0, is_firm: false, x_handle: null },
    }),
  }
  const markup = markupOf(content)
  expect(markup).not.toContain('<script>alert')
  expect(markup).toContain('&quot;&gt;&lt;script&gt;')
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(markup)?.[1] ?? ''
  expect(JSON.stringify(JSON.parse(json))).toContain('<script>alert')
})
