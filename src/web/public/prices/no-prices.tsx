import { useEffect, useMemo, type ReactNode } from 'react'
import { type Asset, type AssetKey } from '#domain/asset.ts'
import { useFetched, useFetchStore, type Query } from '#web/api/fetched.ts'
import { type PriceState } from '#web/api/price-state.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Text } from '#web/ui/text.tsx'

const REFRESH_MS = 20_000

/** In place of the chart of an asset without prices; it gives way to the chart when they arrive. */
export function NoPrices({
  asset,
  children,
}: {
  readonly asset: Asset
  readonly children?: ReactNode
}) {
  const store = useFetchStore()
  const query = useMemo(() => priceStateQuery(asset.key), [asset.key])
  const { data, error } = useFetched(query)
  const haveCome = data?.hasPrices ?? false
  useEffect(() => {
    const timer = setInterval(() => void store.refresh(query), REFRESH_MS)
    return () => clearInterval(timer)
  }, [store, query])
  useEffect(() => {
    if (haveCome) store.refreshShown().catch(() => undefined)
  }, [haveCome, store])

  const detail =
    error && !data
      ? `No ${asset.symbol} price data available from the API`
      : `${asset.symbol} prices have not arrived yet. ${whenText(data ?? null)}`.trim()
  return (
    <Notice
      title="No price data available"
      text="Please ensure the database connection is working correctly."
    >
      <Text tone="quiet">{detail}</Text>
      {children}
    </Notice>
  )
}

function priceStateQuery(asset: AssetKey): Query<PriceState> {
  return {
    name: `price state ${asset}`,
    fetch: async (signal) => {
      const { fetchPriceState } = await import('#web/api/price-state.ts')
      return fetchPriceState(asset, signal)
    },
  }
}

/** When the site asks for prices again; `data` is null until that is known. */
function whenText(data: PriceState | null): string {
  if (data === null || data.hasPrices) return ''
  if (!data.isRead) return 'This site does not fetch them at the moment.'
  if (data.next === null || data.next.inMs <= 0) return 'The site is fetching them now.'
  if (data.next.inMs < 60_000) return 'The site tries again in less than a minute.'
  const at = new Date(data.next.at)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const isToday = at.toDateString() === new Date().toDateString()
  return `The site tries again ${isToday ? '' : `on ${at.toLocaleDateString('en-GB')} `}at ${time}.`
}
