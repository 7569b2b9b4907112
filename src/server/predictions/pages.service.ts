import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { firstDayOf } from '#chart/hedgehog.ts'
import { readBoardView } from '#contracts/board.ts'
import { readSnapshotsPage } from '#contracts/data-files.ts'
import { MOST_SAID, packCalls, HEDGEHOG_ADDRESS } from '#contracts/hedgehog.ts'
import { type Exhibit, type PageData, type PageInput } from '#contracts/page.ts'
import { hedgehogPath, PAST_PARAM, readPastDay, readHedgehogPath } from '#contracts/paths.ts'
import {
  CORRECTIONS_PATH,
  CORRECTIONS_ADDRESS,
  readReportNumber,
  REPORTS_ADDRESS,
  REPORTS_PATH,
} from '#contracts/public-logs.ts'
import { TODAY_ADDRESS, TODAY_PATH } from '#contracts/today.ts'
import { againstLuck, readYearParts, yearPath } from '#contracts/year.ts'
import { ASSET_KEYS, findAsset, type AssetKey } from '#domain/asset.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { addDays, isoDay, type Day } from '#domain/day.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { pagePath, expertPath } from '#domain/site.ts'
import { correctionsPage } from '#server/corrections/corrections-log.service.ts'
import { AppError } from '#server/kit/failure.ts'
import { decoded } from '#server/kit/text.ts'
import { receiptKind } from '#server/payments/receipts.service.ts'
import { termsOfBars } from '#server/prices/source-terms.ts'
import { BY_DAY, closeOn, LOWEST } from '#server/record/list-query.ts'
import { packPrices, pricedAssets } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { publicReport, reportsPage } from '#server/reports/reports.service.ts'
import { selectionOf } from '#server/review/home.service.ts'
import { pageBoard, pageBoardTop, personReport } from '#server/scores/board.ts'
import { luckMethod, yearCard, years } from '#server/scores/scores.rows.ts'
import { dashboardPart } from './dashboard.service.ts'
import { expertReply, predictionReply, recorded, type PublicSite } from './predictions.service.ts'
import { statedCalls, yearPlace } from './stated-calls.ts'
import { pageMetrics, landingNow, todayOf } from './today.service.ts'
import { predictionRow } from './wire.ts'

/** Days of prices shown before a prediction was made and after it was decided. */
const BEFORE = 60
const AFTER = 30
const BEFORE_THREADS = 120
const EXAMPLES_PER_RULE = 2

/** Their addresses are secrets, or concern one person. */
const PRIVATE_PAGES: ReadonlySet<PageData['page']> = new Set(['receipt', 'confirm', 'following'])

export type Page = {
  readonly status: 200 | 404 | 503
  readonly input: PageInput
  /** Redirect target; null if the page is at its canonical address. */
  readonly movedTo: string | null
  /** Private to one person: must not be cached. */
  readonly isPrivate: boolean
}

/** @param url path and query as requested */
export async function pageOf(site: PublicSite, url: string): Promise<Page> {
  const { record, config } = site
  const prices = await record.prices()
  const version = record.version()
  const data = await dataOf(site, url)
  const status = statusOf(data)
  return {
    status,
    movedTo: movedTo(data, pathOf(url)),
    isPrivate: PRIVATE_PAGES.has(data.page),
    input: {
      url,
      origin: config.origin,
      today: todayIn(data, record.today()),
      contacts: config.contacts,
      priced: Object.fromEntries(pricedAssets(prices).map((key) => [key, prices[key].known])),
      version,
      data,
    },
  }
}

