/** A query with its question mark; commas stay readable. */
export function queryOf(params: URLSearchParams): string {
  const query = params.toString().replaceAll('%2C', ',')
  return query === '' ? '' : `?${query}`
}
