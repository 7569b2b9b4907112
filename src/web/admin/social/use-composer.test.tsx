import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type z } from 'zod'
import { type SocialPicture, type SocialPost } from '#contracts/publishing.ts'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { EMPTY } from './composition.ts'
import { post } from '#tests/support/admin-rows.ts'
import { useComposer, type Composer } from './use-composer.ts'

const SEEN = '2026-11-20T11:00:00.000Z'
const PLANNED = '2026-12-01T09:30:45.000Z'
const { id } = post({})
const PATH = `/api/v1/admin/social/posts/${id}`

/** What the server answers, by method and path; a null is an answer that is lost. */
let replies: Record<string, (() => SocialPost | 'conflict') | null>
let pictures: Record<string, z.infer<typeof SocialPicture>>
let calls: { readonly name: string; readonly body: unknown }[]

beforeEach(() => {
  sessionStorage.clear()
  calls = []
  replies = {}
  pictures = {}
  vi.stubGlobal('fetch', async (address: string, request: RequestInit) => {
    const name = `${request.method ?? 'GET'} ${address}`
    const body: unknown = typeof request.body === 'string' ? JSON.parse(request.body) : null
    calls.push({ name, body })
    if (pictures[name]) return Response.json({ success: true, picture: pictures[name] })
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

function edit(composer: { readonly current: Composer }, stored: SocialPost): void {
  act(() => composer.current.takeUp(stored))
  act(() => composer.current.change({ x_text: 'Mine', nostr_text: '' }))
}

it('the composer leaves what another administrator wrote meanwhile, and keeps its own words as a new post', async () => {
  const composer = openComposer()
  edit(composer, draft({ event_id: 7 }))
  replies[`POST ${PATH}/send`] = () => 'conflict'
  await act(() => composer.current.send(['x'], 'x'))
  expect(calls[0]?.body).toMatchObject({ post: { x_text: 'Mine' }, seen_at: SEEN })
  expect(composer.current.faults.x).toBe('Changed. Your text is kept as a new post.')
  // Theirs is the post that was proposed.
  expect(composer.current.composition).toMatchObject({
    x_text: 'Mine',
    editing: null,
    event_id: null,
  })
})

it('the composer forgets what proposed a post whose texts are replaced', () => {
  const composer = openComposer()
  act(() => composer.current.takeUp(draft({ event_id: 7 })))
  expect(composer.current.composition.event_id).toBe(7)
  act(() => composer.current.fill({ x_text: 'Other words' }))
  expect(composer.current.composition.event_id).toBeNull()
})

it('the composer asks for the same again where an answer was lost', async () => {
  const composer = openComposer()
  edit(composer, draft())
  for (const lost of [true, false]) {
    replies[`POST ${PATH}/send`] = lost ? null : () => draft({ state: 'done' })
    await act(() => composer.current.send(['x'], 'x'))
    if (!lost) break
    // Nothing of it has become a draft: a plan whose sending fails stays planned.
    expect(composer.current.faults.x).toMatch(/cannot be reached/)
    expect(composer.current.composition).toMatchObject({ x_text: 'Mine', editing: { id } })
  }
  const [first, second] = calls.filter(({ name }) => name.startsWith('POST'))
  expect(second?.body).toEqual(first?.body)
  expect(composer.current.composition).toEqual({ ...EMPTY, sent: id })
})

it('the composer keeps the very moment of a plan whose time is not changed, and the chosen time of a draft', async () => {
  const composer = openComposer()
  const plan = draft({ state: 'scheduled', scheduled_at: PLANNED })
  edit(composer, plan)
  replies[`PUT ${PATH}`] = () => plan
  await act(() => composer.current.schedule(['x']))
  expect(calls[0]?.body).toMatchObject({ action: 'schedule', scheduled_at: PLANNED })

  act(() => composer.current.change({ x_text: 'Mine', when: '2026-12-01T09:30' }))
  replies['POST /api/v1/admin/social/posts'] = () => draft()
  await act(() => composer.current.saveDraft(['x']))
  const at = new Date('2026-12-01T09:30').toISOString()
  expect(calls.at(-1)?.body).toMatchObject({ action: 'draft', scheduled_at: at })
  act(() => composer.current.takeUp(draft({ scheduled_at: at })))
  expect(composer.current.composition.when).toBe('2026-12-01T09:30')
})

it('the composer does not keep what was sent from a list', () => {
  const composer = openComposer()
  edit(composer, draft())
  act(() => composer.current.sent(draft({ state: 'done' })))
  expect(composer.current.composition).toEqual({ ...EMPTY, sent: id })
})

it('the composer shows one administrator nothing of what another was writing on the same computer', () => {
  const composer = openComposer('Admin A')
  act(() => composer.current.change({ x_text: 'Not for B' }))
  cleanup()
  expect(openComposer('Admin B').current.composition).toEqual(EMPTY)
  cleanup()
  expect(openComposer('Admin A').current.composition.x_text).toBe('Not for B')
})

it('the composer has one chart, that of the last prediction, beside other pictures', async () => {
  const composer = openComposer()
  const url = 'POST /api/v1/admin/social/pictures/of-prediction'
  const charts = () => composer.current.composition.pictures.map(({ alt }) => alt)
  for (const of of ['a', 'a', 'b']) {
    const size = { type: 'image/png', width: 1_200, height: 630 } as const
    pictures[url] = { id, alt: of, url: '/x', ...size }
    await act(() => composer.current.pictures.addChart(of))
    expect(charts()).toEqual([of])
  }
  expect(calls).toHaveLength(2)
  // What cannot be drawn replaces nothing.
  delete pictures[url]
  await act(() => composer.current.pictures.addChart('c'))
  expect(charts()).toEqual(['b'])
  expect(composer.current.pictures.faults[0]).toMatch(/^The chart could not be drawn/)
})

it('a chart that is still drawn keeps its post from being sent, and goes into no other one', async () => {
  const composer = openComposer()
  const size = { type: 'image/png', width: 1_200, height: 630 } as const
  pictures['POST /api/v1/admin/social/pictures/of-prediction'] = { id, alt: '', url: '/x', ...size }
  act(() => composer.current.change({ x_text: 'One' }))
  await act(async () => {
    const drawn = composer.current.pictures.addChart('a')
    composer.current.clear()
    await drawn
  })
  expect(composer.current.pictures.slots).toEqual([])
  let drawn: Promise<void> = Promise.resolve()
  act(() => void (drawn = composer.current.pictures.addChart('a')))
  expect(composer.current.pictures.slots).toMatchObject([{ picture: null }])
  await act(() => drawn)
  expect(composer.current.pictures.slots).toMatchObject([{ picture: { id } }])
})
