import { PEOPLE_SIZE, SHARE_SIZE } from '#chart/view-picture.ts'
import { type PersonReport } from '#contracts/board.ts'
import { snapshotsPath } from '#contracts/data-files.ts'
import { unpackCalls } from '#contracts/hedgehog.ts'
import { type AssetPageData } from '#contracts/page.ts'
import { hedgehogPath } from '#contracts/paths.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type HistoryRow, type PredictionRow } from '#contracts/predictions.ts'
import { yearPath } from '#contracts/year.ts'
import { ASSETS } from '#domain/asset.ts'
import { headline } from '#domain/claim/prediction.ts'
import { readDay, showDayInWords } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { showCount } from '#domain/price-text.ts'
import { againstLuckText } from '#domain/scoring/score-text.ts'
import { tallyFinding, tallyOf } from '#domain/scoring/stated-calls.ts'
import { SITE_NAME } from '#domain/site.ts'
import {
  boardPicturePath,
  dashboardPicturePath,
  expertPath,
  hedgehogPicturePath,
  personPicturePath,
  predictionPath,
  sharePicturePath,
  yearPicturePath,
} from '#web/address/addresses.ts'
import { claimReview, profilePage, webSite, type JsonLd } from './json-ld.ts'
import { type ContentOf, type PageContent } from './site.ts'

export type Head = {
  readonly title: string
  readonly description: string
  /** Canonical path; null keeps the page out of search engines. */
  readonly path: string | null
  readonly kind: 'website' | 'article' | 'profile'
  readonly jsonLd: JsonLd | null
  /** Link preview picture, as a path; null for the picture of the site. */
  readonly image: {
    readonly path: string
    readonly alt: string
    readonly width: number
    readonly height: number
  } | null
}

const LISTED = {
  years: [
    'Price predictions year by year',
    'For each year the price predictions that were due: how many came true, and how many luck expects.',
  ],
  methodology: [
    'How verdicts are decided',
    'The rules that decide whether a price prediction was a hit or a miss, with worked examples, and where the prices come from.',
  ],
  today: [
    'What is new',
    'New price predictions, verdicts, corrections and replies, the next deadlines, and the calls that the price is closest to deciding.',
  ],
  corrections: [
    'Corrections',
    'Every change of the record after it was published: what changed, why, and whether it was reported or found by ourselves.',
  ],
  reports: [
    'Reported errors',
    'Every error of the record that was reported, and what came of it: corrected, or declined with the reason.',
  ],
  about: [
    'About us',
    'A public record of price predictions: who said what, when, and what came of it.',
  ],
  terms: [
    'Terms of service',
    'What the site offers, what it does not, and how to have an entry corrected.',
  ],
} as const

const HIDDEN = {
  receipt: 'Your receipt',
  confirm: 'Confirm your address',
  following: 'News by email',
  missing: 'Page not found',
  unavailable: 'Temporarily unavailable',
} as const

/** @param origin without trailing slash */
export function headOf(content: PageContent, origin: string): Head {
  switch (content.page) {
    case 'landing':
      return {
        ...website({
          title: '',
          description: `${showCount(content.metrics.totalPredictions)} public price predictions for Bitcoin, MSTR and NAKA, drawn over the real price and judged by a published rule, each with its evidence.`,
          path: '/',
          jsonLd: webSite(origin),
        }),
        title: `${SITE_NAME}: The Truth About Bitcoin Predictions`,
      }
    case 'asset': {
      const { name, symbol, route } = ASSETS[content.asset]
      const past = content.seed?.past ? readDay(content.seed.past) : null
      const asOf = past === null ? 'who was right?' : `as of ${showDayInWords(past)}`
      return website({
        title: `${name} (${symbol}) price predictions: ${asOf}`,
        description: `Public ${symbol} price predictions by named experts over the real ${name} price: which hit, which missed, which are pending, with the evidence for each.`,
        path: route,
        image: content.seed && dashboardImage(content.seed),
      })
    }
    case 'prediction':
      return content.withdrawn
        ? hidden('A withdrawn prediction')
        : predictionHead(content.prediction, content.history, origin)
    case 'experts':
      return website({
        title: 'Who is worth listening to? People and luck compared',
        description: content.board
          ? `${content.board.finding} ${content.board.totals.sentence}`
          : 'Named experts compared with what luck alone would have done, from every price prediction on record.',
        path: '/experts',
        image: content.board && {
          ...PEOPLE_SIZE,
          path: boardPicturePath(content.board.as_of),
          alt: `People compared with luck. ${content.board.finding}`,
        },
      })
    case 'expert': {
      const { expert, predictions, report } = content
      const path = expertPath(expert)
      return {
        title: `${expert.name}: ${showCount(predictions.length)} price predictions judged · ${SITE_NAME}`,
        description: report
          ? `Every recorded price prediction by ${expert.name}, each judged by a published rule. ${personText(report)}`
          : `Every recorded price prediction by ${expert.name}, each judged by a published rule and compared with luck.`,
        path,
        kind: 'profile',
        jsonLd: profilePage(expert, origin + path),
        image: report && {
          ...PEOPLE_SIZE,
          path: personPicturePath(expert, report.as_of),
          alt: `${expert.name}: ${personText(report)}`,
        },
      }
    }
    case 'hedgehog':
      return hedgehogHead(content)
    case 'year':
      return yearHead(content)
    case 'data':
      return website({
        title: 'The whole record as data',
        description:
          'Every price prediction on record with its verdicts, evidence and scores, as CSV and JSON: dated snapshots with checksums, what each column means, and how to check them.',
        path: snapshotsPath(content.snapshots.page),
      })
    case 'report':
      return hidden(`Report ${String(content.report.number)}`)
    case 'receipt':
    case 'confirm':
    case 'following':
    case 'missing':
    case 'unavailable':
      return hidden(HIDDEN[content.page])
    case 'years':
    case 'methodology':
    case 'today':
    case 'corrections':
    case 'reports':
    case 'about':
    case 'terms': {
      const [title, description] = LISTED[content.page]
      return website({ title, description, path: `/${content.page}` })
    }
  }
}

