import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type SocialPost } from '#contracts/publishing.ts'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { EMPTY } from './composition.ts'
import { keyOf } from './device-draft.ts'
import { post, result } from './testing.ts'
import { useComposer, type Composer } from './use-composer.ts'

const KEY = keyOf('Admin A')
const SEEN = '2026-11-20T11:00:00.000Z'
const SINCE = '2026-11-20T11:30:00.000Z'
const PLANNED = '2026-12-01T09:30:45.000Z'
const { id } = post({})
const PATH = `/api/v1/admin/social/posts/${id}`

/** What the server answers, by method and path; a null is an answer that is lost. */
let replies: Record<string, (() => SocialPost | 'conflict') | null>
let calls: { readonly name: string; readonly body: unknown }[]

beforeEach(() => {
  localStorage.clear()
  calls = []
  replies = {}
  vi.stubGlobal('fetch', async (address: string, request: RequestInit) => {
    const name = `${request.method ?? 'GET'} ${address}`
    const body: unknown = typeof request.body === 'string' ? JSON.parse(request.body) : null
    calls.push({ name, body })
    const answer = replies[name]?.()
    if (answer === undefined) throw new Error('no network')
    if (answer !== 'conflict') return Response.json({ success: true, post: answer })
    const failure = { success: false, error: 'Changed.', message: 'Changed.', code: 'conflict' }
    return Response.json(failure, { status: 409 })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function openComposer(owner = 'Admin A'): { readonly current: Composer } {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode => (
    <QueryClientProvider client={client}>
      <ToastRoom>{children}</ToastRoom>
    </QueryClientProvider>
  )
  const given = { owner, submissionId: null, predictionId: null }
  return renderHook(() => useComposer(given), { wrapper }).result
}

const draft = (part: Partial<SocialPost> = {}): SocialPost =>
  post({ state: 'draft', scheduled_at: null, updated_at: SEEN, networks: ['x'], ...part })
const sentNow = (): SocialPost =>
  draft({ state: 'done', x_text: 'Mine', nostr_text: '', results: [result('x', {})] })

function edit(composer: { readonly current: Composer }, stored: SocialPost, x: string): void {
  act(() => composer.current.edit(stored))
  act(() => composer.current.change({ x, nostr: '' }))
}

it('the composer leaves what another administrator wrote meanwhile, and keeps its own words as a new post', async () => {
  const composer = openComposer()
  edit(composer, draft({ event_id: 7 }), 'Mine')
  replies[`POST ${PATH}/send`] = () => 'conflict'
  replies[`GET ${PATH}`] = () => draft({ x_text: 'Theirs', updated_at: SINCE })
  await act(() => composer.current.send(['x'], 'x'))
  expect(calls.map(({ name }) => name)).toEqual([`POST ${PATH}/send`, `GET ${PATH}`])
  expect(calls[0]?.body).toMatchObject({ post: { x_text: 'Mine' }, seen_at: SEEN })
  expect(composer.current.faults.x).toBe('Changed. Your text is kept as a new post.')
  expect(composer.current.composition).toMatchObject({ x: 'Mine', editing: null })
  // Theirs is the post that was proposed.
  expect(composer.current.composition.eventId).toBeNull()
})

it('the composer forgets what proposed a post whose texts are replaced', () => {
  const composer = openComposer()
  act(() => composer.current.edit(draft({ event_id: 7 })))
  expect(composer.current.composition.eventId).toBe(7)
  act(() => composer.current.fill({ x: 'Other words' }))
  expect(composer.current.composition.eventId).toBeNull()
})

it('the composer shows what became of a post whose answer was lost, instead of sending it once more', async () => {
  const composer = openComposer()
  edit(composer, draft(), 'Mine')
  replies[`POST ${PATH}/send`] = null
  await act(() => composer.current.send(['x'], 'x'))
  expect(calls.map(({ name }) => name)).toEqual([`POST ${PATH}/send`])
  expect(composer.current.faults.x).toMatch(/cannot be reached/)
  // Nothing of it has become a draft: a plan whose sending fails stays planned.
  expect(composer.current.composition).toMatchObject({ x: 'Mine', editing: { id, seenAt: SEEN } })

  replies[`POST ${PATH}/send`] = () => 'conflict'
  replies[`GET ${PATH}`] = sentNow
  calls = []
  await act(() => composer.current.send(['x'], 'x'))
  expect(calls.map(({ name }) => name)).toEqual([`POST ${PATH}/send`, `GET ${PATH}`])
  expect(composer.current.composition).toMatchObject({ x: '', editing: null, sent: id })
  // Sent is not kept as a draft, though.
  edit(composer, draft(), 'Mine')
  replies[`PUT ${PATH}`] = () => 'conflict'
  await act(() => composer.current.saveDraft(['x']))
  expect(composer.current.faults.draft).toMatch(/as a new post/)
})

it('the composer goes on where its own change arrived and the answer did not', async () => {
  const composer = openComposer()
  edit(composer, draft(), 'Mine')
  const mine = draft({ x_text: 'Mine', nostr_text: '', updated_at: SINCE })
  let puts = 0
  replies[`PUT ${PATH}`] = () => (++puts === 1 ? 'conflict' : mine)
  replies[`GET ${PATH}`] = () => mine
  await act(() => composer.current.saveDraft(['x']))
  expect(calls.filter(({ name }) => name.startsWith('PUT')).at(-1)?.body).toMatchObject({
    seen_at: SINCE,
  })
  expect(composer.current.composition).toEqual(EMPTY)
})

it('the composer keeps the very moment of a plan whose time is not changed', async () => {
  const composer = openComposer()
  const plan = draft({ state: 'scheduled', scheduled_at: PLANNED })
  edit(composer, plan, 'Mine')
  replies[`PUT ${PATH}`] = () => plan
  await act(() => composer.current.schedule(['x']))
  expect(calls[0]?.body).toMatchObject({ action: 'schedule', scheduled_at: PLANNED })
})

it('the composer neither overwrites nor brings back what another tab has done', () => {
  const inStore = (): string => localStorage.getItem(KEY) ?? ''
  const leave = (): void => void window.dispatchEvent(new Event('pagehide'))
  localStorage.setItem(KEY, JSON.stringify({ ...EMPTY, x: 'Old' }))
  const composer = openComposer()
  expect(composer.current.composition.x).toBe('Old')
  const newer = JSON.stringify({ ...EMPTY, x: 'Newer' })
  localStorage.setItem(KEY, newer)
  leave()
  expect(inStore()).toBe(newer)
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(composer.current.composition.x).toBe('Newer')
  // Another tab does not change words that were written here.
  act(() => composer.current.change({ x: 'Here' }))
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(composer.current.composition.x).toBe('Here')
  leave()
  expect(inStore()).toContain('"x":"Here"')
})

it('the composer does not keep what was sent from a list', () => {
  const composer = openComposer()
  edit(composer, draft(), 'Mine')
  act(() => composer.current.sentFromList(sentNow()))
  expect(composer.current.composition).toMatchObject({ x: '', editing: null, sent: id })
})

it('the composer keeps the chosen time with a draft', async () => {
  const composer = openComposer()
  act(() => composer.current.change({ x: 'Mine', when: '2026-12-01T09:30' }))
  replies['POST /api/v1/admin/social/posts'] = () => draft()
  await act(() => composer.current.saveDraft(['x']))
  const at = new Date('2026-12-01T09:30').toISOString()
  expect(calls[0]?.body).toMatchObject({ action: 'draft', scheduled_at: at })
  act(() => composer.current.edit(draft({ scheduled_at: at })))
  expect(composer.current.composition.when).toBe('2026-12-01T09:30')
})

it('the composer shows one administrator nothing of what another was writing on the same computer', () => {
  const composer = openComposer('Admin A')
  act(() => composer.current.change({ x: 'Not for B' }))
  cleanup()
  expect(openComposer('Admin B').current.composition).toEqual(EMPTY)
  cleanup()
  expect(openComposer('Admin A').current.composition.x).toBe('Not for B')
})
