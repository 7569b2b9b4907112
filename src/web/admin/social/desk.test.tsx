import { act, cleanup, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type SocialPost } from '#contracts/publishing.ts'
import { post } from '#tests/support/admin-rows.ts'
import { adminServer, Around, refusal } from '#tests/support/admin-screens.tsx'
import { EMPTY } from './composition.ts'
import { useComposer, type Composer } from './desk.ts'

const SEEN = '2026-11-20T11:00:00.000Z'
const PLANNED = '2026-12-01T09:30:45.000Z'
const { id } = post({})
const PATH = `/api/v1/admin/social/posts/${id}`

const POSTS = '/api/v1/admin/social/posts'
const CHART = 'POST /api/v1/admin/social/pictures/of-prediction'

const server = adminServer()
const answers = (name: string, stored: SocialPost) =>
  server.on(name, () => ({ success: true, post: stored }))
const bodies = () => server.made.map(({ body }) => body)

function openComposer(owner = 'Admin A'): { readonly current: Composer } {
  const options = { owner, submissionId: null, predictionId: null }
  return renderHook(() => useComposer(options), { wrapper: Around }).result
}

const draft = (part: Partial<SocialPost> = {}): SocialPost =>
  post({ state: 'draft', scheduled_at: null, updated_at: SEEN, networks: ['x'], ...part })

function draws(alt: string): void {
  const picture = { id, alt, url: '/x', type: 'image/png', width: 1_200, height: 630 }
  server.on(CHART, () => ({ success: true, picture }))
}

function edit(composer: { readonly current: Composer }, stored: SocialPost): void {
  act(() => composer.current.takeUp(stored))
  act(() => composer.current.change({ x_text: 'Mine', nostr_text: '' }))
}

it('accepts a concurrent change by another administrator, and keeps the unsaved text as a new post', async () => {
  const composer = openComposer()
  edit(composer, draft({ event_id: 7 }))
  server.on(`POST ${PATH}/send`, () => refusal(409, 'conflict', 'Changed.'))
  await act(() => composer.current.send(['x'], 'x'))
  expect(bodies()[0]).toMatchObject({ post: { x_text: 'Mine' }, seen_at: SEEN })
  expect(composer.current.faults.x).toBe('Changed. Your text is kept as a new post.')
  // The other version used up the proposal.
  const mine = { x_text: 'Mine', editing: null, event_id: null }
  expect(composer.current.composition).toMatchObject(mine)
})

it('leaves ten seconds for undo after the common button, for a single network too', async () => {
  const composer = openComposer()
  answers(`POST ${POSTS}`, post({ state: 'scheduled' }))
  act(() => composer.current.change({ x_text: 'Mine' }))
  await act(() => composer.current.send(['x'], 'all'))
  expect(bodies()[0]).toMatchObject({ action: 'soon' })
})

it('drops the proposal when the texts of its post are replaced', () => {
  const composer = openComposer()
  act(() => composer.current.takeUp(draft({ event_id: 7 })))
  expect(composer.current.composition.event_id).toBe(7)
  act(() => composer.current.fill({ x_text: 'Other words' }))
  expect(composer.current.composition.event_id).toBeNull()
})

it('repeats the same request after a lost answer', async () => {
  const composer = openComposer()
  edit(composer, draft())
  for (const lost of [true, false]) {
    if (!lost) answers(`POST ${PATH}/send`, draft({ state: 'done' }))
    await act(() => composer.current.send(['x'], 'x'))
    if (!lost) break
    // No draft was created: a plan whose sending fails stays planned.
    expect(composer.current.faults.x).toMatch(/cannot be reached/)
    expect(composer.current.composition).toMatchObject({ x_text: 'Mine', editing: { id } })
  }
  const [first, second] = server.madeOf('POST')
  expect(second?.body).toEqual(first?.body)
  expect(composer.current.composition).toEqual({ ...EMPTY, sent: id })
})

it('keeps the exact moment of an unchanged plan, and the chosen time of a draft', async () => {
  const composer = openComposer()
  const plan = draft({ state: 'scheduled', scheduled_at: PLANNED })
  edit(composer, plan)
  answers(`PUT ${PATH}`, plan)
  await act(() => composer.current.save('schedule', ['x']))
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(bodies()[0]).toMatchObject({ action: 'schedule', scheduled_at: PLANNED, zone })

  act(() => composer.current.change({ x_text: 'Mine', when: '2026-12-01T09:30' }))
  answers(`POST ${POSTS}`, draft())
  await act(() => composer.current.save('draft', ['x']))
  const at = new Date('2026-12-01T09:30').toISOString()
  expect(bodies().at(-1)).toMatchObject({ action: 'draft', scheduled_at: at })
  act(() => composer.current.takeUp(draft({ scheduled_at: at })))
  expect(composer.current.composition.when).toBe('2026-12-01T09:30')
})

it('clears a post that was sent from a list', () => {
  const composer = openComposer()
  edit(composer, draft())
  act(() => composer.current.sent(draft({ state: 'done' })))
  expect(composer.current.composition).toEqual({ ...EMPTY, sent: id })
})

it('hides unsent text from another administrator on the same computer', () => {
  const composer = openComposer('Admin A')
  act(() => composer.current.change({ x_text: 'Not for B' }))
  cleanup()
  expect(openComposer('Admin B').current.composition).toEqual(EMPTY)
  cleanup()
  expect(openComposer('Admin A').current.composition.x_text).toBe('Not for B')
})

it('adds one chart, for the last prediction, beside other pictures', async () => {
  const composer = openComposer()
  const charts = () => composer.current.composition.pictures.map(({ alt }) => alt)
  for (const of of ['a', 'a', 'b']) {
    draws(of)
    await act(() => composer.current.pictures.addChart(of))
    expect(charts()).toEqual([of])
  }
  expect(server.madeOf(CHART)).toHaveLength(2)
  // A failed drawing replaces nothing.
  server.off(CHART)
  await act(() => composer.current.pictures.addChart('c'))
  expect(charts()).toEqual(['b'])
  expect(composer.current.pictures.faults[0]).toMatch(/^The chart could not be drawn/)
})

it('waits for a chart being drawn before sending, and adds it to no other post', async () => {
  const composer = openComposer()
  draws('')
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
