// Over 400 lines: everything done on one screen.
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Proposal, type SocialPost } from '#contracts/publishing.ts'
import { post, result } from '#tests/support/admin-rows.ts'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import {
  button,
  hrefOf,
  isAlerted,
  press as click,
  region as panel,
  sees,
  seesIn,
  seesNot,
  type,
} from '#tests/support/on-screen.ts'
import { Publisher } from './publisher.tsx'

const POSTS = '/api/v1/admin/social/posts'
const ID = (n: number): string => `6a1f0d0e-0000-4000-8000-00000000000${String(n)}`
const counts = [
  'drafts',
  'scheduled',
  'sending',
  'missed',
  'cancelled',
  'posted',
  'failed',
  'unknown',
]
const STATS = {
  ...Object.fromEntries(counts.map((state) => [state, 0])),
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
const BLUESKY = { ...X, handle: 'a.example.org' }
const NO_BLUESKY = { ...X, success: false, configured: false, handle: null, error: 'No Bluesky.' }
const LIMIT = { canPost: true, remaining: 97, limit: 100, minutesUntilReset: 12 }
const RATE = { success: true, ...LIMIT, error: null, told_at: null }

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
  await pass()
}

const field = (name: string): HTMLTextAreaElement => screen.getByLabelText(`Post on ${name}`)
const write = (network: string, value: string) => type(`Post on ${network}`, value)

async function press(name: string): Promise<void> {
  await click(name)
  // Wait for the reload after the change.
  await pass()
}

describe('the panels', () => {
  it('show the state of both networks', async () => {
    await openComposer()
    seesIn(
      panel('X'),
      'connected',
      'Posts as @the_site',
      'Rate limit: 97 of 100 posts left, reset in 12 minutes',
    )
    // Administrator-tools.md §9: 20 characters of the key.
    seesIn(
      panel('Nostr'),
      'Configured, public key npub10elfcs4fr0l0r8a…',
      '2 of 3 relays connected',
    )
    expect(panel('Nostr').getByText('connected').dataset['tone']).toBe('wait')
    expect(panel('X').getByText('connected').dataset['tone']).toBe('good')
    seesIn(panel('Nostr'), 'relay.example cannot be reached (ECONNREFUSED).')
  })

  it('are unknown at first, and show an error when the server is unreachable', async () => {
    const answer = Promise.withResolvers()
    on('GET /api/x/test', answer.promise)
    server.off('GET /api/nostr/status')
    await openComposer()
    write('X', 'Hello')
    expect(panel('X').getByText('unknown')).toBeDefined()
    expect(button('Post to X').disabled).toBe(true)
    seesIn(panel('Nostr'), 'error', 'Error: The server cannot be reached.')
    answer.resolve(X)
    await pass()
    expect(button('Post to X').disabled).toBe(false)
  })
})

