import { showCount } from '#domain/price-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Row } from '#web/ui/primitives.tsx'

/** Steps through the pages of a list; empty when one page holds everything. */
export function Pager({
  label,
  from,
  to,
  total,
  onPrevious,
  onNext,
}: {
  /** Such as `Pages of submissions`. */
  readonly label: string
  /** The first and the last row shown, from 1. */
  readonly from: number
  readonly to: number
  readonly total: number
  /** Null at the list's beginning. */
  readonly onPrevious: (() => void) | null
  /** Null at its end. */
  readonly onNext: (() => void) | null
}) {
  if (!onPrevious && !onNext) return null
  return (
    <Row as="nav" gap={3} justify="end" className="small" aria-label={label}>
      <Button disabled={!onPrevious} onClick={() => onPrevious?.()}>
        Previous
      </Button>
      <span role="status">
        {showCount(from)} to {showCount(to)}
        {/* What a search finds is counted only up to a limit. */}
        {to <= total && ` of ${showCount(total)}`}
      </span>
      <Button disabled={!onNext} onClick={() => onNext?.()}>
        Next
      </Button>
    </Row>
  )
}
