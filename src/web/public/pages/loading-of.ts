import { type UseQueryResult } from '@tanstack/react-query'
import { type Loading } from '#web/ui/loading.ts'

/**
 * The state of a query as components take it; what was fetched before outlives a failed refresh.
 *
 * @param shown what is shown of the data, where that is not the data itself
 */
export function loadingOf<Data>(query: UseQueryResult<Data>, shown = query.data): Loading<Data> {
  if (query.data !== undefined && shown !== undefined) return { state: 'ready', data: shown }
  return query.isError
    ? { state: 'failed', message: query.error.message, retry: () => void query.refetch() }
    : { state: 'pending' }
}
