import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { type AssetPageData } from '#contracts/page.ts'
import { ASSETS, assetUpTo, type AssetKey } from '#domain/asset.ts'
import { readDay, type Day } from '#domain/day.ts'
import { questionText, type Question } from '#domain/listing/part.ts'
import { fetchOnNews, liveFeedOf, NO_FEED } from '#web/api/live.ts'
import { type LoadedPart } from '#web/api/part.ts'
import { NO_PRICES, type Prices } from '#web/api/prices.ts'
import { closesQuery, partQuery, partsKey } from '#web/api/queries.ts'
import { useSite } from '#web/head/site.ts'

export type VisibleRecord = ReturnType<typeof useRecord>

type LoadedState = {
  readonly question: Question
  readonly part: LoadedPart
  readonly prices: Prices | undefined
}

/** The record now or at the end of a past day; the previous one, labelled with its own day, stays until the next is loaded. */
export function useRecord(
  key: AssetKey,
  seed: AssetPageData | null,
  day: Day | null,
  initial: Question,
) {
  const { today } = useSite()
  const own = seed?.past ? readDay(seed.past) : null
  const requestedDay = day !== null && (day === own || day < today) ? day : null
  const client = useQueryClient()
  // When returning before the table has loaded, show its first rows.
  const [last, remember] = useState<LoadedState | null>(() => {
    const question = { ...initial, days: null, past: requestedDay, isWholePage: false }
    const { queryKey, initialData } = partQuery(key, question, seed)
    const seeded = typeof initialData === 'function' ? initialData() : initialData
    const part = client.getQueryData(queryKey) ?? seeded
    return part ? { question, part, prices: undefined } : null
  })
  const ofDay = last?.question.past === requestedDay ? last : null
  // The days in view matter only if not all predictions can be drawn.
  const isThinned = last !== null && last.part.drawn.total > last.part.drawn.ones.length
  const question = { ...initial, days: isThinned ? initial.days : null, past: requestedDay }
  const query = partQuery(key, question, seed)
  const { data: answer, error, refetch } = useQuery(query)
  const known = answer ?? ofDay?.part
  const which =
    requestedDay !== null ? { past: requestedDay } : { version: known?.prices.version ?? '' }
  const hasPrices = known?.prices.last !== null
  const closes = useQuery({
    ...closesQuery(key, which),
    enabled: hasPrices && (requestedDay !== null || known !== undefined),
  })
  const prices = (hasPrices ? closes.data : NO_PRICES) ?? ofDay?.prices
  // Show marks together with the prices of their day.
  const isThere = answer !== undefined && (prices !== undefined || closes.error || !last || ofDay)
  const next = isThere ? { question, part: answer, prices } : ofDay ? { ...ofDay, prices } : last
  if (next && (next.part !== last?.part || next.prices !== last.prices)) remember(next)
  const isMissing = error !== null && answer === undefined
  const visible = isMissing ? ofDay : next
  useNews(key, requestedDay === null)

  /** The day shown; null for now. */
  const past = visible ? visible.question.past : requestedDay
  const asset = useMemo(
    () => (past === null ? ASSETS[key] : assetUpTo(ASSETS[key], past)),
    [key, past],
  )
  const isAnswer = visible !== null && visible.part === answer
  const part = useMemo(
    () => visible && { ...visible.part, question: visible.question, isAnswer },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the question changes only with its part
    [visible?.part, isAnswer],
  )
  const ones = isMissing ? undefined : visible?.part.listed.ones
  const text = questionText(question)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- trying again is the same for a query
  const list = useMemo(() => ({ data: ones, error, refetch }), [error, ones, text])
  return {
    asset,
    requestedDay,
    past,
    /** The first day with a recorded price; null until known. */
    first: visible?.part.prices.first ?? null,
    isWaiting: !isMissing && (visible === null || past !== requestedDay),
    isFailed: requestedDay !== null && (isMissing || closes.error !== null),
    prices: visible
      ? { data: visible.prices, error: closes.error, refetch: closes.refetch }
      : { data: undefined, error, refetch },
    /** The last close, USD; null until known. */
    close: visible?.part.prices.last ?? null,
    list,
    part,
    feed: past === null ? liveFeedOf(key) : NO_FEED,
    /**
     * Loads everything shown again.
     *
     * @returns whether all of it succeeded
     */
    refresh: async (): Promise<boolean> => {
      const loaded = await Promise.all([refetch(), closes.error ? closes.refetch() : closes])
      return loaded.every((one) => one.error === null)
    },
  }
}

function useNews(key: AssetKey, isFollowed: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isFollowed) return undefined
    const queryKey = partsKey(key)
    const leave = fetchOnNews(
      { judged: ({ asset }) => asset === key, changed: () => true },
      () => void client.invalidateQueries({ queryKey }),
    )
    return () => {
      leave()
      // Nobody listens for news now, so what is cached counts as old.
      void client.invalidateQueries({ queryKey, refetchType: 'none' })
    }
  }, [key, isFollowed, client])
}
