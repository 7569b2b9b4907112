import { type BoardTop } from '#contracts/board.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { againstLuckText } from '#domain/scoring/score-text.ts'
import { expertPath } from '#web/address/addresses.ts'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { Calibration } from './calibration.tsx'
import { marksText, Strip, StripLegend } from './strip.tsx'

export function BoardGlance({ board }: { readonly board: BoardTop }) {
  const { totals, ranked, people, as_of, notes, selection } = board
  const day = readDay(as_of)
  const known = [
    day !== null && `As of ${showDay(day)}.`,
    ...notes,
    !board.has_recorded_before && selection,
  ]
  return (
    <Stack gap={8}>
      <Stack gap={4}>
        {ranked.length > 0 && (
          <>
            <Text tone="quiet">
              {marksText(ranked)} Statements that say the same again are left out.
            </Text>
            <ul className="ruled drawn-rows plain-links taps">
              {ranked.map((row) => (
                <li key={row.slug}>
                  <a className="semibold" href={expertPath(row)}>
                    <bdi>{row.name}</bdi>
                  </a>
                  <Strip row={row} />
                  <span className="muted small at-end">{againstLuckText(row.decided)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <Row gap={4} justify="between">
          <a href="/experts">
            {people > ranked.length
              ? `Compare all ${showCount(people)} people with luck`
              : 'See everyone’s calls'}
          </a>
          <a href="/years">Year by year</a>
          <Note as="span">
            <StripLegend />
          </Note>
        </Row>
      </Stack>
      <Stack gap={3}>
        <Text as="h3" size="title">
          {totals.sentence}
        </Text>
        <Text tone="quiet">
          Calls grouped by their chance when made. Bar: share that came true. Line: share chance
          predicts. <a href="/methodology#luck">How luck is computed</a>
        </Text>
        <Calibration totals={totals} />
        <Note>{known.filter(Boolean).join(' ')}</Note>
      </Stack>
    </Stack>
  )
}