async function dataOf(site: PublicSite, url: string): Promise<PageData> {
  const { record, readDb, scores } = site
  const path = pathOf(url)
  if (path === '/' || path === '/intro') {
    const [metrics, exhibits, now, board] = await Promise.all([
      pageMetrics(record),
      exhibitsOf(record),
      landingNow(record),
      pageBoardTop(scores),
    ])
    return { page: 'landing', metrics, exhibits, now, board }
  }
  if (path === TODAY_PATH) {
    return { page: 'today', news: await todayOf(site, TODAY_ADDRESS.read(paramOf(url))) }
  }
  if (path === CORRECTIONS_PATH) {
    return {
      page: 'corrections',
      log: await correctionsPage(readDb, record, CORRECTIONS_ADDRESS.read(paramOf(url))),
    }
  }
  if (path === REPORTS_PATH) {
    return { page: 'reports', reports: await reportsPage(site, REPORTS_ADDRESS.read(paramOf(url))) }
  }
  if (path === '/about') return { page: 'about' }
  if (path === '/terms') return { page: 'terms' }
  if (path === '/data') {
    const page = readSnapshotsPage(paramOf(url)('page'))
    return {
      page: 'data',
      snapshots: await site.snapshots.pageOf(page),
      sources: termsOfBars(await record.prices(), ASSET_KEYS),
    }
  }
  if (path === '/methodology') {
    return {
      page: 'methodology',
      examples: await examplesOf(record),
      selection: await selectionOf(readDb, site.config.operator),
      luck: await scores.read('touch', luckMethod),
      code: site.config.codeUrl,
    }
  }
  if (path === '/experts') {
    const view = readBoardView(paramOf(url))
    return { page: 'experts', view, board: await pageBoard(scores, view) }
  }
  if (path === '/years') {
    const found = await scores.waitAndRead('touch', years)
    return { page: 'years', years: found && { as_of: found.as_of, assets: found.assets } }
  }
  const hedgehog = readHedgehogPath(path)
  if (hedgehog) return hedgehogPage(site, hedgehog, url)
  const asset = findAsset(path.slice(1))
  if (asset && path === asset.route) return assetPage(record, asset.key, url)
  const [, place, name, ...rest] = path.split('/')
  if (place === 'years' && name !== undefined) return yearOf(site, name, rest)
  const key = name === undefined ? null : keyIn(name)
  if (key !== null && key !== '' && rest.length === 0) {
    if (place === 'receipt') {
      // If unknown, the page's own call reports the fault.
      const of = await receiptKind(site, key).catch(() => 'submission' as const)
      return { page: 'receipt', of }
    }
    if (place === 'confirm') return { page: 'confirm' }
    if (place === 'following') return { page: 'following' }
    if (place === 'reports') return reportPage(site, key)
    if (place === 'predictions') return predictionPage(site, key)
    if (place === 'experts') return expertPage(site, key)
  }
  return { page: 'missing', what: 'page' }
}

async function assetPage(record: PublicRecord, asset: AssetKey, url: string): Promise<PageData> {
  const value = paramOf(url)
  const day = readPastDay(value(PAST_PARAM))
  const past = day !== null && day < record.today() ? isoDay(day) : null
  const param = (name: string) => (name === PAST_PARAM ? past : value(name))
  return { page: 'asset', asset, part: await dashboardPart(record, asset, param), past }
}

async function expertPage(site: PublicSite, slug: string): Promise<PageData> {
  return orMissing('expert', async () => {
    const found = await expertReply(site, slug)
    const own = await personReport(site.scores, found.expert.slug)
    const threads = await threadsOf(site.record, found.expert.slug, Object.keys(own?.repeats ?? {}))
    return { page: 'expert', ...found, report: own, threads }
  })
}

async function yearOf(
  { record, scores }: PublicSite,
  name: string,
  [assetName, ...rest]: readonly string[],
): Promise<PageData> {
  const yearParts = rest.length === 0 ? readYearParts(name, assetName) : null
  const place = yearParts && (await yearPlace(record, yearParts.asset, yearParts.year))
  if (!yearParts || !place) return { page: 'missing', what: 'page' }
  return {
    page: 'year',
    ...yearParts,
    place,
    card: await scores.waitAndRead('touch', yearCard(yearParts.asset, yearParts.year)),
  }
}

async function hedgehogPage(
  { record, scores }: PublicSite,
  asset: AssetKey,
  url: string,
): Promise<PageData> {
  const found = await scores.waitAndRead('touch', years)
  const [calls, prices, counts] = await Promise.all([
    statedCalls(record, asset, { most: MOST_SAID, repeats: found?.repeats }),
    record.prices(),
    Promise.all(ASSET_KEYS.map((key) => record.count({ asset: key }))),
  ])
  return {
    page: 'hedgehog',
    asset,
    assets: ASSET_KEYS.filter((_, i) => (counts[i] ?? 0) > 0),
    view: HEDGEHOG_ADDRESS.read(paramOf(url)),
    calls: packCalls(calls),
    // Starts earlier, so that the line enters at the left edge even after days without trading.
    prices: packPrices(prices[asset], firstDayOf(calls, record.today()) - 7),
    againstLuck: againstLuck(found, asset),
  }
}

async function threadsOf(record: PublicRecord, person: string, repeats: readonly string[]) {
  const prices = await record.prices()
  const all = await Promise.all(
    ASSET_KEYS.map(async (asset) => {
      const calls = await statedCalls(record, asset, { person, most: MOST_SAID, repeats })
      const [first] = calls
      const from = first && addDays(first.made, -BEFORE_THREADS)
      return { asset, calls, prices: packPrices(prices[asset], from) }
    }),
  )
  return all
    .filter(({ calls }) => calls.length > 0)
    .toSorted((a, b) => b.calls.length - a.calls.length)
    .map((threads) => ({ ...threads, calls: packCalls(threads.calls) }))
}

async function predictionPage(site: PublicSite, id: string): Promise<PageData> {
  const { record } = site
  return orMissing('prediction', async () => {
    const [found, one, prices] = await Promise.all([
      predictionReply(site, id),
      recorded(record, id),
      record.prices(),
    ])
    return { page: 'prediction', prices: packPrices(prices[one.asset], ...spanOf(one)), ...found }
  })
}

