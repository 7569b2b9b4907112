import { type ReactNode } from 'react'
import { type PersonReport } from '#contracts/board.ts'
import { plural } from '#domain/day.ts'
import { sentenceCase } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/call-filter.ts'
import {
  asWellText,
  bandText,
  cameTrueText,
  comparedText,
  showOdds,
  showShare,
  undatedText,
} from '#domain/scoring/score-text.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Panel, Stack, Text, Note, Tiles } from '#web/ui/primitives.tsx'
import { SkillBar } from './strip.tsx'

type Figures = PersonReport['figures']

export function PersonFigures({ figures }: { readonly figures: Figures }) {
  const { time_is_up: up, decided, undated, skill, band, replayed } = figures
  const { open, boldness, median_days_to_hit: days, sats, shrunk, recorded } = figures
  const { before, after } = recorded
  const span = undatedText(undated)
  const words = replayed === null ? '' : ` Luck alone does as well in ${asWellText(replayed)}.`
  return (
    <Stack gap={4}>
      <Tiles gap={4} least="half">
        <Figure name="Came true" value={cameTrueText(up)}>
          {up.low !== null && up.high !== null && (
            <>
              <RateScale rate={up.hits / up.n} low={up.low} high={up.high} />
              <p>{`${showShare(up.low)} to ${showShare(up.high)} with 95% confidence.`}</p>
            </>
          )}
          <p>
            Only calls whose deadline has passed. An early hit counts at its deadline, as a miss
            would. Repeats of the same call count once. {comparedText(figures)}
          </p>
        </Figure>
        <Figure
          name="Luck expects"
          value={decided.calls === 0 ? 'No call to compare yet' : decided.expected.toFixed(1)}
        >
          {span !== null && <p>{`${sentenceCase(span)}.`}</p>}
          <p>
            {band === null
              ? `Fewer than ${String(LEAST_CALLS)} comparable calls say too little.`
              : `By these calls, ${bandText(band)}.${words}`}
          </p>
          {band !== null && skill && (
            <>
              <SkillBar skill={skill} reach={Math.max(-skill.low, skill.high, 0.5)} />
              <p>{`${showOdds(skill.mean)} times the odds of luck, ${showOdds(skill.low)} to ${showOdds(skill.high)} with 90% confidence.`}</p>
            </>
          )}
        </Figure>
      </Tiles>
      <Facts>
        <Fact name="Open">{open.calls > 0 ? openText(open) : null}</Fact>
        <Fact name="Boldness">
          {boldness === null ? null : `Luck misses ${showShare(boldness)} of such calls`}
        </Fact>
        <Fact name="Time to a hit">
          {days === null
            ? null
            : `Half of the targets that were hit took at most ${plural(days, 'day')}`}
        </Fact>
        <Fact name="Sats at luck’s odds">
          {sats === null
            ? null
            : `Betting 50 of 100 sats on every call at fair odds would have left ${String(Math.round(sats))} on average. Chance leaves 100 at best.`}
        </Fact>
        <Fact name="Likely rate">
          {shrunk
            ? `${showShare(shrunk.mean)} (${showShare(shrunk.low)} to ${showShare(shrunk.high)}), pulled towards the average where there are few calls`
            : null}
        </Fact>
        <Fact name="Recorded">
          {before.time_is_up.n + after.time_is_up.n > 0
            ? before.time_is_up.n === 0
              ? 'All calls were added after the outcome was known'
              : `${talliesText(before.time_is_up, 'before the outcome was known')}; ${talliesText(after.time_is_up, 'looked up afterwards')}`
            : null}
        </Fact>
      </Facts>
    </Stack>
  )
}

function openText({ calls: n, hits, expected }: Figures['open']): string {
  const already = hits > 0 ? `; ${String(hits)} came true already` : ''
  const luck = expected < 0.05 ? 'none' : expected.toFixed(1)
  return `${plural(n, 'call')} that can be compared; luck expects ${luck} to come true${already}`
}

function talliesText({ hits, n }: Figures['time_is_up'], when: string): string {
  return `${when}: ${n === 0 ? 'none' : cameTrueText({ hits, n })}`
}

function Figure({
  name,
  value,
  children,
}: {
  readonly name: string
  readonly value: string
  readonly children: ReactNode
}) {
  return (
    <Panel as="section" gap={2}>
      <Note as="h2">{name}</Note>
      <Text size="head" figure>
        {value}
      </Text>
      <Stack gap={2} size="small" className="muted">
        {children}
      </Stack>
    </Panel>
  )
}

function RateScale({ rate, low, high }: Readonly<Record<'rate' | 'low' | 'high', number>>) {
  return (
    <svg
      width="100%"
      height="14"
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
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
