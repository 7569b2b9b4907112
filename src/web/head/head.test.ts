import { describe, expect, it } from 'vitest'
import { readBoardView, type PersonReport } from '#contracts/board.ts'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { type YearCardReply } from '#contracts/year.ts'
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

describe('the head of a prediction', () => {
  it('names the expert, the claim and the outcome', () => {
    const { title, description, path } = headOf(PREDICTION, ORIGIN)
    expect(title).toBe(
      'Ada Quant: Bitcoin at $69,000 by the end of 2024 – SUCCESS · Proof of Price',
    )
    expect(description).toMatch(/^Hit on 5 Mar 2024, 34 days after the call\. /)
    expect(path).toBe('/predictions/ada-69k-2024')
  })

  it('shows its own picture in previews, with a new address for each outcome', () => {
    const markup = markupOf(PREDICTION)
    const url = 'https://example.org/predictions/ada-69k-2024/picture.png?v=hit'
    expect(markup).toContain(`<meta property="og:image" content="${url}">`)
    expect(markup).toContain(`<meta name="twitter:image" content="${url}">`)
    expect(markup).toContain('<meta property="og:image:height" content="675">')
    expect(markup).toMatch(/og:image:alt" content="Chart: Ada Quant: Bitcoin at \$69,000/)
  })

  it('is a ClaimReview with a rating once decided, dated by the day of the verdict', () => {
    expect(headOf(PREDICTION, ORIGIN).jsonLd).toMatchObject({
      '@type': 'ClaimReview',
      url: 'https://example.org/predictions/ada-69k-2024',
      claimReviewed: 'Bitcoin at $69,000 by the end of 2024',
      datePublished: '2026-10-03',
      reviewRating: { ratingValue: 5, alternateName: 'SUCCESS' },
      itemReviewed: { author: { '@type': 'Person', name: 'Ada Quant' } },
    })
  })

  it('names an organization for firms, and falls back to the publication date without a history', () => {
    const row = predictionRow()
    const prediction = { ...row, influencer: { ...row.influencer, is_firm: true } }
    const { jsonLd } = headOf({ ...PREDICTION, prediction, history: [] }, ORIGIN)
    expect(jsonLd).toMatchObject({
      datePublished: '2026-10-01',
      itemReviewed: { author: { '@type': 'Organization' } },
    })
  })

  it.each(['pending', 'void'] as const)('is not a review while %s', (outcome) => {
    const verdicts = {
      touch: verdictRow(verdict({ outcome })),
      close: verdictRow(verdict({ mode: 'close' })),
    }
    const content = { ...PREDICTION, prediction: predictionRow({ verdicts }) }
    expect(headOf(content, ORIGIN).jsonLd).toBeNull()
  })
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

it('keeps addresses without a page out of search engines', () => {
  const markup = markupOf({ page: 'missing', what: 'page' })
  expect(markup).toContain('<meta name="robots" content="noindex">')
  expect(markup).not.toContain('canonical')
})

it('shows the finding of a year and its picture of the day, once a call is decided', () => {
  const place = { before: null, after: null, assets: ['mstr'] } as const
  const year = (card: YearCardReply | null): string =>
    markupOf({ page: 'year', asset: 'mstr', year: 2025, place, card })
  const markup = year(yearCard())
  expect(markup).toContain(`${ORIGIN}/years/2025/mstr/picture.png?v=2025-11-20`)
  expect(markup).toContain(`<link rel="canonical" href="${ORIGIN}/years/2025/mstr">`)
  expect(markup).toContain('1 of 2 Bitcoin calls due so far in 2025 came true.')
  expect(year(openYear())).toContain('/icons/share.png')
  expect(year(null)).toContain('/icons/share.png')
})

it('shows the figures of the board and of a person with their picture of the day', () => {
  const view = readBoardView(() => null)
  const visible = board([boardRow()])
  const page = markupOf({ page: 'experts', view, board: visible })
  expect(page).toContain(`${ORIGIN}/experts/picture.png?v=2026-11-20`)
  expect(page).toContain('<meta property="og:image:height" content="630">')
  expect(page).toContain('can be told from luck. 5 calls are decided.')
  const name = { id: 1, name: 'Expert A', slug: 'expert-a', x_handle: null, is_firm: false }
  const expert = { ...name, firm: null, people: [], predictions: 2 }
  const lists = { threads: [], predictions: [], goalposts: [], replies: [] }
  const person = (report: PersonReport | null): string =>
    markupOf({ page: 'expert', expert, ...lists, report })
  expect(person(personReport())).toContain(`${ORIGIN}/experts/expert-a/picture.png?v=2026-11-20`)
  expect(person(personReport())).toContain('2 of 5 came true, luck expects 1.3.')
  expect(person(null)).toContain('/icons/share.png')
})

it("shows all calls of a dashboard in previews, or the site's picture without calls or prices", () => {
  const part = dashboardPart([predictionRow()])
  const seed = { page: 'asset', asset: 'btc', part, past: null } as const
  const full: PageContent = { page: 'asset', asset: 'btc', seed }
  expect(headOf(full, ORIGIN).image?.path).toBe('/history/btc/picture.png?v=2023-12-09')
  const unpriced = { version: '', first: null, last: null }
  for (const lacking of [dashboardPart([]), { ...part, prices: unpriced }]) {
    expect(headOf({ ...full, seed: { ...seed, part: lacking } }, ORIGIN).image).toBeNull()
  }
})
