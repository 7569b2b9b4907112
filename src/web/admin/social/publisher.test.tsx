// Over 400 lines: everything done on one screen.
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Proposal, type SocialPost } from '#contracts/publishing.ts'
import { post, result } from '#tests/support/admin-rows.ts'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { Publisher } from './publisher.tsx'

const POSTS = '/api/v1/admin/social/posts'
const ID = (n: number): string => `6a1f0d0e-0000-4000-8000-00000000000${String(n)}`
const STATS = {
  drafts: 0,
  scheduled: 0,
  sending: 0,
  missed: 0,
  cancelled: 0,
  posted: 0,
  failed: 0,
  unknown: 0,
  next_at: null,
  posted_last_24h: 0,
  posted_on_x_last_24h: 0,
  cost_last_30d_usd: 0,
}
const X = { success: true, error: null, configured: true, handle: 'the_site', checked_at: null }
const NOSTR = {
  configured: true,
  publicKey: 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg',
  connectedRelays: 2,
  totalRelays: 3,
  error: null,
  faults: ['relay.example cannot be reached (ECONNREFUSED).'],
}
const NO_BLUESKY = {
  success: false,
  error: 'Bluesky is not set up.',
  configured: false,
  handle: null,
  checked_at: null,
}
const RATE = {
  success: true,
  canPost: true,
  remaining: 97,
  limit: 100,
  minutesUntilReset: 12,
  error: null,
  told_at: null,
}

const server = adminServer('/admin/publish')
const on = (name: string, answer: unknown) => server.on(name, () => answer)

beforeEach(() => {
  on('GET /api/x/test', X)
  on('GET /api/x/rate-limit-status', RATE)
  on('GET /api/nostr/status', NOSTR)
  on('GET /api/bluesky/status', NO_BLUESKY)
  on('GET /api/x/scheduled-tweets', { success: true, tweets: [] })
  on('GET /api/x/scheduling-stats', { success: true, stats: STATS })
  on('GET /api/v1/admin/social/to-decide', { count: 0, posts: [] })
  on('GET /api/v1/admin/social/proposals', { proposals: [], next: null })
  on('GET /api/predictions', [])
})

/** From then on, the stand-in server returns this post. */
function stores(name: string, stored: SocialPost, more: object = {}): void {
  server.on(name, () => {
    on(`GET ${POSTS}/${stored.id}`, { post: stored })
    return { success: true, post: stored, ...more }
  })
}
/** Bodies of calls whose name starts or ends with `name`. */
const bodies = (name: string): unknown[] =>
  server.made
    .filter((one) => one.name === name || (name.startsWith('/') && one.name.endsWith(name)))
    .map(({ body }) => body)

async function openComposer(): Promise<void> {
  show(<Publisher owner="Admin A" asset="btc" />)
  await pass(50)
}

const panel = (name: string): HTMLElement => screen.getByRole('region', { name })
const field = (name: string): HTMLTextAreaElement => screen.getByLabelText(`Post on ${name}`)
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name })

function write(network: string, value: string): void {
  fireEvent.change(field(network), { target: { value } })
}

async function press(name: string): Promise<void> {
  fireEvent.click(button(name))
  await pass(50)
  // Wait for the reload after the change.
  await pass(50)
}

