import { Chip } from '#web/ui/chip.tsx'
import { STATUS_FILTERS, type StatusFilter } from './selection.ts'
import css from './status-chips.module.css'

export const FILTER_LABELS: Readonly<Record<StatusFilter, string>> = {
  all: 'All',
  pending: 'Pending',
  success: 'Successful',
  miss: 'Miss',
}

export function StatusChips({
  filter,
  counts,
  onPress,
}: {
  readonly filter: StatusFilter
  readonly counts: Readonly<Record<StatusFilter, number>>
  readonly onPress: (filter: StatusFilter) => void
}) {
  return (
    <div className={css.chips} role="group" aria-label="Filter by status">
      {STATUS_FILTERS.map((each) => (
        <Chip
          key={each}
          pressed={each === filter}
          count={counts[each]}
          onPress={() => onPress(each)}
        >
          {FILTER_LABELS[each]}
        </Chip>
      ))}
    </div>
  )
}
