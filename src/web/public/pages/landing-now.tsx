import { type LandingNow } from '#contracts/page.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { LiveNow } from '#web/public/landing/live-now.tsx'
import css from '#web/public/landing/sections.module.css'
import { PriceTile } from '#web/public/prices/price-tile.tsx'

export function MarketIntelligence({ now }: { readonly now: LandingNow }) {
  return (
    <section className={css.section}>
      <Stack as="header">
        <Text as="h2" size="head">
          Live Market Intelligence
        </Text>
        <Text tone="quiet" className={css.lead}>
          Targets, ranges, ceilings and floors by named people and firms for Bitcoin, MSTR and NAKA.
          Each verdict shows the day and price that settled it.
        </Text>
      </Stack>
      <LiveNow
        now={now}
        prices={now.closes.map((close) => (
          <PriceTile key={close.asset} {...close} />
        ))}
      />
    </section>
  )
}
