import { type Fetched } from '#web/api/fetched.ts'
import { type Loading } from '#web/ui/loading.ts'

/**
 * What is known of a query as components take it; what was fetched before outlives a failed refresh.
 *
 * @param shown what is shown of its data; undefined while there is none
 */
export function loadingOf<Shown>(
  { error }: Pick<Fetched<unknown>, 'error'>,
  shown: Shown | undefined,
  retry: () => void,
): Loading<Shown> {
  if (shown !== undefined) return { state: 'ready', data: shown }
  return error ? { state: 'failed', message: error.message, retry } : { state: 'pending' }
}
