import { type UseQueryResult } from '@tanstack/react-query'
import { type Loading } from '#web/ui/loading.ts'

/**
 * The state of a query as components take it; what was fetched before outlives a failed refresh.
 *
 * @param shown what is shown of its data; undefined while there is none
 */
export function loadingOf<Shown>(
  query: UseQueryResult<unknown>,
  shown: Shown | undefined,
): Loading<Shown> {
  if (shown !== undefined) return { state: 'ready', data: shown }
  return query.isError
    ? { state: 'failed', message: query.error.message, retry: () => void query.refetch() }
    : { state: 'pending' }
}
