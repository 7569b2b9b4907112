import { type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'

const AT = '2026-11-20T12:00:00.000Z'

/** What became of a post, for tests: out, unless said otherwise. */
export function result(network: SocialNetwork, part: object): SocialResult {
  return {
    network,
    state: 'posted',
    remote_id: '1',
    url: `https://${network}.example/1`,
    error: null,
    fault: null,
    attempts: 1,
    next_try_at: null,
    known_at: null,
    finished_at: AT,
    relays: null,
    ...part,
  }
}

/** A post for tests. */
export function post(part: Partial<SocialPost>): SocialPost {
  return {
    id: '6a1f0d0e-0000-4000-8000-000000000001',
    kind: 'manual',
    state: 'done',
    networks: ['x', 'nostr'],
    x_text: 'One',
    nostr_text: 'One',
    bluesky_text: '',
    pictures: [],
    scheduled_at: AT,
    zone: null,
    submission_id: null,
    prediction_id: null,
    event_id: null,
    automatic: false,
    created_by: 'tester',
    created_at: AT,
    updated_at: AT,
    x_weight: 3,
    x_cost_usd: 0.015,
    results: [],
    left_at: null,
    approval: null,
    ...part,
  }
}