describe('the panels', () => {
  it('show the state of both networks', async () => {
    await openComposer()
    expect(within(panel('X')).getByText('connected')).toBeDefined()
    expect(within(panel('X')).getByText('Posts as @the_site')).toBeDefined()
    expect(
      within(panel('X')).getByText('Rate limit: 97 of 100 posts left, reset in 12 minutes'),
    ).toBeDefined()
    // Administrator-tools.md §9: 20 characters of the key.
    expect(
      within(panel('Nostr')).getByText('Configured, public key npub10elfcs4fr0l0r8a…'),
    ).toBeDefined()
    expect(within(panel('Nostr')).getByText('2 of 3 relays connected')).toBeDefined()
    expect(within(panel('Nostr')).getByText('connected').dataset['tone']).toBe('wait')
    expect(within(panel('X')).getByText('connected').dataset['tone']).toBe('good')
    expect(
      within(panel('Nostr')).getByText('relay.example cannot be reached (ECONNREFUSED).'),
    ).toBeDefined()
  })

  it('say what is missing if nothing is set up', async () => {
    const relays = { connectedRelays: 0, totalRelays: 0, faults: [] }
    const none = { configured: false, publicKey: null, ...relays }
    on('GET /api/x/test', { ...X, success: false, configured: false, error: 'No X.' })
    on('GET /api/nostr/status', { ...none, error: 'No Nostr.' })
    await openComposer()
    write('X', 'Hello')
    write('Nostr', 'Hello')
    expect(within(panel('X')).getByText('No X.')).toBeDefined()
    // Not an error, and not shown as one.
    for (const name of ['X', 'Nostr']) {
      const tag = within(panel(name)).getByText('not set up')
      expect(tag.dataset['tone']).toBeUndefined()
    }
    expect(within(panel('Nostr')).getByText(/Add the private key setting/)).toBeDefined()
    for (const name of ['Post to X', 'Post to Nostr', 'Post to X, Nostr and Bluesky']) {
      expect(button(name).disabled).toBe(true)
    }
    expect(button('Keep as draft').disabled).toBe(false)
  })

  it('are unknown at first, and show an error when the server is unreachable', async () => {
    const answer = Promise.withResolvers()
    on('GET /api/x/test', answer.promise)
    server.off('GET /api/nostr/status')
    await openComposer()
    write('X', 'Hello')
    expect(within(panel('X')).getByText('unknown')).toBeDefined()
    expect(button('Post to X').disabled).toBe(true)
    expect(within(panel('Nostr')).getByText('error')).toBeDefined()
    expect(within(panel('Nostr')).getByText('Error: The server cannot be reached.')).toBeDefined()
    answer.resolve(X)
    await pass(50)
    expect(button('Post to X').disabled).toBe(false)
  })
})

describe('the text', () => {
  it('is counted like X counts, and marked as long above 280', async () => {
    await openComposer()
    write('X', `${'a'.repeat(256)} https://example.org/with/a/long/path/that/does/not/matter`)
    expect(within(panel('X')).getByText('280 / 4,000')).toBeDefined()
    expect(screen.queryByText('Long tweet')).toBeNull()
    expect(within(panel('X')).getByText(/X charges \$0\.20 for the post/)).toBeDefined()
    expect(within(panel('X')).getByText('Costs $0.20')).toBeDefined()
    write('X', '日'.repeat(141))
    expect(within(panel('X')).getByText('282 / 4,000')).toBeDefined()
    expect(screen.getByText('Long tweet')).toBeDefined()
  })

  it('is required for posting', async () => {
    await openComposer()
    expect(button('Post to X').disabled).toBe(true)
    fireEvent.keyDown(field('X'), { key: 'Enter', ctrlKey: true })
    await pass()
    expect(screen.getByRole('alert').textContent).toBe('Please enter tweet text')
  })
})

