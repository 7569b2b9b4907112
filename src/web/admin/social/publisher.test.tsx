import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Proposal, type SocialPost } from '#contracts/publishing.ts'
import { post, result } from '#tests/support/admin-rows.ts'
import { adminServer, pass, show, visitsText, type Visits } from '#tests/support/admin-screens.tsx'
import { press, region, type } from '#tests/support/on-screen.ts'
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

const server = adminServer('/admin/publish', () => {
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
const on = (name: string, answer: unknown) => server.on(name, () => answer)
const later = (name: string, answer: unknown) => () => on(name, answer)

/** From then on, the stand-in server returns this post. */
const stores =
  (name: string, stored: SocialPost, more: object = {}) =>
  () =>
    server.on(name, () => {
      on(`GET ${POSTS}/${stored.id}`, { post: stored })
      return { success: true, post: stored, ...more }
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

const TO_DECIDE = 'GET /api/v1/admin/social/to-decide'
const PROPOSALS = 'GET /api/v1/admin/social/proposals'
const DONE = post({ networks: ['x'], results: [result('x', {})] })
const ofX = (part: object) =>
  post({ networks: ['x'], results: [result('x', { url: null, ...part })] })
const DUPLICATE = { state: 'failed', error: 'X has this very text already.', fault: 'duplicate' }
const UNKNOWN = ofX({ state: 'unknown', error: 'X did not answer.' })
const SOON = post({ state: 'scheduled', scheduled_at: '2026-11-20T12:00:11.000Z' })
const MISSED = post({ state: 'missed', x_text: 'Too late' })
const LOST_ON_BLUESKY = post({
  networks: ['x', 'bluesky'],
  results: [
    result('x', {}),
    result('bluesky', { state: 'unknown', error: 'Bluesky did not answer.', url: null }),
  ],
})
const WAITING = [
  post({
    id: ID(1),
    x_text: 'One',
    results: [result('x', { state: 'failed', error: 'X is away.', fault: 'unsent' })],
  }),
  post({ id: ID(2), x_text: 'Two', results: [result('x', { state: 'unknown' })] }),
  post({ id: ID(3), x_text: 'Three', state: 'missed' }),
  post({ id: ID(4), x_text: 'Four', state: 'missed' }),
]
const NO_NOSTR = { configured: false, publicKey: null, connectedRelays: 0, totalRelays: 0 }
const proposed = [
  later(PROPOSALS, { proposals: [PROPOSAL], next: null }),
  later(CHART, { success: true, picture }),
]
const slowAnswer = Promise.withResolvers<object>()
const slowChart = Promise.withResolvers<object>()
const LINK = 'https://example.org/with/a/long/path/that/does/not/matter'

const VISITS: Visits = {
  'networks that are connected, and one that is away': [
    [() => server.off('GET /api/bluesky/status')],
  ],
  'networks that are unknown at first, or unreachable': [
    [later('GET /api/x/test', slowAnswer.promise), () => server.off('GET /api/nostr/status')],
    'Post on X = Hello',
    () => slowAnswer.resolve(X),
  ],
  'a text counted like X counts, and long above 280': [
    [],
    `Post on X = ${'a'.repeat(256)} ${LINK}`,
    `Post on X = ${'日'.repeat(141)}`,
  ],
  'a text that is missing': [
    [],
    () => fireEvent.keyDown(screen.getByLabelText('Post on X'), { key: 'Enter', ctrlKey: true }),
  ],
  'a refusal by a network, whose text is changed': [
    [stores(`POST ${POSTS}`, ofX(DUPLICATE))],
    'Post on X = One',
    'Post to X',
    'Change the text',
  ],
  'an unknown outcome, which an administrator confirms': [
    [stores(`POST ${POSTS}`, UNKNOWN), stores(`POST ${POSTS}/${UNKNOWN.id}/mark`, ofX({}))],
    'Post on X = One',
    'Post to X',
    'It is there',
  ],
  'some networks, of which Bluesky is asked whether it has the post': [
    [
      later('GET /api/bluesky/status', BLUESKY),
      stores(`POST ${POSTS}`, LOST_ON_BLUESKY),
      stores(
        `POST ${POSTS}/${LOST_ON_BLUESKY.id}/check`,
        post({ results: [result('bluesky', {})] }),
        {
          found: true,
          message: 'There.',
        },
      ),
    ],
    'Post on X = One',
    `Post on Bluesky = ${'👨‍👩‍👧‍👦'.repeat(301)}`,
    'Post on Bluesky = ',
    'Where/Nostr',
    'Post to X and Bluesky',
    'Look on Bluesky now',
  ],
  'a lost answer, after which it is sent again': [
    [],
    'Post on X = One',
    'Post to X',
    stores(`POST ${POSTS}`, DONE),
    'Post to X',
  ],
  'an undone post, while the screen is slow to load again': [
    [
      stores(`POST ${POSTS}`, SOON),
      stores(`POST ${POSTS}/${SOON.id}/cancel`, { ...SOON, state: 'cancelled' }),
    ],
    later(PROPOSALS, new Promise(() => undefined)),
    'Post on X = One',
    'Post to X and Nostr',
    'Undo',
  ],
  'a time that is missing or past': [
    [],
    'Post on X = One',
    'Schedule',
    'Date = 18/11/2026',
    'Time = 09:00',
  ],
  'a missed post, edited and sent now': [
    [
      later(TO_DECIDE, { count: 1, posts: [MISSED] }),
      stores(
        `POST ${POSTS}/${MISSED.id}/send`,
        post({ results: [result('x', {})], x_text: 'Too late' }),
      ),
    ],
    'Needs a decision/Too late',
    'Edit: Too late',
    later(TO_DECIDE, { count: 0, posts: [] }),
    'Send now: Too late',
  ],
  'posts to decide, of which a failed one is left as it is': [
    [
      later(TO_DECIDE, { count: 6, posts: WAITING }),
      later(`POST ${POSTS}/${ID(1)}/leave`, { success: true, post: WAITING[0] }),
    ],
    'Show all 4',
    'Needs a decision/Two',
    'Needs a decision/One',
    'Leave it as it is',
  ],
  'a proposal, posted with its chart beside an unsent text, and undone': [
    [...proposed, stores(`POST ${POSTS}`, DONE), stores(`POST ${POSTS}/${DONE.id}/cancel`, DONE)],
    'Post on X = Another post',
    'Post now: MISS',
    'Undo',
  ],
  'more proposals than are listed at first': [
    [
      later(PROPOSALS, {
        proposals: [1, 2, 3, 4].map((event_id) => ({ ...PROPOSAL, event_id })),
        next: 1,
      }),
    ],
    'Show all',
  ],
  'a proposal, without Nostr': [
    [
      ...proposed,
      later('GET /api/nostr/status', { ...NO_NOSTR, faults: [], error: 'No Nostr.' }),
      stores(`POST ${POSTS}`, DONE),
    ],
    'Post now: MISS',
  ],
  'a proposal with a slow chart, planned, kept as a draft and edited': [
    [
      ...proposed,
      later(CHART, slowChart.promise),
      stores(`POST ${POSTS}`, post({ state: 'draft' })),
    ],
    'Post on X = Another post',
    'Plan: MISS',
    () => slowChart.resolve({ success: true, picture }),
    'Keep as draft',
    'Edit: MISS',
  ],
}

it('the publisher has its stored texts', async () => {
  const file = '../../../../tests/texts/publisher.txt'
  const screen = <Publisher owner="Admin A" asset="btc" />
  await expect(await visitsText(server, screen, VISITS)).toMatchFileSnapshot(file)
})

it('networks are good once all their relays are connected, and not bad if they are not set up', async () => {
  show(<Publisher owner="Admin A" asset="btc" />)
  await pass()
  const toneOf = (network: string, state: string) =>
    region(network).getByText(state).dataset['tone']
  expect([toneOf('X', 'connected'), toneOf('Nostr', 'connected')]).toEqual(['good', 'wait'])
  expect(toneOf('Bluesky', 'not set up')).toBeUndefined()
})

it('the composer leaves the focus alone as time passes', async () => {
  show(<Publisher owner="Admin A" asset="btc" />)
  await pass()
  ;(document.activeElement as HTMLElement).blur()
  await pass(90_000)
  expect(document.activeElement).toBe(document.body)
})

it('a post sent again after a lost answer has the same key', async () => {
  show(<Publisher owner="Admin A" asset="btc" />)
  await pass()
  type('Post on X', 'One')
  await press('Post to X')
  await pass()
  stores(`POST ${POSTS}`, DONE)()
  await press('Post to X')
  await pass()
  const keys = server.madeOf(`POST ${POSTS}`).map(({ key }) => key)
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(region('X').getByText('Posted successfully!')).toBeDefined()
})
