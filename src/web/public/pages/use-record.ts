import { useMemo, useState } from 'react'
import { type AssetPageData } from '#contracts/page.ts'
import { ASSETS, type Asset, type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { dayFromNumber, readDay, type Day } from '#domain/day.ts'
import { useFetched, useFetchStore, type Query } from '#web/api/fetched.ts'
import { liveFeedOf, NO_FEED, type LiveFeed } from '#web/api/live.ts'
import { useLiveVerdicts } from '#web/api/live-verdicts.ts'
import { type PastRecord } from '#web/api/past.ts'
import { lastClose, type Prices } from '#web/api/prices.ts'
import { pastQuery, predictionsQuery, pricesQuery } from '#web/api/queries.ts'
import { useSite } from '#web/head/site.ts'
import { type Loading } from '#web/ui/loading.ts'
import { type Question } from '#domain/listing/question.ts'
import { loadingOf } from './loading-of.ts'
import { type ShownPart } from '#web/public/predictions/shown-part.ts'
import { useAskedPart, useShownPart } from './use-part.ts'

/** The record of an asset as the dashboard shows it. */
export type ShownRecord = {
  /** Its halvings and the like up to the day that is shown. */
  readonly asset: Asset
  /** The day that is wanted; null for now. */
  readonly asked: Day | null
  /** The day as of which it is shown; null for now. */
  readonly past: Day | null
  /** The first day whose price is on record; null while that is not known. */
  readonly first: Day | null
  /** The record of another day is on its way. */
  readonly isWaiting: boolean
  /** That of the wanted day could not be loaded. */
  readonly isFailed: boolean
  readonly prices: Loading<Prices>
  /** The last close, USD, and its day since 1970; null where none is known. */
  readonly close: { readonly day: number; readonly usd: number } | null
  readonly list: Loading<readonly Prediction[]>
  /** What is there of the list: of a large record those that are shown. */
  readonly predictions: readonly Prediction[]
  /** What is shown of a large record; null where all of it is at hand. */
  readonly part: ShownPart | null
  readonly feed: LiveFeed
  /** Asks again for what is shown. @returns whether all of it came */
  readonly refresh: () => Promise<boolean>
}

/**
 * The record as it is now, with what comes live, or as it was at the end of a past day, of which nothing later is asked for.
 * Until another day has come, what was shown before stays, under its own day.
 *
 * @param seed what the server put into the page
 * @param wanted the day that was chosen; today and later days, as null, are now
 * @param question what is to be seen of it, where it is large
 */
export function useRecord(
  key: AssetKey,
  seed: AssetPageData | null,
  wanted: Day | null,
  question: Question,
): ShownRecord {
  const { today } = useSite()
  const given = seed?.past ? readDay(seed.past.day) : null
  const asked = wanted !== null && (wanted === given || wanted < today) ? wanted : null
  const isNow = asked === null
  const now = given === null ? seed : null
  const store = useFetchStore()
  const [priceQuery, listQuery] = [pricesQuery(key, now), predictionsQuery(key, now)]
  const prices = useFetched(priceQuery, isNow)
  const [isLarge, setLarge] = useState(false)
  const list = useFetched(listQuery, isNow && !isLarge)
  if (!isLarge && list.data === null) setLarge(true)
  const dayQuery = pastQuery(key, asked ?? today, seed)
  const past = useFetched(dayQuery, !isNow)
  // What is shown until the record of another day is there.
  const [last, setLast] = useState<PastRecord | null>(null)
  const isPartWanted = isNow ? isLarge : past.data?.isLarge === true
  const part = useAskedPart(key, seed, { ...question, past: asked }, isPartWanted)
  // What is shown of a large record is of the day that is shown.
  const isPartThere = part.shown?.question.past === asked || part.fetched.error !== null
  const isHeld = isPartWanted && part.shown !== null && !isPartThere
  const isArriving = isNow && ((prices.data === undefined && !prices.error) || isHeld)
  const arrived = isPartWanted && !isPartThere ? undefined : past.data
  const newest = isNow ? (isArriving ? last : null) : (arrived ?? (past.error ? null : last))
  if (newest !== last) setLast(newest)
  const record = newest ?? undefined
  const wasNow = !isNow && !record && !past.error && prices.data !== undefined
  const isFollowed = (isNow && !record) || wasNow
  const shownQuery: Query<unknown> = isPartWanted ? part.query : listQuery
  const refreshList = () => store.refresh(shownQuery)
  const refreshDay = () => void store.refresh(dayQuery)
  const followed = isLarge
    ? { data: part.shown?.fetched.data?.rows, fetchedAt: part.shown?.fetched.fetchedAt ?? 0 }
    : { data: list.data ?? undefined, fetchedAt: list.fetchedAt }
  const predictions = useLiveVerdicts(followed, () => void refreshList(), isFollowed)
  const shownRows = isFollowed ? predictions : part.shown?.fetched.data?.rows
  const shownPart = useShownPart(part, shownRows)
  const isPart = isFollowed ? isLarge : record?.isLarge === true
  const isOfDay = part.shown?.question.past === (isFollowed ? null : asked)
  const day = isFollowed ? null : (record?.day ?? asked)
  const asset = useMemo(() => upTo(ASSETS[key], day), [key, day])
  const shown = isFollowed ? prices.data : record?.prices
  const known = isPart || isFollowed ? shownRows : record?.predictions
  const ofList = isPart ? part.fetched : isFollowed ? list : past
  const retry = (): void => {
    if (isPart || isFollowed) void refreshList()
    else refreshDay()
  }
  // What was shown before is no answer to another question.
  const isMissing =
    isPart && (!isOfDay || (part.fetched.error !== null && part.fetched.data === undefined))
  return {
    asset,
    asked,
    past: day,
    first: isFollowed ? firstDay(prices.data) : (record?.first ?? null),
    isWaiting: isNow ? record !== undefined : arrived === undefined && !past.error,
    isFailed: !isNow && past.error !== null,
    prices: isFollowed
      ? loadingOf(prices, shown, () => void store.refresh(priceQuery))
      : loadingOf(past, shown, refreshDay),
    close: shown ? lastClose(shown) : null,
    list: loadingOf(ofList, isMissing ? undefined : known, retry),
    part: isPart && isOfDay ? shownPart : null,
    predictions: (isPart && !isOfDay ? undefined : known) ?? NONE,
    feed: isFollowed ? liveFeedOf(key) : NO_FEED,
    refresh: async () => {
      if (!isFollowed) {
        await Promise.all([store.refresh(dayQuery), isPart && refreshList()])
        return store.of(dayQuery).error === null && (!isPart || part.fetched.error === null)
      }
      await Promise.all([store.refresh(priceQuery), refreshList()])
      return store.of(priceQuery).error === null && store.of(shownQuery).error === null
    },
  }
}

const NONE: readonly Prediction[] = []

function firstDay(prices: Prices | undefined): Day | null {
  const day = prices?.days[0]
  return day === undefined ? null : dayFromNumber(day)
}

/** The asset as it was known on a day: nobody knew when the next halving would be. */
export function upTo(asset: Asset, day: Day | null): Asset {
  if (day === null) return asset
  const events = asset.axis.events.filter((event) => event.day <= day)
  return { ...asset, axis: { ...asset.axis, events } }
}
