import { createContext, useCallback, useContext, useState, useSyncExternalStore } from 'react'

export type Fetched<Data> = {
  readonly data: Data | undefined
  /** Error of the last attempt; null while pending and after success. */
  readonly error: Error | null
  /** When the data arrived, ms since 1970; 0 for data that is stale from the start. */
  readonly fetchedAt: number
}

export type Loading<Data> =
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }
  | { readonly state: 'ready'; readonly data: Data }

export type Query<Data> = {
  readonly name: string
  readonly fetch: (signal: AbortSignal) => Promise<Data>
  readonly seed?: (() => { readonly data: Data; readonly isOld: boolean }) | null
  /** How long data stays cached, as stale, once unused; by default for the whole visit. */
  readonly cacheMs?: number
}

export type FetchStore = ReturnType<typeof fetchStore>

type Entry = {
  readonly query: Query<unknown>
  state: Fetched<unknown>
  readonly listeners: Set<() => void>
  trip: { readonly controller: AbortController; readonly done: Promise<void> } | null
  forgetting: ReturnType<typeof setTimeout> | undefined
}

/** Prices and verdicts change a few times a day; older data is fetched again when it is used. */
const FRESH_MS = 5 * 60_000
const RETRY_MS = 1_000

export function fetchStore() {
  const entries = new Map<string, Entry>()

  function entryOf<Data>(query: Query<Data>): Entry {
    const known = entries.get(query.name)
    if (known) return known
    const seed = query.seed?.()
    const fetchedAt = seed && !seed.isOld ? Date.now() : 0
    const state = { data: seed?.data, error: null, fetchedAt }
    const made = {
      query,
      state,
      listeners: new Set<() => void>(),
      trip: null,
      forgetting: undefined,
    }
    entries.set(query.name, made)
    return made
  }

  function show(entry: Entry, state: Fetched<unknown>): void {
    entry.state = state
    for (const notify of entry.listeners) notify()
  }

  function begin(entry: Entry): Promise<void> {
    if (entry.trip) return entry.trip.done
    const controller = new AbortController()
    const { signal } = controller
    const go = () => entry.query.fetch(signal)
    const done = go()
      .catch(async (error: unknown) => {
        await pause(RETRY_MS, signal)
        if (signal.aborted) throw error
        return go()
      })
      .then(
        (data) => {
          if (signal.aborted) return
          entry.trip = null
          show(entry, { data, error: null, fetchedAt: Date.now() })
        },
        (cause: unknown) => {
          if (signal.aborted) return
          entry.trip = null
          const error = cause instanceof Error ? cause : new Error(String(cause))
          show(entry, { ...entry.state, error })
        },
      )
    entry.trip = { controller, done }
    if (entry.state.error) show(entry, { ...entry.state, error: null })
    return done
  }

  function visibleEntries(): Entry[] {
    return [...entries.values()].filter(({ listeners }) => listeners.size > 0)
  }

  return {
    of: <Data>(query: Query<Data>): Fetched<Data> => entryOf(query).state as Fetched<Data>,

    /**
     * Subscribes to a query and fetches it unless fresh.
     *
     * @returns a function that unsubscribes
     */
    follow<Data>(query: Query<Data>, notify: () => void): () => void {
      const entry = entryOf(query)
      clearTimeout(entry.forgetting)
      entry.listeners.add(notify)
      if (!isFresh(entry)) void begin(entry)
      return () => {
        entry.listeners.delete(notify)
        if (entry.listeners.size > 0) return
        entry.trip?.controller.abort()
        entry.trip = null
        if (query.cacheMs === undefined) return
        // Nobody listened for changes since, so it counts as stale.
        entry.state = { ...entry.state, fetchedAt: 0 }
        entry.forgetting = setTimeout(() => entries.delete(query.name), query.cacheMs)
      }
    },

    refresh: <Data>(query: Query<Data>): Promise<void> => begin(entryOf(query)),

    refreshOld(): void {
      for (const entry of visibleEntries()) if (!isFresh(entry)) void begin(entry)
    },

    /**
     * Fetches all queries in use again.
     *
     * @throws when one fails
     */
    async refreshVisible(): Promise<void> {
      const all = visibleEntries()
      await Promise.all(all.map(begin))
      const failed = all.find(({ state }) => state.error !== null)
      if (failed?.state.error) throw failed.state.error
    },
  }
}

function isFresh({ state }: Entry): boolean {
  return state.data !== undefined && Date.now() - state.fetchedAt <= FRESH_MS
}

const StoreContext = createContext<FetchStore | null>(null)
export const FetchStoreProvider = StoreContext.Provider

export function useFetchStore(): FetchStore {
  const store = useContext(StoreContext)
  if (!store) throw new Error('useFetchStore needs a FetchStoreProvider')
  return store
}

export function useLast<Data>(data: Data | undefined): Data | undefined {
  const [last, remember] = useState(data)
  if (data !== undefined && data !== last) remember(data)
  return data ?? last
}

export function useFetched<Data>(query: Query<Data>, isOn = true): Fetched<Data> {
  const store = useFetchStore()
  // Queries with the same name are the same query.
  const [last, remember] = useState(query)
  const same = last.name === query.name ? last : query
  if (same !== last) remember(query)
  const follow = useCallback(
    (notify: () => void) => (isOn ? store.follow(same, notify) : () => undefined),
    [store, same, isOn],
  )
  const state = () => store.of(same)
  return useSyncExternalStore(follow, state, state)
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
