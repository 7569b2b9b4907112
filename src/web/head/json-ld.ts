import { type HistoryRow, type PredictionRow } from '#contracts/predictions.ts'
import { type Prediction, statementText } from '#domain/claim/prediction.ts'
import { sourceUrlOf } from '#domain/claim/source.ts'
import { isoDay, readDay } from '#domain/day.ts'
import { type Outcome, outcomeWord } from '#domain/judging/verdict.ts'
import { SITE_NAME } from '#domain/site.ts'
import { predictionPath } from '#web/address/addresses.ts'

export type JsonLd = {
  readonly [key: string]: string | number | boolean | JsonLd | readonly JsonLd[]
}

const RATING: Readonly<Record<Outcome, number | null>> = {
  hit: 5,
  miss: 1,
  pending: null,
  void: null,
}

/**
 * @param history newest last
 * @returns null until the prediction is decided
 */
export function claimReview(
  row: PredictionRow,
  prediction: Prediction,
  history: readonly HistoryRow[],
  origin: string,
): JsonLd | null {
  const { outcome } = prediction.verdicts.touch
  const rating = RATING[outcome]
  if (rating === null) return null
  const source = sourceUrlOf(prediction.sources)
  return {
    '@context': 'https://schema.org',
    '@type': 'ClaimReview',
    url: origin + predictionPath(prediction),
    claimReviewed: statementText(prediction),
    datePublished: reviewedOn(history) ?? prediction.createdAt.slice(0, 10),
    author: publisher(origin),
    itemReviewed: {
      '@type': 'Claim',
      datePublished: isoDay(prediction.made),
      author: personOrFirm(row.influencer),
      ...(source !== null && { appearance: { '@type': 'CreativeWork', url: source } }),
    },
    reviewRating: {
      '@type': 'Rating',
      alternateName: outcomeWord(outcome),
      ratingValue: rating,
      bestRating: 5,
      worstRating: 1,
    },
  }
}

function reviewedOn(history: readonly HistoryRow[]): string | null {
  const judged = history.findLast(
    ({ kind, verdict }) => kind !== 'published' && verdict !== null && verdict.mode !== 'close',
  )
  const event = judged ?? history[0]
  return isoDay(event ? readDay(event.at) : null)
}

export function webSite(origin: string): JsonLd {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: SITE_NAME,
    url: `${origin}/`,
    publisher: publisher(origin),
  }
}

export function profilePage(
  expert: { readonly name: string; readonly is_firm: boolean },
  url: string,
): JsonLd {
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url,
    mainEntity: personOrFirm(expert),
  }
}

function personOrFirm(expert: { readonly name: string; readonly is_firm: boolean }): JsonLd {
  return { '@type': expert.is_firm ? 'Organization' : 'Person', name: expert.name }
}

export function publisher(origin: string): JsonLd {
  return { '@type': 'Organization', name: SITE_NAME, url: `${origin}/` }
}
