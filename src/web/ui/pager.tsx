import { Button } from './button.tsx'
import css from './pager.module.css'
import { Row } from './stack.tsx'

const showCount = (n: number): string => n.toLocaleString('en-GB')

/** Steps through the pages of a list; nothing where one page holds all. */
export function Pager({
  label,
  page,
  size,
  total,
  onPage,
}: {
  /** Such as `Pages of submissions`. */
  readonly label: string
  /** From 0. */
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onPage: (page: number) => void
}) {
  const pages = Math.max(1, Math.ceil(total / size))
  if (pages === 1) return null
  return (
    <Row as="nav" gap={3} justify="end" className={css.pager} aria-label={label}>
      <Button disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span role="status">
        {showCount(page * size + 1)} to {showCount(Math.min(total, (page + 1) * size))} of{' '}
        {showCount(total)}
      </span>
      <Button disabled={page >= pages - 1} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </Row>
  )
}
