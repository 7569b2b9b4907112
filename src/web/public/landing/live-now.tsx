import { type ReactNode } from 'react'
import { type LandingNow, type NowCall } from '#contracts/page.ts'
import { outcomeWord } from '#domain/judging/verdict-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { Stack, Tiles } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'
import css from './live-now.module.css'

/** What is going on: prices of this moment, the newest calls, the last verdicts and the next deadlines. */
export function LiveNow({ now, prices }: { readonly now: LandingNow; readonly prices: ReactNode }) {
  return (
    <Stack gap={8}>
      <Tiles gap={4}>{prices}</Tiles>
      <Calls title="Newest calls" calls={now.newest} />
      <Calls title="Latest verdicts" calls={now.decided} />
      <Calls title="Next deadlines" calls={now.due} />
    </Stack>
  )
}

function Calls({ title, calls }: { readonly title: string; readonly calls: readonly NowCall[] }) {
  if (calls.length === 0) return null
  return (
    <Stack as="section">
      <Text as="h3" size="lead">
        {title}
      </Text>
      <ul className={css.calls}>
        {calls.map((call) => (
          <li key={call.id} className={css.call} data-outcome={call.outcome}>
            <span className={css.sign} role="img" aria-label={outcomeWord(call.outcome)}>
              <VerdictSign outcome={call.outcome} />
            </span>
            <span className={css.said}>
              <a className={css.name} href={expertPath(call)}>
                <bdi>{call.name}</bdi>
              </a>{' '}
              <a className={css.claim} href={predictionPath(call)}>
                {call.text}
              </a>
            </span>
            <Text as="span" tone="quiet" size="small" className={css.when}>
              {call.note}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
