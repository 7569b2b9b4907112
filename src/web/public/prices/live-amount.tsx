import { dayOfTime } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { type LiveFeed, type LivePrice, useLivePrice } from '#web/api/live.ts'
import css from './prices.module.css'

const TONES = { up: 'good', down: 'bad' } as const

/** A price that flashes on changes: a new element restarts the animation. */
export function Amount({ usd, live }: { readonly usd: number; readonly live: LivePrice | null }) {
  const direction = live?.direction ?? null
  return (
    <span
      key={usd}
      className={`${css.amount} nowrap`}
      data-tone={direction ? TONES[direction] : undefined}
    >
      {showUsd(usd)}
      {direction && (
        <span className={css.arrow} aria-hidden="true">
          {direction === 'up' ? '▲' : '▼'}
        </span>
      )}
    </span>
  )
}

export function LiveSign() {
  return (
    <span className={`${css.live} outcome small`} data-tone="good">
      LIVE
    </span>
  )
}

export function usePriceAfterClose(feed: LiveFeed, close: { readonly day: number } | null) {
  const price = useLivePrice(feed)
  if (!price?.isOld || !close) return price
  // Old prices give way to the close of a later day.
  return price.at !== null && dayOfTime(price.at) >= close.day ? price : null
}

/** `last price 14:05`, with the date if not today. */
export function whenText({ at }: LivePrice): string {
  if (at === null) return 'last close'
  const then = new Date(at)
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const isToday = then.toDateString() === new Date().toDateString()
  return `last price ${isToday ? '' : `${then.toLocaleDateString('en-GB')} `}${time}`
}
