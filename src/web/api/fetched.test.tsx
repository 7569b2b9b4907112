import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchStore, FetchStoreProvider, useFetched, type Query } from './fetched.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const MINUTE = 60_000

/** A query whose attempts are resolved by the test. */
function queryOf(overrides: Partial<Query<string>> = {}) {
  const tries: { signal: AbortSignal; give: (text: string) => void; fail: () => void }[] = []
  const query: Query<string> = {
    name: 'a',
    fetch: (signal) =>
      new Promise((resolve, reject) => {
        tries.push({ signal, give: resolve, fail: () => reject(new Error('away')) })
      }),
    ...overrides,
  }
  return { query, tries }
}

const settle = (work: () => void = () => {}) =>
  act(async () => {
    work()
    await vi.advanceTimersByTimeAsync(0)
  })
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

function Shows({ query, isOn = true }: { readonly query: Query<string>; readonly isOn?: boolean }) {
  const { data, error } = useFetched(query, isOn)
  return <p>{error ? `failed: ${error.message}` : (data ?? 'nothing yet')}</p>
}

function show(query: Query<string>, store = fetchStore(), isOn = true) {
  const page = (query: Query<string>, on = isOn) => (
    <FetchStoreProvider value={store}>
      <Shows query={query} isOn={on} />
    </FetchStoreProvider>
  )
  const { rerender, unmount } = render(page(query))
  return { store, unmount, show: (next: Query<string>, on?: boolean) => rerender(page(next, on)) }
}

it('a query runs once for all components that use it, and its result is cached', async () => {
  const { query, tries } = queryOf()
  const { store } = show(query)
  show({ ...query }, store)
  expect(tries).toHaveLength(1)
  await settle(() => tries[0]?.give('one'))
  expect(screen.getAllByText('one')).toHaveLength(2)
  cleanup()
  show(query, store)
  expect(screen.getByText('one')).toBeDefined()
  expect(tries).toHaveLength(1)
})

it('a result older than five minutes is shown while it is fetched again', async () => {
  const { query, tries } = queryOf()
  const { store, unmount } = show(query)
  await settle(() => tries[0]?.give('one'))
  store.refreshOld()
  unmount()
  await pass(6 * MINUTE)
  store.refreshOld()
  expect(tries).toHaveLength(1)
  show(query, store)
  expect(screen.getByText('one')).toBeDefined()
  await settle(() => tries[1]?.give('two'))
  expect(screen.getByText('two')).toBeDefined()
  await pass(6 * MINUTE)
  store.refreshOld()
  expect(tries).toHaveLength(3)
})

it('a failed attempt is repeated once after a second, and the last result stays', async () => {
  const { query, tries } = queryOf()
  const { store } = show(query)
  await settle(() => tries[0]?.fail())
  expect(screen.getByText('nothing yet')).toBeDefined()
  await pass(1_000)
  await settle(() => tries[1]?.fail())
  expect(screen.getByText('failed: away')).toBeDefined()
  expect(tries).toHaveLength(2)
  void store.refresh(query)
  await settle()
  expect(screen.getByText('nothing yet')).toBeDefined()
  await settle(() => tries[2]?.give('one'))
  const again = store.refreshVisible()
  again.catch(() => undefined)
  await settle(() => tries[3]?.fail())
  await pass(1_000)
  await settle(() => tries[4]?.fail())
  expect(store.of(query)).toMatchObject({ data: 'one', error: new Error('away') })
  await expect(again).rejects.toThrow('away')
})

it('an attempt is aborted when no component needs it any more', async () => {
  const { query, tries } = queryOf()
  const { store, unmount } = show(query)
  unmount()
  expect(tries[0]?.signal.aborted).toBe(true)
  await settle(() => tries[0]?.give('late'))
  expect(store.of(query).data).toBeUndefined()
})

it('data embedded in the page is shown without a request, unless it is stale', () => {
  const { query, tries } = queryOf({ seed: () => ({ data: 'seed', isOld: false }) })
  show(query)
  expect(screen.getByText('seed')).toBeDefined()
  expect(tries).toHaveLength(0)
  const old = queryOf({ name: 'b', seed: () => ({ data: 'part', isOld: true }) })
  show(old.query)
  expect(screen.getByText('part')).toBeDefined()
  expect(old.tries).toHaveLength(1)
})

it('a query that is off makes no request, and can be replaced by another', async () => {
  const [first, second] = [queryOf(), queryOf({ name: 'b' })]
  const page = show(first.query, undefined, false)
  expect(first.tries).toHaveLength(0)
  page.show(first.query, true)
  expect(first.tries).toHaveLength(1)
  page.show(second.query, true)
  expect([first.tries[0]?.signal.aborted, second.tries.length]).toEqual([true, 1])
  await settle(() => second.tries[0]?.give('two'))
  expect(screen.getByText('two')).toBeDefined()
})

it('a result with a cache time is shown as stale again, and then forgotten', async () => {
  const { query, tries } = queryOf({ cacheMs: 10_000 })
  const { store, unmount } = show(query)
  await settle(() => tries[0]?.give('one'))
  unmount()
  await pass(9_000)
  const again = show(query, store)
  expect(screen.getByText('one')).toBeDefined()
  expect(tries).toHaveLength(2)
  again.unmount()
  await pass(10_001)
  show(query, store)
  expect(screen.getByText('nothing yet')).toBeDefined()
})
