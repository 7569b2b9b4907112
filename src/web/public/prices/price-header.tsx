import { useEffect, useRef, useState } from 'react'
import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDay, type Day } from '#domain/day.ts'
import { type LiveFeed } from '#web/api/live.ts'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Amount, LiveSign, useShownPrice, whenText } from './live-amount.tsx'
import css from './price-header.module.css'

/**
 * The price of this moment, and where it comes from; the last close with its day until a live price has come. Once it is
 * scrolled out of sight, the live price floats in a box.
 */
export function PriceHeader({
  asset,
  feed,
  past,
  close,
  loading,
}: {
  readonly asset: Asset
  readonly feed: LiveFeed
  /** The day whose price is shown; null for now. */
  readonly past: Day | null
  /** The last close, USD, and its day since 1970; null where none is known. */
  readonly close: { readonly day: number; readonly usd: number } | null
  readonly loading: boolean
}) {
  const live = useShownPrice(feed, close)
  const isLive = live !== null && !live.isOld
  const usd = live?.usd ?? close?.usd ?? null
  const [header, isSeen] = useSeen()
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
      <Text as="h1" size="base" className={css.title}>
        {asset.name} {past === null ? 'Live Price' : 'Price'}
      </Text>
      <Text size="title" figure>
        {usd === null ? loading ? 'Loading...' : '--' : <Amount usd={usd} live={live} />}
      </Text>
      <Row as="p" align="baseline" justify="end" whole className={css.note}>
        {isLive && <LiveSign />}
        {live?.isOld && <span>{whenText(live)}</span>}
        {live?.source && <span className={css.source}>{live.source}</span>}
        {!live && close && <span>close of {showDay(dayFromNumber(close.day))}</span>}
      </Row>
      {/* The price itself changes too often to be read aloud. */}
      <span className="aside-voice" role="status">
        {live && (isLive ? 'The price is live.' : `No live price: ${whenText(live)}.`)}
      </span>
      {isLive && !isSeen && (
        <p className={css.box} aria-hidden="true">
          <LiveSign />
          {asset.symbol} <Amount usd={live.usd} live={live} />
        </p>
      )}
    </Row>
  )
}

/** Whether an element is on the screen; assumed until the browser reports it. */
function useSeen() {
  const ref = useRef<HTMLElement>(null)
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    if (!ref.current || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver((entries) => {
      setSeen(entries.at(-1)?.isIntersecting ?? true)
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, isSeen] as const
}
