/**
 * The only way in which pages ask our server. The browser checks what it has cached before handing it out, as a page that
 * asks wants what is true now.
 */
export function fetchFresh(
  url: string,
  init: Omit<RequestInit, 'cache'> & { readonly cache?: 'no-store' | 'default' } = {},
): Promise<Response> {
  return fetch(url, { cache: 'no-cache', ...init })
}
