import { type GoalpostsRow } from '#contracts/predictions.ts'
import { readDay, showDay, type DatePrecision } from '#domain/day.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import css from './goalposts.module.css'

type Call = GoalpostsRow['calls'][number]

/** One thesis that was said again with later deadlines: each call with a link, and by how much the deadline moved in all. */
export function Goalposts({
  chain: { calls, delay },
  current,
}: {
  readonly chain: GoalpostsRow
  /** The call whose page this is. */
  readonly current?: string
}) {
  const level = calls[0]?.price_prediction
  const links = calls.flatMap(({ link }) => link ?? [])
  const isMixed = new Set(links).size > 1
  return (
    <Stack gap={2}>
      <Text strong>{`${level ?? ''}: moved by ${delay}`}</Text>
      <Text size="small" tone="quiet">
        {noteOf(links)}
      </Text>
      <ol className={css.calls} aria-label={`Calls for ${level ?? ''}`}>
        {calls.map((call) => (
          <li key={call.id}>
            <Row gap={3} justify="between">
              <span>
                <a
                  href={predictionPath(call)}
                  aria-current={call.id === current ? 'page' : undefined}
                >
                  {saidText(call)}
                </a>
                {call.price_prediction !== level && ` at ${call.price_prediction}`}
                {isMixed && call.link === 'suggested' && (
                  <>
                    {' '}
                    <Tag>not checked</Tag>
                  </>
                )}
              </span>
              <VerdictBadge outcome={call.outcome} />
            </Row>
          </li>
        ))}
      </ol>
    </Stack>
  )
}

function noteOf(links: readonly NonNullable<Call['link']>[]): string {
  if (links.every((link) => link === 'confirmed')) return 'Checked by a person.'
  return links.includes('confirmed')
    ? 'Checked by a person, but for the calls marked so.'
    : 'Looks like a revision; not yet checked by a person.'
}

/** `Said 12/04/2018 for 31/12/2022` */
function saidText(call: Call): string {
  return `Said ${shown(call.prediction_made, call.made_precision)} for ${shown(call.target_time, call.target_precision)}`
}

function shown(date: string, precision: DatePrecision): string {
  const day = readDay(date)
  return day === null ? date : showDay(day, precision)
}
