import { type GoalpostsRow } from '#contracts/predictions.ts'
import { readDay, showDay, type DatePrecision } from '#domain/day.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Tag } from '#web/ui/chip.tsx'
import { Stack, Text, Note } from '#web/ui/primitives.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import css from './predictions.module.css'

type Call = GoalpostsRow['calls'][number]

const WIDTH = 1_000

export function Goalposts({
  chain: { calls, delay },
  current,
}: {
  readonly chain: GoalpostsRow
  readonly current?: string
}) {
  const level = calls[0]?.price_prediction
  const links = calls.flatMap(({ link }) => link ?? [])
  const isMixed = new Set(links).size > 1
  return (
    <Stack gap={2}>
      <Text strong>{`${level ?? ''}: moved by ${delay}`}</Text>
      <Note>
        {noteOf(links)} <a href="/methodology#goalposts">What counts as moved</a>
      </Note>
      <ol className="ruled drawn-rows" aria-label={`Calls for ${level ?? ''}`}>
        {calls.map((call) => (
          <li key={call.id}>
            <span>
              <a
                href={predictionPath(call)}
                aria-current={call.id === current ? 'page' : undefined}
              >
                {`Said ${dayText(call.prediction_made, call.made_precision)} for ${dayText(call.target_time, call.target_precision)}`}
              </a>
              {call.price_prediction !== level && ` at ${call.price_prediction}`}
              {isMixed && call.link === 'suggested' && (
                <>
                  {' '}
                  <Tag>not checked</Tag>
                </>
              )}
            </span>
            <Track call={call} within={calls} />
            <VerdictBadge outcome={call.outcome} />
          </li>
        ))}
      </ol>
    </Stack>
  )
}

function Track({ call, within }: { readonly call: Call; readonly within: readonly Call[] }) {
  const days = (one: Call) => [readDay(one.prediction_made) ?? 0, readDay(one.target_time) ?? 0]
  const all = within.flatMap(days)
  const first = Math.min(...all)
  const scale = WIDTH / (Math.max(...all) - first)
  const [from = 0, to = 0] = days(call).map((day) => Math.round((day - first) * scale))
  return (
    <svg
      className={css.track}
      viewBox={`0 0 ${String(WIDTH)} 10`}
      preserveAspectRatio="none"
      data-outcome={call.outcome}
      aria-hidden="true"
    >
      <path strokeWidth="3" opacity="0.45" d={`M${String(from)} 5H${String(to)}`} />
      <path strokeWidth="10" d={`M${String(to)} 5h0`} />
    </svg>
  )
}

function noteOf(links: readonly NonNullable<Call['link']>[]): string {
  if (links.every((link) => link === 'confirmed')) return 'Checked by a person.'
  return links.includes('confirmed')
    ? 'Checked by a person, except for the calls marked “not checked”.'
    : 'Looks like a moved goalpost; not reviewed yet.'
}

function dayText(date: string, precision: DatePrecision): string {
  const day = readDay(date)
  return day === null ? date : showDay(day, precision)
}
