/** Something that is on its way, did not arrive, or is there. */
export type Loading<Data> =
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }
  | { readonly state: 'ready'; readonly data: Data }
