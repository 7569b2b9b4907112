import { readReportNumber, readReportsView, REPORTS_PATH } from '#contracts/reports-log.ts'
import { type PublicReports } from '#server/reports/read-reports.service.ts'
import {
  type Contacts,
  type Exhibit,
  type PageData,
  type PageInput,
  type Priced,
} from '#contracts/page.ts'
import {
  CORRECTIONS_PATH,
  readCorrectionsView,
  type CorrectionsPage,
  type CorrectionsView,
} from '#contracts/corrections-log.ts'
import { type ReceiptKind } from '#contracts/receipt.ts'
import { type Selection } from '#contracts/selection.ts'
import { readBoardView, type Board, type BoardTop, type BoardView } from '#contracts/board.ts'
import { type LuckMethod } from '#contracts/luck-method.ts'
import { type PastReply } from '#contracts/past.ts'
import { type PersonReport } from '#contracts/person.ts'
import { MOST_SAID, readHedgehogPath, readHedgehogView } from '#contracts/hedgehog.ts'
import {
  againstLuck,
  readYearParts,
  yearPath,
  type YearCardReply,
  type YearsReply,
} from '#contracts/year.ts'
import { type SnapshotsShown } from '#contracts/snapshots.ts'
import { readSnapshotsPage } from '#contracts/snapshots.paths.ts'
import { sourceNames, termsOf } from '#server/prices/source-terms.ts'
import { PAST_PARAM, readPastDay } from '#contracts/past.paths.ts'
import { ASSET_KEYS, findAsset, type AssetKey } from '#domain/asset.ts'
import { addDays, isoDay, type Day } from '#domain/day.ts'
import { pagePath } from '#domain/page-path.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { AppError } from '#server/kit/failure.ts'
import { packPrices, type Catalog, type Snapshot } from './catalog.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type Records } from './predictions.service.ts'
import { type Past } from './past.service.ts'
import { type Dashboards } from './dashboard.service.ts'
import { landingNow } from './landing-now.ts'
import { saidCalls } from './said-calls.ts'
import { predictionRow } from './wire.ts'
import { yearPlace } from './years-due.ts'

/** Days of price shown before a prediction was made and after it was decided. */
const BEFORE = 60
const AFTER = 30
const EXAMPLES_PER_RULE = 2

/** Their addresses are secrets, or they are about one person. */
const PRIVATE_PAGES: ReadonlySet<PageData['page']> = new Set(['receipt', 'confirm', 'following'])

export type Pages = ReturnType<typeof pageService>

/** What an address shows, with all the data its page starts from. */
export type Page = {
  readonly status: 200 | 404 | 503
  readonly input: PageInput
  /** The path of the page that has moved there; null for one at its place. */
  readonly movedTo: string | null
  /** For one person: no cache may keep it. */
  readonly isPrivate: boolean
}

