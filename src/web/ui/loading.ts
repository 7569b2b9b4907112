export type Loading<Data> =
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }
  | { readonly state: 'ready'; readonly data: Data }
