import { type Board, type BoardView } from '#contracts/board.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { JUDGE_MODES, MODE_NAMES } from '#domain/judging/verdict.ts'
import { ALL_CALLS } from '#domain/scoring/call-filter.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/field.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Tiles } from '#web/ui/primitives.tsx'

/** The view that compares all calls. */
const WHOLE = { ...ALL_CALLS, mode: 'touch' } satisfies Partial<BoardView>

export function BoardFilters({
  view,
  years,
  onView,
}: {
  readonly view: BoardView
  readonly years: Board['years']
  readonly onView: (view: BoardView) => void
}) {
  const made = Array.from({ length: years ? years.last - years.first + 1 : 0 }, (_, i) => {
    const year = (years?.last ?? 0) - i
    return [year, String(year)] as const
  })
  const filters = [
    [
      'Asset',
      'asset',
      [[null, 'All assets'], ...ASSET_KEYS.map((key) => [key, ASSETS[key].symbol] as const)],
    ],
    ['Judge by', 'mode', JUDGE_MODES.map((mode) => [mode, MODE_NAMES[mode]] as const)],
    ['Made from', 'fromYear', [[null, 'The first call'], ...made]],
    ['Made to', 'toYear', [[null, 'Today'], ...made]],
    ['Direction', 'side', SIDE_OPTIONS],
    ['Recorded', 'recorded', RECORDED_OPTIONS],
  ] as const
  const isNarrowed = filters.some(([, name]) => view[name] !== WHOLE[name])
  return (
    <Fold title="Filter the calls" isOpen={isNarrowed}>
      <Stack gap={3} role="group" aria-label="What is compared">
        <Tiles gap={3}>
          {filters.map(([label, name, options]) => (
            <Choice<string | number | null>
              key={name}
              {...{ label, name, options }}
              value={view[name]}
              onChange={(value) => onView({ ...view, [name]: value })}
            />
          ))}
        </Tiles>
        {isNarrowed && (
          <Row>
            <Button onClick={() => onView({ ...view, ...WHOLE })}>Compare all calls</Button>
          </Row>
        )}
      </Stack>
    </Fold>
  )
}

const SIDE_OPTIONS = [
  [null, 'Both'],
  ['bull', 'Rising (bull)'],
  ['bear', 'Falling (bear)'],
] as const
const RECORDED_OPTIONS = [
  [null, 'At any time'],
  ['before', 'Before the outcome'],
  ['after', 'Looked up afterwards'],
] as const
