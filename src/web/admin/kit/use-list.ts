import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type z } from 'zod'
import { adminCall } from '#web/api/admin-call.ts'
import { type Callable, type CallInput } from '#web/api/call.ts'
import { pageOf, useParams } from '#web/ui/use-params.ts'

/** Loads the reply of a GET call and reloads it after each decision. */
export function useCall<Called extends Callable>(
  route: Called,
  input: CallInput<Called> = {},
  options: {
    readonly enabled?: boolean
    readonly refetchInterval?: number
    readonly staleTime?: number
  } = {},
) {
  return useQuery<z.infer<Called['reply']>>({
    queryKey: [route.path, input.params ?? null, input.query ?? null],
    queryFn: ({ signal }) => adminCall(route, { ...input, signal }),
    // Keep the previous page of a list while loading, but not the previous row of a detail.
    ...(input.params === undefined ? { placeholderData: keepPreviousData } : {}),
    ...options,
  })
}

/** Options, of which the first is the default and is omitted from the address; or any text. */
type Filters = Readonly<Record<string, readonly string[] | 'text'>>
type Values<Named extends Filters> = {
  readonly [Name in keyof Named]: Named[Name] extends readonly (infer Option)[] ? Option : string
}

export type ListPage<Row> = {
  readonly rows: readonly Row[]
  readonly total: number
  /** For keyset lists: cursors of the adjacent pages. */
  readonly next?: string | null
  readonly previous?: string | null
}

export type List<Row> = {
  readonly query: {
    readonly data: ListPage<Row> | undefined
    readonly error: unknown
    readonly isPlaceholderData: boolean
    readonly refetch: () => unknown
  }
  readonly page: number
  readonly open: string
  readonly show: (changed: Readonly<Record<string, string | number | null>>) => void
}

/**
 * A list whose filters, page and opened row are in the address.
 *
 * @param filters by query name; with `after` and `before` it is a keyset list, otherwise pages are numbered
 */
export function useList<Called extends Callable, const Named extends Filters>(
  route: Called,
  filters: Named,
  options?: { readonly refetchInterval?: number },
) {
  const [param, change] = useParams()
  const entries = Object.entries(filters).map(([name, among]) => {
    const text = param(name)
    return [name, among === 'text' ? text : (among.find((one) => one === text) ?? among[0])]
  })
  const values = Object.fromEntries(entries) as Values<Named>
  const page = pageOf(param('page'))
  const params = 'after' in filters ? entries : [...entries, ['page', page]]
  const query = useCall(
    route,
    { query: Object.fromEntries(params) as z.input<NonNullable<Called['query']>> },
    options,
  )
  return {
    query,
    values,
    page,
    open: param('open'),
    /** Changes the page or the opened row, or filters, which returns to the first page. */
    show(changed: Readonly<Record<string, string | number | null>>): void {
      const isFilter = Object.keys(changed).some((name) => name in filters)
      const isTyping = Object.keys(changed).some((name) => filters[name] === 'text')
      const short = Object.entries(changed).map(([name, value]) => [
        name,
        filters[name]?.[0] === value || (name === 'page' && value === 1) ? null : value,
      ])
      const reset = isFilter ? { page: null, after: null, before: null, open: null } : {}
      change(
        { ...reset, ...(Object.fromEntries(short) as typeof changed) },
        isTyping || 'open' in changed ? 'replace' : undefined,
      )
    },
  }
}