describe('posting', () => {
  it('shows why a network refused, and returns the text for editing', async () => {
    const error = 'X has this very text already.'
    const failed = post({
      networks: ['x'],
      results: [result('x', { state: 'failed', error, fault: 'duplicate', url: null })],
    })
    stores(`POST ${POSTS}`, failed)
    await openComposer()
    write('X', 'One')
    await press('Post to X')
    expect(within(panel('X')).getByText('Failed to post to X')).toBeDefined()
    expect(within(panel('X')).getByText(`Error: ${error}`)).toBeDefined()
    // The composer is empty, so the post is not sent twice by mistake.
    expect(field('X').value).toBe('')
    await press('Change the text')
    expect(field('X').value).toBe('One')
  })

  it('leaves an unknown outcome open until an administrator confirms it', async () => {
    const unknown = post({
      networks: ['x'],
      results: [result('x', { state: 'unknown', error: 'X did not answer.', url: null })],
    })
    stores(`POST ${POSTS}`, unknown)
    await openComposer()
    write('X', 'One')
    await press('Post to X')
    expect(within(panel('X')).getByText('We don’t know whether this is on X')).toBeDefined()
    expect(screen.getByRole('link', { name: 'profile' }).getAttribute('href')).toBe(
      'https://x.com/the_site',
    )
    // The composer is empty, so the post is not sent twice by mistake.
    expect(field('X').value).toBe('')
    const marked = post({ networks: ['x'], results: [result('x', { url: null })] })
    stores(`POST ${POSTS}/${unknown.id}/mark`, marked)
    await press('It is there')
    expect(bodies('/mark')).toEqual([{ posted: true, network: 'x' }])
    expect(within(panel('X')).getByText('Posted successfully!')).toBeDefined()
  })

  it('uses the selected networks; a post with unknown outcome on Bluesky can be searched for or resent', async () => {
    const account = {
      ...NO_BLUESKY,
      configured: true,
      success: true,
      error: null,
      handle: 'a.example.org',
    }
    on('GET /api/bluesky/status', account)
    const unknown = post({
      networks: ['x', 'bluesky'],
      results: [
        result('x', {}),
        result('bluesky', { state: 'unknown', error: 'Bluesky did not answer.', url: null }),
      ],
    })
    stores(`POST ${POSTS}`, unknown)
    await openComposer()
    expect(within(panel('Bluesky')).getByText(/Posts as @a\.example\.org/)).toBeDefined()
    write('X', 'One')
    write('Bluesky', '👨‍👩‍👧‍👦'.repeat(301))
    expect(within(panel('Bluesky')).getByText('301 / 300')).toBeDefined()
    expect(button('Post to Bluesky').disabled).toBe(true)
    write('Bluesky', '')
    fireEvent.click(within(screen.getByRole('group', { name: 'Where' })).getByLabelText('Nostr'))
    await press('Post to X and Bluesky')
    const texts = { x_text: 'One', nostr_text: '', bluesky_text: 'One' }
    expect(bodies(`POST ${POSTS}`)).toMatchObject([{ networks: ['x', 'bluesky'], ...texts }])
    expect(within(panel('Bluesky')).getByText(/cannot be there twice/)).toBeDefined()
    expect(button('Try Bluesky again').disabled).toBe(false)
    const found = post({ networks: ['x', 'bluesky'], results: [result('bluesky', {})] })
    stores(`POST ${POSTS}/${unknown.id}/check`, found, { found: true, message: 'There.' })
    await press('Look on Bluesky now')
    expect(within(panel('Bluesky')).getByText('Posted successfully!')).toBeDefined()
  })

  it('reuses the idempotency key after a lost answer, and keeps the text', async () => {
    await openComposer()
    write('X', 'One')
    await press('Post to X')
    expect(screen.getByRole('alert').textContent).toMatch(
      /cannot be reached\. Nothing you typed is lost\. Press again: it is not posted twice/,
    )
    expect(field('X').value).toBe('One')
    const sent = post({ networks: ['x'], results: [result('x', {})] })
    stores(`POST ${POSTS}`, sent)
    await press('Post to X')
    const keys = server.madeOf(`POST ${POSTS}`).map(({ key }) => key)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(within(panel('X')).getByText('Posted successfully!')).toBeDefined()
  })

  it('to several networks can be undone', async () => {
    const soon = post({ state: 'scheduled', scheduled_at: '2026-11-20T12:00:11.000Z' })
    stores(`POST ${POSTS}`, soon)
    stores(`POST ${POSTS}/${soon.id}/cancel`, { ...soon, state: 'cancelled' })
    // A slow reload does not block undo.
    await openComposer()
    on('GET /api/v1/admin/social/proposals', new Promise(() => undefined))
    write('X', 'One')
    await press('Post to X and Nostr')
    expect(bodies(`POST ${POSTS}`)).toMatchObject([{ action: 'soon' }])
    expect(field('X').value).toBe('')
    await press('Undo')
    expect(bodies('/cancel')).toHaveLength(1)
    expect(field('X').value).toBe('One')
  })
})

