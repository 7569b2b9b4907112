import { type TrackRecord } from '#domain/scoring/track-record.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { classNames } from '#web/ui/class-names.ts'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'
import css from './track-record-view.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const COUNTS = [
  { outcome: 'hit', label: 'Hits', of: 'hits' },
  { outcome: 'miss', label: 'Misses', of: 'misses' },
  { outcome: 'pending', label: 'Pending', of: 'pending' },
] as const satisfies readonly { outcome: Outcome; label: string; of: keyof TrackRecord }[]

const TONES = { hit: 'good', miss: 'bad', pending: 'wait' } as const

/** The results of an expert's calls: counts, and the hit rate with how far it can be trusted. */
export function TrackRecordView({ record }: { readonly record: TrackRecord }) {
  const { rate, interval } = record
  return (
    <dl className={css.record}>
      {COUNTS.map(({ outcome, label, of }) => (
        <Stack gap={1} key={outcome} className={css.figure}>
          <Row as="dt">
            <Text as="span" tone={TONES[outcome]}>
              <VerdictSign outcome={outcome} />
            </Text>
            {label}
          </Row>
          <Text as="dd" size="head" figure>
            {record[of]}
          </Text>
        </Stack>
      ))}
      <div className={classNames(css.figure, css.rate)}>
        <dt>Hit rate</dt>
        <Text as="dd" size="head" figure>
          {rate === null ? 'None decided yet' : percent(rate)}
          {rate !== null && interval && (
            <>
              <RateScale rate={rate} low={interval.low} high={interval.high} />
              <Text tone="quiet" size="small" className={css.range}>
                {percent(interval.low)} to {percent(interval.high)} with 95 % confidence
              </Text>
            </>
          )}
        </Text>
      </div>
    </dl>
  )
}

/** The rate on a line from 0 to 100 %, within the band it may really lie in. */
function RateScale({
  rate,
  low,
  high,
}: {
  readonly rate: number
  readonly low: number
  readonly high: number
}) {
  return (
    <svg className={css.scale} viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="6" width="100" height="2" fill="var(--hairline)" />
      <rect
        x={low * 100}
        y="4"
        width={(high - low) * 100}
        height="6"
        fill="var(--brand)"
        opacity="0.45"
      />
      <rect x={rate * 99} y="1" width="1" height="12" fill="var(--ink)" />
    </svg>
  )
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))} %`
}
