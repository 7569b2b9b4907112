import { Chip } from '#web/ui/chip.tsx'
import { FILTER_LABELS, STATUS_FILTERS, type StatusFilter } from './selection.ts'
import css from './status-chips.module.css'

export function StatusChips({
  pressed,
  counts,
  onPress,
}: {
  readonly pressed: StatusFilter | null
  readonly counts: Readonly<Record<StatusFilter, number>>
  readonly onPress: (filter: StatusFilter) => void
}) {
  return (
    <div className={css.chips} role="group" aria-label="Filter by status">
      {STATUS_FILTERS.map((each) => (
        <Chip
          key={each}
          pressed={each === pressed}
          count={counts[each]}
          onPress={() => onPress(each)}
        >
          {FILTER_LABELS[each]}
        </Chip>
      ))}
    </div>
  )
}
