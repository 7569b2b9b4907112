import { showCount } from '#domain/price-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Row } from '#web/ui/primitives.tsx'

/** Pagination of a list; null if everything fits on one page. */
export function Pager({
  label,
  from,
  to,
  total,
  onPrevious,
  onNext,
}: {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly total: number
  /** Null on the first page. */
  readonly onPrevious: (() => void) | null
  /** Null on the last page. */
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
        {/* Search results are counted only up to a limit. */}
        {to <= total && ` of ${showCount(total)}`}
      </span>
      <Button disabled={!onNext} onClick={() => onNext?.()}>
        Next
      </Button>
    </Row>
  )
}
