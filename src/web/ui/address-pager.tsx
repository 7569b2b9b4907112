import { Pager } from './pager.tsx'
import { pageOf, useParams } from './use-params.ts'

/** Steps through the pages of a list whose page is in the address, as `page`, from 1. */
export function AddressPager({
  label,
  size,
  total,
}: {
  /** Such as `Pages of payments`. */
  readonly label: string
  readonly size: number
  readonly total: number
}) {
  const [param, change] = useParams()
  const page = pageOf(param('page'))
  const show = (next: number) => () => change({ page: next === 1 ? null : next })
  if (total <= size) return null
  return (
    <Pager
      label={label}
      from={(page - 1) * size + 1}
      to={Math.min(total, page * size)}
      total={total}
      onPrevious={page === 1 ? null : show(page - 1)}
      onNext={page * size >= total ? null : show(page + 1)}
    />
  )
}
