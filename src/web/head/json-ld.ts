import { isoDay } from '#domain/day.ts'
import { type Prediction } from '#domain/prediction.ts'
import { outcomeWord } from '#domain/verdict-text.ts'
import { type Outcome } from '#domain/verdict.ts'
import { statementText } from '#domain/prediction-text.ts'
import { predictionPath } from '#web/addresses.ts'

/** Structured data of schema.org, as search engines read it. */
export type JsonLd = { readonly [key: string]: string | number | JsonLd }

const RATING: Readonly<Record<Outcome, number | null>> = {
  hit: 5,
  miss: 1,
  pending: null,
  void: null,
}

/** A prediction as a reviewed claim; rated once it is decided. */
export function claimReview(prediction: Prediction, origin: string): JsonLd {
  const { touch } = prediction.verdicts
  const rating = RATING[touch.outcome]
  return {
    '@context': 'https://schema.org',
    '@type': 'ClaimReview',
    url: origin + predictionPath(prediction),
    claimReviewed: statementText(prediction),
    datePublished: isoDay(touch.day ?? prediction.made),
    author: publisher(origin),
    itemReviewed: {
      '@type': 'Claim',
      datePublished: isoDay(prediction.made),
      author: { '@type': 'Person', name: prediction.expert.name },
      ...(prediction.sourceUrl && {
        appearance: { '@type': 'CreativeWork', url: prediction.sourceUrl },
      }),
    },
    reviewRating: {
      '@type': 'Rating',
      alternateName: outcomeWord(touch.outcome),
      ...(rating !== null && { ratingValue: rating, bestRating: 5, worstRating: 1 }),
    },
  }
}

export function webSite(origin: string): JsonLd {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Proof of Price',
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
    mainEntity: { '@type': expert.is_firm ? 'Organization' : 'Person', name: expert.name },
  }
}

function publisher(origin: string): JsonLd {
  return { '@type': 'Organization', name: 'Proof of Price', url: `${origin}/` }
}