function choose(day: string, time: string): void {
  fireEvent.change(screen.getByLabelText('Date'), { target: { value: day } })
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: time } })
}

describe('a scheduled time', () => {
  it('is rejected when past or missing', async () => {
    await openComposer()
    write('X', 'One')
    await press('Schedule')
    expect(screen.getByRole('alert').textContent).toBe('Please choose a date and a time.')
    choose('18/11/2026', '09:00')
    await pass()
    expect(screen.getByRole('alert').textContent).toBe(
      'That time has passed. Please choose a later one.',
    )
    expect(bodies(`POST ${POSTS}`)).toEqual([])
  })

  it('that was missed can be edited, and the post sent now', async () => {
    const missed = post({ state: 'missed', x_text: 'Too late' })
    on('GET /api/v1/admin/social/to-decide', { count: 1, posts: [missed] })
    const sent = post({ results: [result('x', {})], x_text: 'Too late' })
    stores(`POST ${POSTS}/${missed.id}/send`, sent)
    await openComposer()
    expect(screen.getByText('Needs a decision (1)')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Too late' }))
    await press('Edit: Too late')
    expect(field('X').value).toBe('Too late')
    expect(screen.getByText('Changing a missed post.')).toBeDefined()
    on('GET /api/v1/admin/social/to-decide', { count: 0, posts: [] })
    await press('Send now: Too late')
    expect(screen.queryByText(/^Needs a decision/)).toBeNull()
  })

  it('posts that need a decision are counted by kind, and a failed one can be dismissed', async () => {
    const failed = { state: 'failed', error: 'X is away.', fault: 'unsent' }
    const posts = [
      post({ id: ID(1), x_text: 'One', results: [result('x', failed)] }),
      post({ id: ID(2), x_text: 'Two', results: [result('x', { state: 'unknown' })] }),
      post({ id: ID(3), x_text: 'Three', state: 'missed' }),
      post({ id: ID(4), x_text: 'Four', state: 'missed' }),
    ]
    on('GET /api/v1/admin/social/to-decide', { count: 6, posts })
    on(`POST ${POSTS}/${ID(1)}/leave`, { success: true, post: posts[0] })
    await openComposer()
    const list = within(screen.getByRole('region', { name: 'Needs a decision' }))
    expect(list.getByText('Needs a decision (6)')).toBeDefined()
    expect(
      list.getByText(
        '2 missed their time, 1 failed, 1 possibly posted. Nothing is sent late or twice by itself.',
      ),
    ).toBeDefined()
    expect(list.queryByText('Four')).toBeNull()
    await press('Show all 4')
    expect(list.getByText('Four')).toBeDefined()
    // A possibly published post cannot be dismissed.
    fireEvent.click(list.getByRole('button', { name: 'Two' }))
    expect(list.queryByText('Leave it as it is')).toBeNull()
    fireEvent.click(list.getByRole('button', { name: 'One' }))
    fireEvent.click(list.getByText('Leave it as it is'))
    await pass(50)
    expect(bodies(`/${ID(1)}/leave`)).toHaveLength(1)
  })
})

const PROPOSAL: Proposal = {
  event_id: 7,
  at: '2026-11-20T10:00:00.000Z',
  kind: 'verdict',
  prediction_id: 'expert-a-250k',
  asset: 'btc',
  x_text: 'MISS: Expert A said so. More words.',
  nostr_text: 'MISS: Expert A said so. https://example.org/predictions/expert-a-250k',
  bluesky_text: 'MISS: Expert A said so. https://example.org/predictions/expert-a-250k',
  x_weight: 30,
  x_cost_usd: 0.015,
  has_chart: true,
}

const CHART = 'POST /api/v1/admin/social/pictures/of-prediction'
const picture = {
  id: ID(9),
  alt: 'Chart: a line',
  type: 'image/png',
  width: 1_200,
  height: 630,
  url: '/chart.png',
}

describe('a proposal', () => {
  const PROPOSALS = 'GET /api/v1/admin/social/proposals'

  beforeEach(() => {
    on(PROPOSALS, { proposals: [PROPOSAL], next: null })
    on(CHART, { success: true, picture })
  })

  it('is posted by one press with its chart, and can be undone', async () => {
    await openComposer()
    write('X', 'Another post')
    const sent = post({ results: [result('x', {}), result('nostr', {})] })
    stores(`POST ${POSTS}`, sent)
    await press('Post now: MISS: Expert A said so.')
    expect(bodies(CHART)).toEqual([{ prediction_id: 'expert-a-250k' }])
    expect(bodies(`POST ${POSTS}`)).toMatchObject([
      {
        action: 'soon',
        networks: ['x', 'nostr'],
        x_text: PROPOSAL.x_text,
        nostr_text: PROPOSAL.nostr_text,
        kind: 'verdict',
        prediction_id: 'expert-a-250k',
        event_id: 7,
        pictures: [{ id: ID(9), alt: 'Chart: a line' }],
      },
    ])
    expect(screen.getByText('Posting on X and Nostr in ten seconds.')).toBeDefined()
    stores(`POST ${POSTS}/${sent.id}/cancel`, sent)
    await press('Undo')
    expect(bodies('/cancel')).toHaveLength(1)
    // The unsent post stays.
    expect(field('X').value).toBe('Another post')
  })

  it('goes only to networks that are set up', async () => {
    const none = { configured: false, publicKey: null, connectedRelays: 0, totalRelays: 0 }
    on('GET /api/nostr/status', { ...none, faults: [], error: 'No Nostr.' })
    await openComposer()
    expect(screen.getByText('On X, $0.015')).toBeDefined()
    stores(`POST ${POSTS}`, post({}))
    await press('Post now: MISS: Expert A said so.')
    expect(bodies(`POST ${POSTS}`)[0]).toMatchObject({ networks: ['x'], nostr_text: '' })
  })

  it('can be edited or planned', async () => {
    const chart = Promise.withResolvers<object>()
    on(CHART, chart.promise)
    await openComposer()
    write('X', 'Another post')
    await press('Plan: MISS: Expert A said so.')
    expect(button('Schedule').disabled).toBe(true)
    chart.resolve({ success: true, picture })
    await pass()
    expect(button('Schedule').disabled).toBe(false)
    expect(document.activeElement).toBe(screen.getByLabelText('Date'))
    expect(field('X').value).toBe(PROPOSAL.x_text)
    expect(screen.getByText('Your unsaved post was set aside.')).toBeDefined()
    stores(`POST ${POSTS}`, post({ state: 'draft' }))
    await press('Keep as draft')
    await press('Edit: MISS: Expert A said so.')
    expect(document.activeElement).toBe(field('X'))
    expect(bodies(`POST ${POSTS}`)[0]).toMatchObject({ event_id: 7, kind: 'verdict' })
  })

  it('can be dismissed and restored', async () => {
    const DISMISS = 'PUT /api/v1/admin/social/proposals/7'
    on(DISMISS, { success: true })
    await openComposer()
    await press('Dismiss: MISS: Expert A said so.')
    await press('Undo')
    expect(bodies(DISMISS)).toEqual([{ dismissed: true }, { dismissed: false }])
  })

  it('is shortened at first, and expands on request', async () => {
    const many = Array.from({ length: 5 }, (_, n) => ({ ...PROPOSAL, event_id: n + 1 }))
    on(PROPOSALS, { proposals: many, next: 1 })
    await openComposer()
    const list = screen.getByRole('list', { name: 'Proposed posts' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(3)
    await press('Show all 5 and older ones')
    expect(within(list).getAllByRole('listitem')).toHaveLength(5)
    expect(button('Older news')).toBeDefined()
  })
})
