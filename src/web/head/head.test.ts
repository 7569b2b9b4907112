import { describe, expect, it } from 'vitest'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { type PageContent } from '#web/site.ts'
import { headMarkup } from './head-markup.ts'
import { headOf } from './head.ts'

const ORIGIN = 'https://example.org'
const PREDICTION: PageContent = {
  page: 'prediction',
  prediction: predictionRow(),
  prices: { first: 19_700, steps: [], closes: [42_000] },
  rule: '',
  sentences: { touch: '', close: '' },
  history: [],
}

describe('the head of a prediction', () => {
  it('says who, what and what came of it', () => {
    const { title, description, path } = headOf(PREDICTION, ORIGIN)
    expect(title).toBe(
      'Ada Quant: Bitcoin at $69,000 by the end of 2024 – SUCCESS · Proof of Price',
    )
    expect(description).toMatch(/^SUCCESS\. First touched \$69,000 on 05\/03\/2024/)
    expect(path).toBe('/predictions/ada-69k-2024')
  })

  it('is a reviewed claim with a rating once decided', () => {
    expect(headOf(PREDICTION, ORIGIN).jsonLd).toMatchObject({
      '@type': 'ClaimReview',
      url: 'https://example.org/predictions/ada-69k-2024',
      claimReviewed: 'Bitcoin at $69,000 by the end of 2024',
      datePublished: '2024-03-05',
      reviewRating: { ratingValue: 5, alternateName: 'SUCCESS' },
    })
  })
})

it('lets nobody out of an attribute or a script element', () => {
  const name = `"><script>alert('x')</script>`
  const content: PageContent = {
    ...PREDICTION,
    prediction: predictionRow({
      influencer: { id: 1, name, slug: 'x', score: 0, is_firm: false, x_handle: null },
    }),
  }
  const markup = headMarkup(headOf(content, ORIGIN), ORIGIN, [])
  expect(markup).not.toContain('<script>alert')
  expect(markup).toContain('&quot;&gt;&lt;script&gt;')
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(markup)?.[1] ?? ''
  expect(JSON.stringify(JSON.parse(json))).toContain('<script>alert')
})

it('keeps what is no page out of search engines', () => {
  const markup = headMarkup(headOf({ page: 'missing', what: 'page' }, ORIGIN), ORIGIN, [])
  expect(markup).toContain('<meta name="robots" content="noindex">')
  expect(markup).not.toContain('canonical')
})
