import { z } from 'zod'
import { type AssetKey } from '#domain/asset.ts'
import { type ReportState } from '#domain/report.ts'
import { type RejectionReason } from '#domain/review.ts'
import { type WorkedLuck } from '#domain/scoring/luck.ts'
import { type Board, type BoardTop, type BoardView, type PersonReport } from './board.ts'
import { type DashboardPart } from './dashboard.ts'
import { RecordVersion, type PackedPrices } from './fields.ts'
import { type HedgehogData } from './hedgehog.ts'
import { type PriceSourceTerms, type SnapshotPage } from './open-data.ts'
import { type ReceiptKind } from './payments.ts'
import {
  type introMetrics,
  type oneExpert,
  type onePrediction,
  type PredictionRow,
} from './predictions.ts'
import { type PublicReport, type ReportsPage, type CorrectionsPage } from './public-logs.ts'
import { get } from './route.ts'
import { type ScoredCallRow, type ScoresReply } from './scores.ts'
import { type NowCall, type Today } from './today.ts'
import { type YearCardReply, type YearPlace, type YearsReply } from './year.ts'

export const LONGEST_PAGE_PATH = 2_000

/** The data of a page, for moving between pages in the browser; its full shape is `PageInput`. */
export const apiPage = get('/api/v1/page', 'public', {
  summary: "The data of a page of the site. An internal call: its shape follows the site's pages.",
  query: z.object({
    url: z.string().startsWith('/').max(LONGEST_PAGE_PATH),
    v: RecordVersion.optional(),
  }),
  reply: z.looseObject({ data: z.looseObject({ page: z.string() }) }),
})

/** Why a call is not compared with luck: `no_luck` of the scores, or days without prices in its window. */
export type LeftOutReason = NonNullable<ScoredCallRow['no_luck']> | 'no-prices'

type NamedCall = Pick<ScoredCallRow, 'id' | 'text' | 'asset_type' | 'made'> & {
  readonly name: string
}

export type LuckExample = NamedCall &
  Pick<
    ScoredCallRow,
    'label' | 'level_min' | 'deadline' | 'direction' | 'decided' | 'seen_once'
  > & {
    readonly outcome: 'hit' | 'miss'
    readonly reference: number
    readonly sigma: number
    readonly drift: number
    /** Trading days from the day after it was made to its deadline. */
    readonly days: number
    readonly steps: WorkedLuck
  }

/**
 * Placebo calls of one kind over all assets, or for Bitcoin alone; `direction` null combines both and has the
 * overall result.
 */
export type LuckTestRow = Pick<
  ScoresReply['luck_test']['rows'][number],
  'asset_type' | 'horizon' | 'direction' | 'calls' | 'expected' | 'happened'
> & { readonly holds: boolean | null }

/** Figures of the newest scores that explain the method: of judging by highs and lows. */
export type LuckMethod = Pick<ScoresReply, 'as_of'> & {
  readonly histories: number
  /** The latest decided target, of Bitcoin if possible. */
  readonly example: LuckExample | null
  readonly test: { readonly calls: number; readonly rows: readonly LuckTestRow[] }
  /** Calls that are not compared, by reason; only the latest are named. */
  readonly left_out: readonly {
    readonly reason: LeftOutReason
    readonly count: number
    readonly calls: readonly NamedCall[]
  }[]
}

export type Selection = {
  readonly accepted: number
  readonly rejected: number
  readonly waiting: number
  /** The day of the first decision, as 2026-10-01; null before it. */
  readonly since: string | null
  /** Rejections by reason, most frequent first; null for free text. */
  readonly reasons: readonly { readonly reason: RejectionReason | null; readonly count: number }[]
  readonly reports: Readonly<Record<ReportState, number>>
  /** Published predictions imported from files, not submitted. */
  readonly imported: number
  /** Operator and their holdings; null if not stated. */
  readonly operator: Operator
}

