import { type Board, type BoardView } from '#contracts/board.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { JUDGE_MODES, MODE_NAMES } from '#domain/judging/verdict.ts'
import { ALL_CALLS } from '#domain/scoring/call-filter.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/field.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Tiles } from '#web/ui/primitives.tsx'

const ALL = 'all'

export function BoardFilters({
  view,
  years,
  onView,
}: {
  readonly view: BoardView
  readonly years: Board['years']
  readonly onView: (view: BoardView) => void
}) {
  const change = (part: Partial<BoardView>): void => onView({ ...view, ...part })
  const made = Array.from({ length: years ? years.last - years.first + 1 : 0 }, (_, i) => {
    const year = String((years?.last ?? 0) - i)
    return [year, year] as const
  })
  const yearOf = (text: string): number | null => (text === ALL ? null : Number(text))
  const isNarrowed =
    view.mode !== 'touch' ||
    Object.keys(ALL_CALLS).some((key) => view[key as keyof typeof ALL_CALLS] !== null)
  return (
    <Fold title="Filter the calls" isOpen={isNarrowed}>
      <Tiles gap={3} role="group" aria-label="What is compared">
        <Choice
          label="Asset"
          name="asset"
          value={view.asset ?? ALL}
          options={[
            [ALL, 'All assets'],
            ...ASSET_KEYS.map((key) => [key, ASSETS[key].symbol] as const),
          ]}
          onChange={(asset) => change({ asset: asset === ALL ? null : asset })}
        />
        <Choice
          label="Judge by"
          name="mode"
          value={view.mode}
          options={JUDGE_MODES.map((mode) => [mode, MODE_NAMES[mode]] as const)}
          onChange={(mode) => change({ mode })}
        />
        <Choice
          label="Made from"
          name="from"
          value={String(view.fromYear ?? ALL)}
          options={[[ALL, 'The first call'], ...made]}
          onChange={(text) => change({ fromYear: yearOf(text) })}
        />
        <Choice
          label="Made to"
          name="to"
          value={String(view.toYear ?? ALL)}
          options={[[ALL, 'Today'], ...made]}
          onChange={(text) => change({ toYear: yearOf(text) })}
        />
        <Choice
          label="Direction"
          name="side"
          value={view.side ?? ALL}
          options={[
            [ALL, 'Both'],
            ['bull', 'Rising (bull)'],
            ['bear', 'Falling (bear)'],
          ]}
          onChange={(side) => change({ side: side === ALL ? null : side })}
        />
        <Choice
          label="Recorded"
          name="recorded"
          value={view.recorded ?? ALL}
          options={[
            [ALL, 'At any time'],
            ['before', 'Before the outcome'],
            ['after', 'Looked up afterwards'],
          ]}
          onChange={(recorded) => change({ recorded: recorded === ALL ? null : recorded })}
        />
        {isNarrowed && (
          <Button onClick={() => change({ ...ALL_CALLS, mode: 'touch' })}>Compare all calls</Button>
        )}
      </Tiles>
    </Fold>
  )
}
