import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDay, type Day } from '#domain/day.ts'
import { type LiveFeed, type LivePrice } from '#web/api/live.ts'
import { useSite } from '#web/head/site.ts'
import { onSeen } from '#web/ui/hooks.ts'
import { Row, Text } from '#web/ui/primitives.tsx'
import { Amount, LiveSign, usePriceAfterClose, whenText } from './live-amount.tsx'
import css from './prices.module.css'

/** Days without a new close after which a price is no longer called live; longer than a long weekend. */
const STALE_DAYS = 4

export function PriceHeader({
  asset,
  feed,
  past,
  close,
  loading,
}: {
  readonly asset: Asset
  readonly feed: LiveFeed
  readonly past: Day | null
  /** The last close, USD, and its day since 1970; null until known. */
  readonly close: { readonly day: number; readonly usd: number } | null
  readonly loading: boolean
}) {
  const { today } = useSite()
  const live = usePriceAfterClose(feed, close)
  const isLive = live !== null && !live.isOld
  const usd = live?.usd ?? close?.usd ?? null
  const header = useRef<HTMLElement>(null)
  const [isSeen, setSeen] = useState(true)
  useEffect(() => onSeen(header.current, setSeen), [])
  return (
    <Row
      as="header"
      gap={3}
      tight
      align="baseline"
      justify="between"
      ref={header}
      className={css.header}
    >
      <Text as="h1" size="base" className="semibold">
        {asset.name} {past === null ? 'Live Price' : 'Price'}
      </Text>
      <Text size="title" figure>
        {usd === null ? loading ? 'Loading...' : '--' : <Amount usd={usd} live={live} />}
      </Text>
      <Row
        as="p"
        align="baseline"
        justify="end"
        whole
        className={`${css.note} muted small one-line`}
      >
        {isLive && <LiveSign />}
        {live?.isOld && <span>{whenText(live)}</span>}
        {live?.source && <span className={css.source}>{live.source}</span>}
        {!live && close && (
          <span>
            {past === null && today - close.day > STALE_DAYS && 'no live price · '}
            close of {showDay(dayFromNumber(close.day))}
          </span>
        )}
      </Row>
      {/* The price changes too often to be announced. */}
      <span className="aside-voice" role="status">
        {live && (isLive ? 'The price is live.' : `No live price: ${whenText(live)}.`)}
      </span>
      {isLive && !isSeen && <InSiteHeader symbol={asset.symbol} live={live} />}
    </Row>
  )
}

function InSiteHeader({ symbol, live }: { readonly symbol: string; readonly live: LivePrice }) {
  const slot = document.getElementById('live-slot')
  return (
    slot &&
    createPortal(
      <Row as="span" align="baseline" whole className="semibold nowrap" aria-hidden="true">
        <LiveSign />
        <span className={css.symbol}>{symbol}</span> <Amount usd={live.usd} live={live} />
      </Row>,
      slot,
    )
  )
}
