import { Pager } from './pager.tsx'
import { pageOf, useParams } from './use-params.ts'

/** Steps through the pages of a list whose page stands in the address, as `page`, from 1. */
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
  return (
    <Pager
      label={label}
      page={pageOf(param('page')) - 1}
      size={size}
      total={total}
      onPage={(next) => change({ page: next === 0 ? null : next + 1 })}
    />
  )
}
