import { type AssetKey } from '#domain/asset.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { type z } from 'zod'
import { type Board, type BoardTop, type BoardView } from './board.ts'
import { type DashboardPart } from './dashboard.ts'
import { type CorrectionsPage } from './corrections-log.ts'
import { type ReceiptKind } from './receipt.ts'
import { type PublicReport, type ReportsPage } from './reports-log.ts'
import { type HedgehogData } from './hedgehog.ts'
import { type PackedPrices } from './packed-prices.ts'
import { type LuckMethod } from './luck-method.ts'
import { type PersonReport } from './person.ts'
import { type PriceSourceTerms } from './open-data.ts'
import { type SnapshotsShown } from './snapshots.ts'
import { type Selection } from './selection.ts'
import { type YearCardReply, type YearPlace, type YearsReply } from './year.ts'
import {
  type introMetrics,
  type oneExpert,
  type onePrediction,
  type PredictionRow,
} from './predictions.ts'

/** Figures over all predictions of an asset, for lists that do not hold them all. */
export type PageMetrics = z.infer<typeof introMetrics.reply>['data']

/** A prediction with the price history around it. */
export type Exhibit = { readonly prediction: PredictionRow; readonly prices: PackedPrices }

/** A call in a list of the landing page, in words. */
export type NowCall = {
  readonly id: string
  /** Whose it is: the name, and the last part of the page's address. */
  readonly name: string
  readonly slug: string
  /** `Bitcoin at $150,000 by 31/12/2026` */
  readonly text: string
  /** By intraday prices. */
  readonly outcome: Outcome
  /** The day of the list, or what is left: `01/10/2026`, `37 days left, +38 % to go`. */
  readonly note: string
}

/** What is going on. */
export type LandingNow = {
  /** The last close of each asset that has one, USD, with its day as 2026-10-01. */
  readonly closes: readonly {
    readonly asset: AssetKey
    readonly day: string
    readonly usd: number
  }[]
  /** Made last; one of each person. */
  readonly newest: readonly NowCall[]
  /** Hits and misses, those decided last first. */
  readonly decided: readonly NowCall[]
  /** Open ones whose deadline comes next; one of each person. */
  readonly due: readonly NowCall[]
}

export type AssetPageData = {
  readonly page: 'asset'
  readonly asset: AssetKey
  /** What its address shows. */
  readonly part: DashboardPart
  /** The past day as of which it is shown, as 2020-03-12; null for now. */
  readonly past: string | null
}

/** What the server puts into the first answer, so that a page needs no second request. */
export type PageData =
  | {
      readonly page: 'landing'
      readonly metrics: PageMetrics
      readonly exhibits: readonly Exhibit[]
      readonly now: LandingNow
      /** Null while no call is decided, or the scores are computed for the first time. */
      readonly board: BoardTop | null
    }
  | AssetPageData
  | ({
      readonly page: 'prediction'
      readonly prices: PackedPrices
    } & z.infer<typeof onePrediction.reply>)
  | ({
      readonly page: 'expert'
      /** Null while the scores are computed for the first time, and for calls that are newer. */
      readonly report: PersonReport | null
    } & z.infer<typeof oneExpert.reply>)
  | {
      readonly page: 'experts'
      readonly view: BoardView
      /** Null while the scores are computed for the first time. */
      readonly board: Board | null
    }
  | {
      readonly page: 'years'
      /** Null while the scores are computed for the first time. */
      readonly years: YearsReply | null
    }
  | {
      readonly page: 'year'
      readonly asset: AssetKey
      readonly year: number
      readonly place: YearPlace
      /** Null while the scores are computed for the first time. */
      readonly card: YearCardReply | null
    }
  | ({ readonly page: 'hedgehog' } & HedgehogData)
  | {
      readonly page: 'methodology'
      /** Real predictions that show each rule at work. */
      readonly examples: readonly (PredictionRow & {
        readonly sentence: string
        readonly rule: string
      })[]
      /** Null while the scores are computed for the first time. */
      readonly luck: LuckMethod | null
      readonly selection: Selection
      /** Where the code of this site is published; null when that is not said. */
      readonly code: string | null
    }
  | {
      readonly page: 'data'
      readonly snapshots: SnapshotsShown
      /** Whose prices the record rests on, and what they allow. */
      readonly sources: readonly PriceSourceTerms[]
    }
  | { readonly page: 'corrections'; readonly log: CorrectionsPage }
  | { readonly page: 'reports'; readonly reports: ReportsPage }
  | { readonly page: 'report'; readonly report: PublicReport }
  | { readonly page: 'about' }
  | { readonly page: 'terms' }
  /**
   * A receipt is private: the browser fetches it by the token in the address, and learns here only which call to make; null where the
   * token opens none, sent with status 404. Not cached.
   */
  | { readonly page: 'receipt'; readonly of: ReceiptKind | null }
  /** Asks a reader who followed the link in a mail to confirm. Not cached, as its address is a secret. */
  | { readonly page: 'confirm' }
  /** What an address follows, as private. */
  | { readonly page: 'following' }
  /** There is no page at this address; sent with status 404. */
  | { readonly page: 'missing'; readonly what: 'page' | 'prediction' | 'expert' | 'report' }
  /** The server could not read its data; sent with status 503. */
  | { readonly page: 'unavailable' }

/** How to contact the operator of the site; null when not set up. */
export type Contacts = {
  /** A profile in a social network, as a web address. */
  readonly social: string | null
  /** A Nostr profile, as a web address. */
  readonly nostr: string | null
  readonly email: string | null
  /** The site's own Lightning address. */
  readonly lightning: string | null
}

/** Days of an asset that have ended and whose prices are on record, and on how many of them the high and low are. */
export type KnownDays = {
  readonly days: number
  readonly ranged: number
  /** Where the prices are from, as their sources want to be named. */
  readonly sources: readonly string[]
}

/** The assets that have prices; the others are labelled Coming Soon. */
export type Priced = Readonly<Partial<Record<AssetKey, KnownDays>>>

/** Everything inlined into a page. */
export type PageInput = {
  /** Path and query as asked for. */
  readonly url: string
  /** The address of the site, without a slash at the end: `https://example.org`. */
  readonly origin: string
  /** Today, as 2026-11-20 in UTC, so that server and browser draw the same; on a page as of a past day, that day. */
  readonly today: string
  readonly priced: Priced
  readonly contacts: Contacts
  /** Of the record that it shows; empty before that was read. */
  readonly version: string
  readonly data: PageData
}

/** What the renderer returns: markup for the head and for `#root`. */
export type RenderedPage = { readonly head: string; readonly body: string }
export type RenderPage = (input: PageInput) => RenderedPage
/** The one address of all that show the same page: its path, and the part of its query that the page reads. */
export type PageAddress = (url: string) => string
