import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { type z } from 'zod'
import { showCount } from '#domain/price-text.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { type Callable, type CallInput } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Choice, SearchBox } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row as Line } from '#web/ui/primitives.tsx'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { AdminTable, type TableProps } from './admin-table.tsx'
import css from './kit.module.css'

/** A call as a query; it is kept by path and input. */
export function callQuery<Called extends Callable>(route: Called, input: CallInput<Called> = {}) {
  return queryOptions<z.infer<Called['reply']>>({
    queryKey: [route.path, input.params ?? null, input.query ?? null, input.body ?? null],
    queryFn: ({ signal }) => adminCall(route, { ...input, signal }),
  })
}

type QueryRest<Reply> = Partial<Omit<UseQueryOptions<Reply>, 'queryKey' | 'queryFn'>>

/** Loads the reply of a call and reloads it after each decision. */
export function useCall<Called extends Callable>(
  route: Called,
  input: CallInput<Called> = {},
  options: QueryRest<z.infer<Called['reply']>> = {},
) {
  return useQuery<z.infer<Called['reply']>>({
    ...callQuery(route, input),
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

type ListPage<Row> = {
  readonly rows: readonly Row[]
  readonly total: number
  /** For keyset lists: cursors of the adjacent pages. */
  readonly next?: string | null
  readonly previous?: string | null
}

type List<Row> = {
  readonly query: Pick<
    UseQueryResult<ListPage<Row>>,
    'data' | 'error' | 'isPlaceholderData' | 'refetch'
  >
  readonly page: number
  readonly open: string
  readonly show: (
    changed: Readonly<Record<string, string | number | null>>,
    how?: 'replace',
  ) => void
}

const LONGEST_SEARCH = 200

/**
 * A list whose filters, page and opened row are in the address.
 *
 * @param filters by query name; with `after` and `before` it is a keyset list, otherwise pages are numbered
 */
export function useList<Called extends Callable, const Named extends Filters>(
  route: Called,
  filters: Named,
  {
    fixed,
    ...options
  }: {
    readonly fixed?: Readonly<Record<string, string | number>>
    readonly refetchInterval?: number
  } = {},
) {
  const [param, change] = useParams()
  const entries = Object.entries(filters).map(([name, among]) => {
    const text = name === 'q' ? param(name).slice(0, LONGEST_SEARCH) : param(name)
    return [name, among === 'text' ? text : (among.find((one) => one === text) ?? among[0])]
  })
  const values = Object.fromEntries(entries) as Values<Named>
  const page = pageOf(param('page'))
  const request = { ...fixed, ...values, ...('after' in filters ? {} : { page }) } as z.input<
    NonNullable<Called['query']>
  >
  return {
    query: useCall(route, { query: request }, options),
    asked: request,
    values,
    page,
    open: param('open'),
    /** Changes the page or the opened row, or filters, which returns to the first page. */
    show: (changed: Readonly<Record<string, string | number | null>>, how?: 'replace'): void => {
      const isFilter = Object.keys(changed).some((name) => name in filters)
      const short = Object.entries(changed).map(([name, value]) => [
        name,
        filters[name]?.[0] === value || (name === 'page' && value === 1) ? null : value,
      ])
      const reset = isFilter ? { page: null, after: null, before: null, open: null } : {}
      change(
        { ...reset, ...(Object.fromEntries(short) as typeof changed) },
        'q' in changed || 'open' in changed ? 'replace' : how,
      )
    },
  }
}

export function Load<Called extends Callable>({
  route,
  input,
  options,
  what,
  children,
}: {
  readonly route: Called
  readonly input?: CallInput<Called>
  readonly options?: QueryRest<z.infer<Called['reply']>>
  readonly what: string
  readonly children: (reply: z.infer<Called['reply']>) => ReactNode
}) {
  const query = useCall(route, input, options)
  return (
    <Loaded query={query} what={what}>
      {children}
    </Loaded>
  )
}

type ListProps<Row> = Omit<TableProps<Row>, 'rows' | 'isBusy' | 'open' | 'onOpen'> & {
  readonly list: List<Row>
  readonly empty: ReactNode
  /** The screen shows the opened row itself. */
  readonly opens?: boolean
  readonly failed?: string
  /** Handles an opened row that is on another page; without it, the row after a decided one opens. */
  readonly renderAway?: (id: string) => ReactNode
}

/** One page of a list: loading, failed, empty, or a table with a pager. */
export function AdminList<Row>({
  list,
  empty,
  opens = false,
  isKeyed = true,
  failed,
  renderAway,
  ...table
}: ListProps<Row>) {
  const { label, renderDetail, idOf } = table
  const onOpen = renderDetail || opens ? (id: string | null) => list.show({ open: id }) : undefined
  const ids = list.query.data?.rows.map(idOf)
  useOpenNext(ids, list.open, renderDetail && !renderAway ? onOpen : undefined)
  return (
    <Loaded
      query={list.query}
      loading={`Loading ${label.toLowerCase()}...`}
      what={label.toLowerCase()}
      failed={failed}
    >
      {(data) => {
        const isHere = data.rows.some((row) => idOf(row) === list.open)
        const { rows, total, next, previous } = data
        const { page, show } = list
        const isKeyset = next !== undefined
        const from = (page - 1) * PAGE_SIZE + 1
        const to = from + rows.length - 1
        const by = (step: number) => ({ page: page + step, open: null })
        const back = isKeyset ? previous && { before: previous, after: null } : page > 1 && by(-1)
        const on = isKeyset ? next && { after: next, before: null } : to < total && by(1)
        return (
          <>
            {list.open !== '' && !isHere && renderAway?.(list.open)}
            {data.rows.length === 0 ? (
              typeof empty === 'string' ? (
                <Notice title={empty} />
              ) : (
                empty
              )
            ) : (
              <AdminTable
                {...table}
                rows={data.rows}
                isBusy={list.query.isPlaceholderData}
                open={list.open}
                onOpen={onOpen}
                isKeyed={isKeyed}
              />
            )}
            {(back || on) && (
              <Line
                as="nav"
                gap={3}
                justify="end"
                className="small"
                aria-label={`Pages of ${label.toLowerCase()}`}
              >
                <Button disabled={!back} onClick={() => back && show(back)}>
                  Previous
                </Button>
                {!isKeyset && (
                  <span role="status">
                    {showCount(from)} to {showCount(to)}
                    {/* Search results are counted only up to a limit. */}
                    {to <= total && ` of ${showCount(total)}`}
                  </span>
                )}
                <Button disabled={!on} onClick={() => on && show(on)}>
                  Next
                </Button>
              </Line>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** Opens the row that takes the place of the opened one, once that was decided and left the list. */
function useOpenNext(
  ids: readonly string[] | undefined,
  open: string,
  onOpen: ((id: string | null) => void) | undefined,
): void {
  const at = useRef(-1)
  const moved = useEffectEvent(() => {
    if (!ids || !onOpen) return
    const now = ids.indexOf(open)
    if (open !== '' && now < 0 && at.current >= 0) {
      onOpen(ids[Math.min(at.current, ids.length - 1)] ?? null)
    }
    at.current = now
  })
  const key = ids?.join(' ')
  useEffect(() => moved(), [key, open])
}

/** Of all numbered lists. */
const PAGE_SIZE = 50

/** Loads the next page of a list that grows; nothing once it is complete. */
export function Older({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >
  readonly children: string
}) {
  if (!hasNextPage) return null
  return (
    <Button className="start" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {isFetchingNextPage ? 'Loading…' : children}
    </Button>
  )
}

type Filtered = Pick<List<unknown>, 'show'> & { readonly values: Readonly<Record<string, string>> }

/** A filter of a list as chips, with the counts of its reply. */
export function FilterChips({
  label,
  name,
  names,
  list: { values, query, show },
}: {
  readonly label: string
  /** Key of the filter in the query. */
  readonly name: string
  readonly names: Readonly<Record<string, string>>
  readonly list: Filtered & {
    readonly query: {
      readonly data: { readonly counts: Readonly<Record<string, number>> } | undefined
    }
  }
}) {
  const counts = query.data?.counts
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <Line role="group" aria-label={label}>
      {Object.entries(names).map(([one, text]) => (
        <Chip
          key={one}
          pressed={one === values[name]}
          count={counts?.[one] ?? (one === 'all' ? (all ?? null) : null)}
          onPress={() => show({ [name]: one })}
        >
          {text}
        </Chip>
      ))}
    </Line>
  )
}

type Choosing = {
  readonly name: string
  readonly label: string
  /** The first option is the default; days have none. */
  readonly options: readonly (readonly [string, string])[] | 'day'
}

export function ListTools({
  list: { values, show },
  search,
  choices = [],
}: {
  readonly list: Filtered
  readonly search: string
  readonly choices?: readonly Choosing[]
}) {
  const isFiltered = choices.some(
    ({ name, options }) => values[name] !== (options === 'day' ? '' : options[0]?.[0]),
  )
  return (
    <Line gap={3} align="end" className={css.tools}>
      <SearchBox label={search} value={values['q'] ?? ''} onSearch={(q) => show({ q })} />
      {choices.map(({ name, label, options }) =>
        options === 'day' ? (
          <DateField
            key={name}
            label={label}
            name={name}
            onlyDays
            value={values[name] ?? ''}
            onChange={(day) => show({ [name]: day })}
          />
        ) : (
          <Choice
            key={name}
            label={label}
            name={name}
            value={values[name] ?? ''}
            options={options}
            onChange={(value) => show({ [name]: value })}
          />
        ),
      )}
      {(isFiltered || values['q'] !== '') && (
        <Button
          onClick={() => show(Object.fromEntries(Object.keys(values).map((name) => [name, null])))}
        >
          Show all again
        </Button>
      )}
    </Line>
  )
}
