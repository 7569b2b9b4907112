import { type LandingNow } from '#contracts/page.ts'
import { ASSETS } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { liveFeedOf } from '#web/api/live.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Amount, LiveSign, useShownPrice, whenText } from './live-amount.tsx'
import css from './price-tile.module.css'

/** The price of an asset at this moment, or its last close; leads to its dashboard. */
export function PriceTile({ asset, day, usd }: LandingNow['closes'][number]) {
  const { name, route } = ASSETS[asset]
  const closed = readDay(day)
  const live = useShownPrice(liveFeedOf(asset), closed === null ? null : { day: closed })
  const isLive = live !== null && !live.isOld
  return (
    <Stack as="a" gap={1} href={route} className={css.price}>
      <Text as="span" tone="quiet" size="small">
        {name}
      </Text>
      <Text as="span" size="title" figure>
        <Amount usd={live?.usd ?? usd} live={live} />
      </Text>
      <Text as="span" tone="quiet" size="small" className={css.note}>
        {isLive ? <LiveSign /> : null}
        {live?.isOld ? whenText(live) : null}
        {live?.source ? ` ${live.source}` : null}
        {!live && closed !== null ? `close of ${showDay(closed)}` : null}
      </Text>
    </Stack>
  )
}