export function pageService({
  catalog,
  past,
  dashboards,
  records,
  origin,
  contacts,
  codeUrl,
  receiptKind,
  board,
  boardTop,
  luck,
  report,
  years,
  year,
  snapshots,
  corrections,
  selection,
  reports,
}: {
  catalog: Catalog
  past: Past
  dashboards: Dashboards
  records: Records
  origin: string
  contacts: Contacts
  codeUrl: string | null
  receiptKind: (token: string) => Promise<ReceiptKind | null>
  board: (view: BoardView) => Promise<Board | null>
  boardTop: () => BoardTop | null
  luck: () => LuckMethod | null
  report: (slug: string) => Promise<PersonReport | null>
  years: () => Promise<YearsReply | null>
  year: (asset: AssetKey, year: number) => Promise<YearCardReply | null>
  snapshots: (page: number) => Promise<SnapshotsShown>
  corrections: (view: CorrectionsView) => Promise<CorrectionsPage>
  selection: () => Promise<Selection>
  reports: Reported
}) {
  async function dataOf(url: string, snapshot: Snapshot): Promise<PageData> {
    const path = pathOf(url)
    if (path === '/' || path === '/intro') {
      const { metrics } = snapshot
      const exhibits = exhibitsOf(snapshot)
      const now = landingNow(snapshot, catalog.today())
      return { page: 'landing', metrics, exhibits, now, board: boardTop() }
    }
    if (path === CORRECTIONS_PATH) {
      return { page: 'corrections', log: await corrections(correctionsViewOf(url)) }
    }
    if (path === REPORTS_PATH) return reportsPage(reports, url)
    if (path === '/about') return { page: 'about' }
    if (path === '/terms') return { page: 'terms' }
    if (path === '/data') {
      const page = readSnapshotsPage(queryOf(url).get('page'))
      return { page: 'data', snapshots: await snapshots(page), sources: sourcesOf(snapshot) }
    }
    if (path === '/methodology') {
      const examples = examplesOf(snapshot)
      const counted = await selection()
      return { page: 'methodology', examples, luck: luck(), selection: counted, code: codeUrl }
    }
    if (path === '/experts') return expertsPage(url)
    if (path === '/years') return { page: 'years', years: await years() }
    const said = readHedgehogPath(path)
    if (said) return hedgehogPage(said, url, snapshot)
    const asset = findAsset(path.slice(1))
    if (asset && path === asset.route) {
      const day = readPastDay(queryOf(url).get(PAST_PARAM))
      return day !== null && day < catalog.today()
        ? pastPage(past.reply(asset.key, day, null), url, snapshot, dashboards)
        : assetPage(asset.key, url, snapshot, dashboards)
    }
    const [, place, name, ...rest] = path.split('/')
    if (place === 'years' && name !== undefined) return yearPage(snapshot, name, rest)
    const key = name === undefined ? null : decoded(name)
    if (key !== null && key !== '' && rest.length === 0) {
      if (place === 'receipt') return receiptPage(key)
      if (place === 'confirm') return { page: 'confirm' }
      if (place === 'following') return { page: 'following' }
      if (place === 'reports') return reportPage(reports, key)
      if (place === 'predictions') return predictionPage(records, key)
      if (place === 'experts') {
        return expertPage(key)
      }
    }
    return { page: 'missing', what: 'page' }
  }

  async function expertsPage(url: string): Promise<PageData> {
    const params = queryOf(url)
    const view = readBoardView((name) => params.get(name))
    return { page: 'experts', view, board: await board(view) }
  }

  async function hedgehogPage(asset: AssetKey, url: string, snapshot: Snapshot): Promise<PageData> {
    const params = queryOf(url)
    return {
      page: 'hedgehog',
      asset,
      assets: ASSET_KEYS.filter((key) => snapshot.assets[key].predictions.length > 0),
      view: readHedgehogView((name) => params.get(name)),
      calls: saidCalls(snapshot, asset).slice(-MOST_SAID),
      prices: packPrices(snapshot.assets[asset].judged),
      againstLuck: againstLuck(await years(), asset),
    }
  }

  async function expertPage(slug: string): Promise<PageData> {
    return orMissing('expert', async () => {
      const found = await records.expert(slug)
      return { page: 'expert', ...found, report: await report(found.expert.slug) }
    })
  }

  async function yearPage(
    snapshot: Snapshot,
    name: string,
    [assetName, ...rest]: readonly string[],
  ): Promise<PageData> {
    const asked = rest.length === 0 ? readYearParts(name, assetName) : null
    const place = asked && yearPlace(snapshot, asked.asset, asked.year)
    if (!asked || !place) return { page: 'missing', what: 'page' }
    return { page: 'year', ...asked, place, card: await year(asked.asset, asked.year) }
  }

  async function receiptPage(token: string): Promise<PageData> {
    // While it cannot be known, the call that the page makes says so.
    return { page: 'receipt', of: await receiptKind(token).catch(() => 'submission' as const) }
  }

  return {
    /** @param url path and query as asked for */
    async page(url: string): Promise<Page> {
      const snapshot = catalog.snapshot()
      const data: PageData = snapshot ? await dataOf(url, snapshot) : { page: 'unavailable' }
      const status = statusOf(data)
      return {
        status,
        movedTo: movedTo(data, pathOf(url)),
        isPrivate: PRIVATE_PAGES.has(data.page),
        input: {
          url,
          origin,
          today: todayIn(data, catalog.today()),
          contacts,
          priced: snapshot ? pricedOf(snapshot) : {},
          version: snapshot?.version ?? '',
          data,
        },
      }
    },
  }
}

/** Whose prices the record rests on. */
function sourcesOf({ assets }: Snapshot) {
  const names = ASSET_KEYS.flatMap((key) =>
    assets[key].judged.series.bars.flatMap(({ source }) => sourceNames(source)),
  )
  return [...new Set(names)].toSorted((a, b) => a.localeCompare(b)).map(termsOf)
}

/** A page as of a past day knows no later one. */
function todayIn(data: PageData, today: Day): string {
  return data.page === 'asset' && data.past ? data.past.day : isoDay(today)
}

function pricedOf({ assets }: Snapshot): Priced {
  return Object.fromEntries(
    ASSET_KEYS.map((key) => [key, assets[key].known] as const).filter(([, { days }]) => days > 0),
  )
}

/** People's pages move with their name, or when two are found to be one; a year has one address for each asset. */
function movedTo(data: PageData, path: string): string | null {
  if (data.page === 'year') {
    const own = yearPath(data.asset, data.year)
    return own === path ? null : own
  }
  if (data.page !== 'expert') return null
  const name = decoded(path.split('/')[2] ?? '')
  const { slug } = data.expert
  return name === slug ? null : `/experts/${encodeURIComponent(slug)}`
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('#')[0]?.split('?')[1])
}

function correctionsViewOf(url: string): CorrectionsView {
  const params = queryOf(url)
  return readCorrectionsView((name) => params.get(name))
}