export type Operator = {
  readonly name: string | null
  readonly holdings: string | null
}

/** Figures over all predictions of an asset, for lists that do not hold them all. */
export type PageMetrics = z.infer<typeof introMetrics.reply>['data']

/** A prediction with the surrounding prices; null if only its own page has them. */
export type Exhibit = { readonly prediction: PredictionRow; readonly prices: PackedPrices | null }

export type LandingNow = {
  /** The last close of each asset that has one, USD, with its day as 2026-10-01. */
  readonly closes: readonly {
    readonly asset: AssetKey
    readonly day: string
    readonly usd: number
  }[]
  readonly newest: readonly NowCall[]
  readonly decided: readonly NowCall[]
  /** Open calls with the next deadlines, one per person. */
  readonly due: readonly NowCall[]
}

export type AssetPageData = {
  readonly page: 'asset'
  readonly asset: AssetKey
  readonly part: DashboardPart
  /** The past day of the page, as 2020-03-12; null for now. */
  readonly past: string | null
}

/** Data inlined in the first response, so that a page needs no second request. */
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
      readonly threads: readonly Pick<HedgehogData, 'asset' | 'calls' | 'prices'>[]
      /** Null while the scores are computed for the first time, and for calls that are newer. */
      readonly report: PersonReport | null
    } & z.infer<typeof oneExpert.reply>)
  | {
      readonly page: 'experts'
      readonly view: BoardView
      readonly board: Board | null
    }
  | {
      readonly page: 'years'
      readonly years: YearsReply | null
    }
  | {
      readonly page: 'year'
      readonly asset: AssetKey
      readonly year: number
      readonly place: YearPlace
      readonly card: YearCardReply | null
    }
  | ({ readonly page: 'hedgehog' } & HedgehogData)
  | {
      readonly page: 'methodology'
      readonly examples: readonly (PredictionRow & {
        readonly sentence: string
        readonly rule: string
      })[]
      readonly luck: LuckMethod | null
      readonly selection: Selection
      /** Address of the site's source code, if published. */
      readonly code: string | null
    }
  | {
      readonly page: 'data'
      readonly snapshots: SnapshotPage
      readonly sources: readonly PriceSourceTerms[]
    }
  | { readonly page: 'today'; readonly news: Today }
  | { readonly page: 'corrections'; readonly log: CorrectionsPage }
  | { readonly page: 'reports'; readonly reports: ReportsPage }
  | { readonly page: 'report'; readonly report: PublicReport }
  | { readonly page: 'about' }
  | { readonly page: 'terms' }
  /**
   * A receipt is private: the browser fetches it by the token in the address, and learns here only which call to
   * make; null if the token opens none, sent with status 404. Not cached.
   */
  | { readonly page: 'receipt'; readonly of: ReceiptKind | null }
  /** Asks a reader who followed the link in a mail to confirm. Not cached, as its address is a secret. */
  | { readonly page: 'confirm' }
  | { readonly page: 'following' }
  /** No page exists at this address; sent with status 404. */
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
  readonly lightning: string | null
}

/** Past days of an asset with recorded prices, and how many of them have a high and low. */
export type KnownDays = {
  readonly days: number
  readonly ranged: number
  /** Credits of the price sources. */
  readonly sources: readonly string[]
}

export type Priced = Readonly<Partial<Record<AssetKey, KnownDays>>>

export type PageInput = {
  readonly url: string
  /** The address of the site, without a slash at the end: `https://example.org`. */
  readonly origin: string
  /** Today or the past day shown, as 2026-11-20 in UTC, so that server and browser render the same. */
  readonly today: string
  readonly priced: Priced
  readonly contacts: Contacts
  /** Record version; empty before it was read. */
  readonly version: string
  readonly data: PageData
}

/** Markup of the head and of `#root`. */
export type RenderedPage = { readonly head: string; readonly body: string }
export type RenderPage = (input: PageInput) => RenderedPage
export type PageAddress = (url: string) => string
