import { type Exhibit } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Exhibits } from './exhibits.tsx'
import css from './hero.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

export function Hero({
  exhibits,
  today,
}: {
  readonly exhibits: readonly Exhibit[]
  readonly today: Day
}) {
  return (
    <div className={css.hero}>
      <Stack gap={6} className={css.words}>
        <h1 className={css.tagline}>The Truth About Bitcoin Predictions</h1>
        <Text tone="quiet" size="lead" className={css.sentence}>
          Who said what about the price, when, and what came of it: every call on record, drawn over
          the real price and judged by a published rule.
        </Text>
        <Row as="p" gap={6} className={css.actions}>
          <a className={buttonClass('primary', 'large')} href="/btc">
            Explore Bitcoin Predictions
          </a>
          <a className={css.second} href="/methodology">
            How verdicts are decided
          </a>
        </Row>
      </Stack>
      <Exhibits exhibits={exhibits} today={today} />
    </div>
  )
}