describe('the text', () => {
  it('is counted like X counts, and marked as long above 280', async () => {
    await openComposer()
    write('X', `${'a'.repeat(256)} https://example.org/with/a/long/path/that/does/not/matter`)
    expect(panel('X').getByText('280 / 4,000')).toBeDefined()
    seesNot('Long tweet')
    seesIn(panel('X'), /X charges \$0\.20 for the post/, 'Costs $0.20')
    write('X', '日'.repeat(141))
    expect(panel('X').getByText('282 / 4,000')).toBeDefined()
    sees('Long tweet')
  })

  it('is required for posting', async () => {
    await openComposer()
    expect(button('Post to X').disabled).toBe(true)
    fireEvent.keyDown(field('X'), { key: 'Enter', ctrlKey: true })
    await pass()
    isAlerted('Please enter tweet text')
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
    seesIn(panel('X'), 'Failed to post to X', `Error: ${error}`)
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
    expect(panel('X').getByText('We don’t know whether this is on X')).toBeDefined()
    expect(hrefOf('profile')).toBe('https://x.com/the_site')
    // The composer is empty, so the post is not sent twice by mistake.
    expect(field('X').value).toBe('')
    const marked = post({ networks: ['x'], results: [result('x', { url: null })] })
    stores(`POST ${POSTS}/${unknown.id}/mark`, marked)
    await press('It is there')
    expect(bodies('/mark')).toEqual([{ posted: true, network: 'x' }])
    expect(panel('X').getByText('Posted successfully!')).toBeDefined()
  })

  it('uses the selected networks; a post with unknown outcome on Bluesky can be searched for or resent', async () => {
    on('GET /api/bluesky/status', BLUESKY)
    const unknown = post({
      networks: ['x', 'bluesky'],
      results: [
        result('x', {}),
        result('bluesky', { state: 'unknown', error: 'Bluesky did not answer.', url: null }),
      ],
    })
    stores(`POST ${POSTS}`, unknown)
    await openComposer()
    expect(panel('Bluesky').getByText(/Posts as @a\.example\.org/)).toBeDefined()
    write('X', 'One')
    write('Bluesky', '👨‍👩‍👧‍👦'.repeat(301))
    expect(panel('Bluesky').getByText('301 / 300')).toBeDefined()
    expect(button('Post to Bluesky').disabled).toBe(true)
    write('Bluesky', '')
    fireEvent.click(within(screen.getByRole('group', { name: 'Where' })).getByLabelText('Nostr'))
    await press('Post to X and Bluesky')
    const texts = { x_text: 'One', nostr_text: '', bluesky_text: 'One' }
    expect(bodies(`POST ${POSTS}`)).toMatchObject([{ networks: ['x', 'bluesky'], ...texts }])
    expect(panel('Bluesky').getByText(/cannot be there twice/)).toBeDefined()
    expect(button('Try Bluesky again').disabled).toBe(false)
    const found = post({ networks: ['x', 'bluesky'], results: [result('bluesky', {})] })
    stores(`POST ${POSTS}/${unknown.id}/check`, found, { found: true, message: 'There.' })
    await press('Look on Bluesky now')
    expect(panel('Bluesky').getByText('Posted successfully!')).toBeDefined()
  })

  it('reuses the idempotency key after a lost answer, and keeps the text', async () => {
    await openComposer()
    write('X', 'One')
    await press('Post to X')
    isAlerted(/cannot be reached\. Nothing you typed is lost\. Press again: it is not posted twice/)
    expect(field('X').value).toBe('One')
    const sent = post({ networks: ['x'], results: [result('x', {})] })
    stores(`POST ${POSTS}`, sent)
    await press('Post to X')
    const keys = server.madeOf(`POST ${POSTS}`).map(({ key }) => key)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(panel('X').getByText('Posted successfully!')).toBeDefined()
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
  type('Date', day)
  type('Time', time)
}

describe('a scheduled time', () => {
  it('is rejected when past or missing', async () => {
    await openComposer()
    write('X', 'One')
    await press('Schedule')
    isAlerted('Please choose a date and a time.')
    choose('18/11/2026', '09:00')
    await pass()
    isAlerted('That time has passed. Please choose a later one.')
    expect(bodies(`POST ${POSTS}`)).toEqual([])
  })

  it('that was missed can be edited, and the post sent now', async () => {
    const missed = post({ state: 'missed', x_text: 'Too late' })
    on('GET /api/v1/admin/social/to-decide', { count: 1, posts: [missed] })
    const sent = post({ results: [result('x', {})], x_text: 'Too late' })
    stores(`POST ${POSTS}/${missed.id}/send`, sent)
    await openComposer()
    sees('Needs a decision (1)')
    fireEvent.click(screen.getByRole('button', { name: 'Too late' }))
    await press('Edit: Too late')
    expect(field('X').value).toBe('Too late')
    sees('Changing a missed post.')
    on('GET /api/v1/admin/social/to-decide', { count: 0, posts: [] })
    await press('Send now: Too late')
    seesNot(/^Needs a decision/)
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
    seesIn(
      list,
      'Needs a decision (6)',
      '2 missed their time, 1 failed, 1 possibly posted. Nothing is sent late or twice by itself.',
    )
    expect(list.queryByText('Four')).toBeNull()
    await press('Show all 4')
    expect(list.getByText('Four')).toBeDefined()
    // A possibly published post cannot be dismissed.
    fireEvent.click(list.getByRole('button', { name: 'Two' }))
    expect(list.queryByText('Leave it as it is')).toBeNull()
    fireEvent.click(list.getByRole('button', { name: 'One' }))
    fireEvent.click(list.getByText('Leave it as it is'))
    await pass()
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
    sees('Posting on X and Nostr in ten seconds.')
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
    sees('On X, $0.015')
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
    sees('Your unsaved post was set aside.')
    stores(`POST ${POSTS}`, post({ state: 'draft' }))
    await press('Keep as draft')
    await press('Edit: MISS: Expert A said so.')
    expect(document.activeElement).toBe(field('X'))
    expect(bodies(`POST ${POSTS}`)[0]).toMatchObject({ event_id: 7, kind: 'verdict' })
  })
})
