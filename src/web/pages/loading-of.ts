import { type UseQueryResult } from '@tanstack/react-query'
import { type Loading } from '#web/ui/loading.ts'

/** The state of a query as components take it; what was fetched before outlives a failed refresh. */
export function loadingOf<Data>(query: UseQueryResult<Data>): Loading<Data> {
  if (query.data !== undefined) return { state: 'ready', data: query.data }
  return query.isError
    ? { state: 'failed', message: query.error.message, retry: () => void query.refetch() }
    : { state: 'pending' }
}