function pathOf(url: string): string {
  return pagePath(url.split(/[?#]/)[0] ?? '')
}

function decoded(text: string): string | null {
  try {
    const part = decodeURIComponent(text)
    return /^\P{Cc}*$/u.test(part) ? part : null
  } catch {
    return null
  }
}

async function orMissing(
  what: 'prediction' | 'expert',
  read: () => Promise<PageData>,
): Promise<PageData> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { page: 'missing', what }
    throw error
  }
}

async function predictionPage(records: Records, id: string): Promise<PageData> {
  return orMissing('prediction', async () => {
    const found = await records.prediction(id)
    const { assets, byId, withdrawn } = records.snapshot()
    const { judged } = assets[found.prediction.asset_type]
    const shown = byId.get(id) ?? withdrawn.get(id)
    const prices = packPrices(judged, ...(shown ? spanOf(shown) : []))
    return { page: 'prediction', prices, ...found }
  })
}

function statusOf(data: PageData): Page['status'] {
  if (data.page === 'unavailable') return 503
  return data.page === 'missing' || (data.page === 'receipt' && data.of === null) ? 404 : 200
}

type Reported = Pick<PublicReports, 'page' | 'one'>

async function reportsPage(reports: Reported, url: string): Promise<PageData> {
  const params = queryOf(url)
  return {
    page: 'reports',
    reports: await reports.page(readReportsView((name) => params.get(name))),
  }
}

async function reportPage(reports: Reported, name: string): Promise<PageData> {
  const number = readReportNumber(name)
  const report = number === null ? null : await reports.one(number)
  return report ? { page: 'report', report } : { page: 'missing', what: 'report' }
}

async function assetPage(
  asset: AssetKey,
  url: string,
  snapshot: Snapshot,
  dashboards: Dashboards,
): Promise<PageData> {
  const now = snapshot.assets[asset]
  const isWhole = dashboards.isWhole(now)
  const params = queryOf(url)
  return {
    page: 'asset',
    asset,
    prices: packPrices(now.judged),
    predictions: isWhole ? now.predictions.map(predictionRow) : [],
    part: isWhole ? null : await dashboards.partOf(snapshot, asset, (name) => params.get(name)),
    past: null,
  }
}

/** An asset's page as of a past day. */
async function pastPage(
  past: PastReply,
  url: string,
  snapshot: Snapshot,
  dashboards: Dashboards,
): Promise<PageData> {
  const { asset } = past
  const prices = { first: 0, steps: [], closes: [] }
  const params = queryOf(url)
  const part = past.more
    ? await dashboards.partOf(snapshot, asset, (name) => params.get(name))
    : null
  return { page: 'asset', asset, prices, predictions: [], part, past }
}

/** The days of price that show a prediction: from before it was made to after its end, or to the last bar. */
export function spanOf({ made, by }: Pick<Statement, 'made' | 'by'>): [Day, Day] {
  return [addDays(made, -Math.max(BEFORE, Math.round((by - made) / 4))), addDays(by, AFTER)]
}

/**
 * Calls for the landing page: decided ones of five people with a public handle, hits and misses in turn, those first
 * whose level lay farthest from the price of the day.
 */
function exhibitsOf(snapshot: Snapshot): Exhibit[] {
  const btc = snapshot.assets.btc
  const bold = btc.predictions
    .filter((one) => one.madePrecision !== 'year' && one.expert.handle !== null)
    .map((one) => ({ one, boldness: boldness(one) }))
    .toSorted((a, b) => b.boldness - a.boldness)
    .map(({ one }) => one)
  const chosen: JudgedPrediction[] = []
  for (const wanted of ['hit', 'miss', 'hit', 'miss', 'hit']) {
    const next = bold.find(
      ({ verdicts, expert }) =>
        verdicts.touch.outcome === wanted && !chosen.some((one) => one.expert.id === expert.id),
    )
    if (next) chosen.push(next)
  }
  return chosen.map((one) => ({
    prediction: predictionRow(one),
    prices: packPrices(btc.judged, ...spanOf(one)),
  }))
}

/** How far the level lay from the price of the day it was said, as a ratio. */
function boldness({ verdicts }: JudgedPrediction): number {
  const { level, reference } = verdicts.touch
  if (!reference) return 0
  return Math.max(level.min / reference.usd, reference.usd / level.min)
}

/** For each way a verdict comes about, real predictions that came about so. */
function examplesOf(snapshot: Snapshot): Extract<PageData, { page: 'methodology' }>['examples'] {
  const all = ASSET_KEYS.flatMap((key) => snapshot.assets[key].predictions)
  const byRule = Map.groupBy(
    all.filter((one) => one.verdicts.touch.outcome !== 'pending'),
    ({ said, verdicts }) => `${said.type} ${verdicts.touch.reason}`,
  )
  return [...byRule.values()].flatMap((alike) =>
    alike.slice(0, EXAMPLES_PER_RULE).map((one) => {
      const { rule, sentences } = sentencesOf(one)
      return { ...predictionRow(one), rule, sentence: sentences.touch }
    }),
  )
}
