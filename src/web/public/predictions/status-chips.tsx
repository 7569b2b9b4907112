import { Chip } from '#web/ui/chip.tsx'
import { Row } from '#web/ui/stack.tsx'
import { FILTER_LABELS, STATUS_FILTERS, type StatusFilter } from '#domain/listing/selection.ts'

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
    <Row gap={1} role="group" aria-label="Filter by status">
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
    </Row>
  )
}