/** All calls as of the last price; null without calls or prices. */
function dashboardImage({ asset, part, past }: AssetPageData): Head['image'] {
  const last = readDay(part.prices.last?.date ?? '')
  if (part.total === 0 || last === null || past !== null) return null
  return {
    ...PEOPLE_SIZE,
    path: dashboardPicturePath(asset, last),
    alt: `Every ${ASSETS[asset].name} prediction as a line over the price, from the price when it was made to its level.`,
  }
}

/** `3 of 8 came true, luck expects 2.5.` */
function personText({ figures }: PersonReport): string {
  return `${againstLuckText(figures.decided)}.`
}

function hedgehogHead({ asset, calls, view, againstLuck }: ContentOf<'hedgehog'>): Head {
  const { name } = ASSETS[asset]
  const { year } = view
  const finding = tallyFinding(
    asset,
    tallyOf(unpackCalls(calls), year),
    year === null ? againstLuck : null,
  )
  return website({
    title: `Every ${name} prediction against the price`,
    description: `${finding} Each as a line from the price on the day it was made to its level at its deadline.`,
    path: hedgehogPath(asset),
    image:
      calls.calls.length === 0
        ? null
        : { ...PEOPLE_SIZE, path: hedgehogPicturePath(asset, year), alt: finding },
  })
}

function yearHead({ asset, year, card }: ContentOf<'year'>): Head {
  const { name } = ASSETS[asset]
  const hasPicture = card !== null && card.tally.n > 0
  return website({
    title: `${name} price predictions due in ${String(year)}: what came true`,
    description: card
      ? `${card.finding} The boldest hit, the widest miss and the loudest consensus of the year.`
      : `The ${name} price predictions that were due in ${String(year)}, compared with luck.`,
    path: yearPath(asset, year),
    image: hasPicture
      ? {
          ...PEOPLE_SIZE,
          path: yearPicturePath(asset, year, card.as_of),
          alt: `${name} calls of ${String(year)} by luck. ${card.finding}`,
        }
      : null,
  })
}

/** @param given its title is extended by the site name */
function website({
  title,
  ...parts
}: Omit<Head, 'kind' | 'jsonLd' | 'image'> & Partial<Pick<Head, 'jsonLd' | 'image'>>): Head {
  return { kind: 'website', jsonLd: null, image: null, title: `${title} · ${SITE_NAME}`, ...parts }
}

function hidden(title: string): Head {
  return website({ title, description: title, path: null })
}

function predictionHead(row: PredictionRow, history: readonly HistoryRow[], origin: string): Head {
  const prediction = predictionOfRow(row)
  if (!prediction) return hidden('A prediction')
  const { touch } = prediction.verdicts
  const description = verdictSentence(prediction, 'touch')
  return {
    title: `${headline(prediction)} – ${outcomeWord(touch.outcome)} · ${SITE_NAME}`,
    description,
    path: predictionPath(prediction),
    kind: 'article',
    jsonLd: claimReview(row, prediction, history, origin),
    image: {
      ...SHARE_SIZE,
      path: sharePicturePath(prediction),
      alt: `Chart: ${headline(prediction)}. ${description}`,
    },
  }
}

/** Updates the head after client-side navigation, where only title, description and canonical address matter. */
export function applyHead(content: PageContent, origin: string): void {
  const head = headOf(content, origin)
  document.title = head.title
  document.querySelector('meta[name="description"]')?.setAttribute('content', head.description)
  const canonical = document.querySelector('link[rel="canonical"]')
  if (head.path !== null) canonical?.setAttribute('href', origin + head.path)
}
