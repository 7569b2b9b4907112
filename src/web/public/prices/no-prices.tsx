import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { status } from '#contracts/prices.ts'
import { type Asset, type AssetKey } from '#domain/asset.ts'
import { call } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Text } from '#web/ui/primitives.tsx'

const REFRESH_MS = 20_000

export function NoPrices({
  asset,
  children,
}: {
  readonly asset: Asset
  readonly children?: ReactNode
}) {
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['price state', asset.key],
    queryFn: ({ signal }) => fetchPriceState(asset.key, signal),
    refetchInterval: REFRESH_MS,
  })
  const haveCome = data?.hasPrices ?? false
  useEffect(() => {
    if (haveCome) void client.refetchQueries({ type: 'active' })
  }, [haveCome, client])

  const detail =
    error && !data
      ? `No ${asset.symbol} price data available from the API`
      : `No ${asset.symbol} prices yet. ${whenText(data ?? null)}`.trim()
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

async function fetchPriceState(asset: AssetKey, signal: AbortSignal) {
  const { now, prices, assets, sources } = await call(status, { signal })
  const times = sources
    .filter((one) => one.asset === asset && one.kind === 'daily')
    .flatMap(({ next_run: next }) => (next === null ? [] : [Date.parse(next)]))
  const at = times.length === 0 ? null : Math.min(...times)
  return {
    isRead: prices && sources.some((one) => one.asset === asset),
    hasPrices: assets.some((one) => one.asset === asset && one.last_bar !== null),
    /** When a source is asked next, ms since 1970, and in how many ms by the server's clock. */
    next: at === null ? null : { at, inMs: at - Date.parse(now) },
  }
}

/** When the site requests prices again; `data` is null until known. */
function whenText(data: Awaited<ReturnType<typeof fetchPriceState>> | null): string {
  if (data === null || data.hasPrices) return ''
  if (!data.isRead) return 'Price updates are switched off on this site.'
  if (data.next === null || data.next.inMs <= 0) return 'The site is fetching them now.'
  if (data.next.inMs < 60_000) return 'The site tries again in less than a minute.'
  const at = new Date(data.next.at)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const isToday = at.toDateString() === new Date().toDateString()
  return `The site tries again ${isToday ? '' : `on ${at.toLocaleDateString('en-GB')} `}at ${time}.`
}
