import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { useNarrowed } from '#web/api/use-narrowed.ts'
import { type ContentOf } from '#web/head/site.ts'
import { useFresh } from './use-fresh.ts'

let stream: EventTarget | null
let requests: number

beforeEach(() => {
  vi.useFakeTimers()
  stream = null
  requests = 0
  vi.stubGlobal('EventSource', function open() {
    stream = Object.assign(new EventTarget(), { close: () => (stream = null) })
    return stream
  })
  vi.stubGlobal('fetch', () => Promise.reject(new Error(`no network ${String((requests += 1))}`)))
})

const row = predictionRow()
const done = verdictRow(verdict())
const ended = { ...row, id: 'ended', verdicts: { touch: done, close: done } }
const { influencer: expert } = row
const PAGES: Readonly<Record<string, object>> = {
  prediction: { page: 'prediction', prediction: row },
  'decided prediction': { page: 'prediction', prediction: ended },
  person: { page: 'expert', expert, predictions: [row, ended], report: {} },
  'person whose scores are awaited': { page: 'expert', expert, predictions: [ended], report: null },
}

const judged = (id: string) => ['verdict', { id, asset: 'btc', mode: 'close', outcome: 'hit' }]
it.each([
  ['prediction', judged(row.id), 2],
  ['prediction', judged('other'), 0],
  ['prediction', ['prediction', { id: row.id, expert: 'another' }], 2],
  ['prediction', ['prediction', { id: 'other', expert: expert.slug }], 0],
  ['prediction', ['reset', {}], 2],
  ['decided prediction', null, 0],
  ['person', judged(row.id), 2],
  ['person', judged(ended.id), 0],
  ['person', ['prediction', { id: 'new', expert: expert.slug }], 2],
  ['person', ['prediction', { id: row.id, expert: 'another' }], 0],
  ['person whose scores are awaited', null, 3],
] as const)(
  'a %s notified of %j is requested %i times within ten seconds',
  async (page, message, n) => {
    const content = PAGES[page] as ContentOf<'prediction'>
    renderHook(() => useFresh(content))
    await act(() => vi.advanceTimersByTimeAsync(0))
    const [name, data] = (message ?? []) as [string, unknown]
    act(() => void stream?.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(requests).toBe(n)
  },
)

it('a list stays until that of the new address is computed, and is loaded again after a failure', async () => {
  const replies = [{ page: 'experts', board: null }, { page: 'experts', board: ['new'] }, null]
  vi.stubGlobal('fetch', () => {
    const data = replies.shift()
    return data ? Promise.resolve(Response.json({ data })) : Promise.reject(new Error('no network'))
  })
  type Page = { readonly board?: readonly string[] | null }
  const boardIn = (data: object) => (data as Page).board
  const initial = ['old']
  const { result, rerender } = renderHook(
    (address: string) => useNarrowed<readonly string[] | null>(initial, '/a', address, boardIn),
    { initialProps: '/a' },
  )
  const seen = async (ms: number) => {
    await act(() => vi.advanceTimersByTimeAsync(ms))
    return [result.current.visible, result.current.state]
  }
  expect(await seen(0)).toEqual([['old'], 'there'])
  rerender('/b')
  expect(await seen(1_900)).toEqual([['old'], 'loading'])
  expect(await seen(200)).toEqual([['new'], 'there'])
  rerender('/c')
  expect(await seen(0)).toEqual([['new'], 'failed'])
  replies.push({ page: 'experts', board: ['last'] })
  act(() => result.current.retry())
  expect(await seen(0)).toEqual([['last'], 'there'])
})