/** The current day of a page; for a past day, that day. */
function todayIn(data: PageData, today: Day): string {
  const past = data.page === 'asset' ? data.past : data.page === 'today' ? data.news.past : null
  return past ?? isoDay(today)
}

/** People's addresses change with their name or by a merge; pages of an asset have one address each. */
function movedTo(data: PageData, path: string): string | null {
  if (data.page === 'year' || data.page === 'hedgehog') {
    const own = data.page === 'year' ? yearPath(data.asset, data.year) : hedgehogPath(data.asset)
    return own === path ? null : own
  }
  if (data.page !== 'expert') return null
  const name = keyIn(path.split('/')[2] ?? '')
  const { slug } = data.expert
  return name === slug ? null : expertPath(slug)
}

function paramOf(url: string): (name: string) => string | null {
  const params = new URLSearchParams(url.split('#')[0]?.split('?')[1])
  return (name) => params.get(name)
}

function pathOf(url: string): string {
  return pagePath(url.split(/[?#]/)[0] ?? '')
}

function keyIn(part: string): string | null {
  const key = decoded(part)
  return key !== null && /^\P{Cc}*$/u.test(key) ? key : null
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

function statusOf(data: PageData): Page['status'] {
  if (data.page === 'unavailable') return 503
  return data.page === 'missing' || (data.page === 'receipt' && data.of === null) ? 404 : 200
}

async function reportPage(site: PublicSite, name: string): Promise<PageData> {
  const number = readReportNumber(name)
  const report = number === null ? null : await publicReport(site, number)
  return report ? { page: 'report', report } : { page: 'missing', what: 'report' }
}

/** Days of prices around a prediction: from before it was made to after its end, or to the last bar. */
export function spanOf({ made, by }: Pick<Statement, 'made' | 'by'>): [Day, Day] {
  return [addDays(made, -Math.max(BEFORE, Math.round((by - made) / 4))), addDays(by, AFTER)]
}

const Bold = z.object({
  id: z.string(),
  outcome: z.enum(['hit', 'miss']),
  person: z.coerce.number(),
})

/** Decided calls of five people with a handle, alternating hits and misses, boldest first. */
async function exhibitsOf(record: PublicRecord): Promise<Exhibit[]> {
  const { btc } = await record.prices()
  const ratio = sql`${LOWEST} / ${closeOn(btc.series.bars, 'made')}`
  const order = sql`boldness desc, made desc, id collate "C"`
  const bold = await record.query(
    Bold,
    { asset: 'btc', outcomes: ['hit', 'miss'] },
    (condition) => sql`
      with bold as (
        select id, touch_outcome as outcome, influencer_id as person, made,
          coalesce(greatest(${ratio}, 1 / (${ratio})), 0) as boldness
        from predictions
        where ${condition} and made_precision <> 'year' and exists (
          select from influencer_names n
          where n.influencer_id = predictions.influencer_id and n.kind = 'handle' and n.main)
      ), boldest as (
        select distinct on (outcome, person) * from bold order by outcome, person, ${order}
      ), placed as (
        select *, row_number() over (partition by outcome order by ${order}) as place from boldest
      )
      select id, outcome, person from placed where place <= ${EXHIBITS.length * 2} order by ${order}`,
  )
  const chosen: z.infer<typeof Bold>[] = []
  for (const exhibit of EXHIBITS) {
    const next = bold.find(
      ({ outcome, person }) => outcome === exhibit && !chosen.some((one) => one.person === person),
    )
    if (next) chosen.push(next)
  }
  return (await record.byIds(chosen.map(({ id }) => id))).map((one, i) => ({
    prediction: predictionRow(one),
    prices: i === 0 ? packPrices(btc, ...spanOf(one)) : null,
  }))
}

const EXHIBITS = ['hit', 'miss', 'hit', 'miss', 'hit'] as const

const Example = z.object({ id: z.string(), rule: z.string() })

/** Real predictions as an example of each verdict reason. */
async function examplesOf(record: PublicRecord) {
  const byAsset = sql`array_position(${sql.param([...ASSET_KEYS])}::text[], asset), ${BY_DAY}`
  const rows = await record.query(
    Example,
    { outcomes: ['hit', 'miss', 'void'] },
    (condition) => sql`
      select id, rule from (
        select predictions.*, type || ' ' || touch_reason as rule,
          row_number() over (partition by type, touch_reason order by ${byAsset}) as place
        from predictions where ${condition}
      ) predictions
      where place <= ${EXAMPLES_PER_RULE} order by ${byAsset}`,
  )
  const ids = [...Map.groupBy(rows, ({ rule }) => rule).values()].flat().map(({ id }) => id)
  return (await record.byIds(ids)).map((one) => {
    const { rule, sentences } = sentencesOf(one)
    return { ...predictionRow(one), rule, sentence: sentences.touch }
  })
}
