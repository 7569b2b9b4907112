import { type LandingNow } from '#contracts/page.ts'
import { ASSETS } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { liveFeedOf } from '#web/api/live.ts'
import { Calls, LandingSection } from '#web/public/landing/live-now.tsx'
import { Amount, LiveSign, usePriceAfterClose, whenText } from '#web/public/prices/live-amount.tsx'
import { Stack, Tiles, Text, Note } from '#web/ui/primitives.tsx'

export function MarketIntelligence({ now }: { readonly now: LandingNow }) {
  return (
    <LandingSection
      title="Live Market Intelligence"
      lead={
        <>
          Targets, ranges, ceilings and floors by named people and firms for Bitcoin, MSTR and NAKA.
          Each verdict shows the day and price that settled it.{' '}
          <a href="/today">What is new since yesterday</a>
        </>
      }
    >
      <Stack gap={8}>
        <Tiles gap={4}>
          {now.closes.map((close) => (
            <PriceTile key={close.asset} {...close} />
          ))}
        </Tiles>
        <Calls title="Newest calls" calls={now.newest} />
        <Calls title="Latest verdicts" calls={now.decided} />
        <Calls title="Next deadlines" calls={now.due} />
      </Stack>
    </LandingSection>
  )
}

function PriceTile({ asset, day, usd }: LandingNow['closes'][number]) {
  const { name, route } = ASSETS[asset]
  const closed = readDay(day)
  const live = usePriceAfterClose(liveFeedOf(asset), closed === null ? null : { day: closed })
  const isLive = live !== null && !live.isOld
  return (
    <Stack as="a" gap={1} href={route} className="pad card unlined">
      <Note as="span">{name}</Note>
      <Text as="span" size="title" figure>
        <Amount usd={live?.usd ?? usd} live={live} />
      </Text>
      <Note as="span" className="one-line">
        {isLive ? <LiveSign /> : null}
        {live?.isOld ? whenText(live) : null}
        {live?.source ? ` ${live.source}` : null}
        {!live && closed !== null ? `close of ${showDay(closed)}` : null}
      </Note>
    </Stack>
  )
}
