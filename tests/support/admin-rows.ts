import { type QueueItem, type TweetExtraction } from '#contracts/posts.ts'
import { type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { type Detail, type DryRun, type SubmissionPage } from '#web/admin/review/calls.ts'

const ID = '00000000-0000-4000-8000-00000000000'

/** A submission; the number makes its id. */
export function submission(number: number, more: Partial<SubmissionRow> = {}): SubmissionRow {
  return {
    id: `${ID}${String(number)}`,
    asset_type: 'btc',
    origin: 'visitor',
    status: 'pending',
    expert_name: `Expert ${String(number)}`,
    twitter_handle: '@expert',
    nostr_npub: null,
    prediction_type: 'target',
    price_prediction: '$150,000',
    price_target: 150_000,
    price_min: null,
    price_max: null,
    timing: 'by',
    direction: null,
    target_time: '2027-12-31',
    prediction_made: '2026-11-20',
    made_precision: 'day',
    source_url: 'https://example.org/said',
    sources: [
      {
        kind: 'report',
        url: 'https://example.org/said',
        date: null,
        archived_url: null,
        quotation: null,
        speaker: null,
        dead_since: null,
      },
    ],
    notes: '',
    submitter_email: null,
    email: null,
    prediction_outcome: 'pending',
    admin_comment: null,
    created_at: '2026-11-20T10:00:00.000Z',
    submission_date: '2026-11-20T10:00:00.000Z',
    existing_influencer_id: null,
    existing_influencer_name: null,
    new_influencer: false,
    ai_metadata: null,
    paid_sats: 2_100,
    paid_at: '2026-11-20T10:01:00.000Z',
    payment_state: 'paid',
    decided_at: null,
    decided_by: null,
    prediction_id: null,
    version: 1,
    ...more,
  }
}

export function pageOf(rows: readonly SubmissionRow[], total = rows.length): SubmissionPage {
  return {
    rows: [...rows],
    next: total > rows.length ? `${ID}9,2026-11-19T10:00:00Z` : null,
    previous: null,
    total,
    flags: {},
    counts: { pending: total, approved: 3, rejected: 2, all: total + 5 },
  }
}

export function detailOf(row: SubmissionRow, more: Partial<Detail> = {}): Detail {
  return {
    submission: row,
    suggestions: [],
    duplicates: [],
    payments: [],
    audit: [],
    notices: [],
    told_by: null,
    undo_ms: 0,
    ...more,
  }
}

export function dryRunOf(more: Partial<DryRun> = {}): DryRun {
  return {
    fields: {},
    influencer: {
      id: null,
      name: 'Expert 1',
      is_new: true,
      sentence: 'Creates a new influencer: Expert 1.',
    },
    warnings: [],
    prediction: null,
    prices: null,
    ...more,
  }
}

const TEXT = 'Bitcoin will hit $250k by the end of 2027. I am sure.'

/** A post that has been read, with overrides. */
export function extractionOf(changed: Partial<TweetExtraction> = {}): TweetExtraction {
  const spans: TweetExtraction['spans'] = {
    asset_type: { start: 0, end: 7, text: 'Bitcoin' },
    prediction_type: { start: 8, end: 16, text: 'will hit' },
    price_target: { start: 17, end: 22, text: '$250k' },
    target_time: { start: 23, end: 41, text: 'by the end of 2027' },
  }
  const parser: TweetExtraction['readings']['text_parsing'] = {
    has_prediction: true,
    asset_type: 'btc',
    prediction_type: 'target',
    price_target: 250_000,
    price_min: null,
    price_max: null,
    target_time: '2027-12-31',
    prediction_start_date: null,
    timing: 'by',
    direction: null,
    confidence: 'high',
    reasoning: 'Read by rules.',
    notes: [],
    spans,
  }
  return {
    tweet_id: '1899000000000000001',
    tweet_url: 'https://x.com/i/status/1899000000000000001',
    expert_name: 'Expert A',
    twitter_handle: '@expert_a',
    author_verified: true,
    tweet_created_at: '2026-03-10T09:15:00.000Z',
    tweet_metrics: { like_count: 1_204, retweet_count: null, reply_count: 3 },
    tweet_text: TEXT,
    has_media: false,
    is_retweet: false,
    has_prediction: true,
    asset_type: 'btc',
    prediction_type: 'target',
    price_prediction: '$250,000',
    price_target: 250_000,
    price_min: null,
    price_max: null,
    target_time: '2027-12-31',
    prediction_start_date: null,
    timing: 'by',
    direction: null,
    prediction_made: '2026-03-10',
    prediction_notes: `"${TEXT}"`,
    no_prediction_reason: null,
    confidence_level: 'high',
    grok_used: true,
    extraction_method: 'grok_ai',
    grok_interpretation_confidence: 'high',
    accuracy_confidence: 'high',
    accuracy_reasoning: 'The post names asset, level and deadline.',
    interpretation_challenges: '',
    data_completeness: 'complete',
    verification_status: 'unverified',
    tweet_proposals: [
      { style: 'neutral', text: 'Expert A: Bitcoin at $250,000 by the end of 2027.' },
      { style: 'short', text: 'Bitcoin at $250,000? Expert A says by the end of 2027.' },
    ],
    existing_influencer_id: null,
    existing_influencer_name: null,
    extraction_id: 7,
    spans,
    readings: {
      text_parsing: parser,
      assistant: {
        ...parser,
        reasoning: 'It says so.',
        model: 'grok-4.3',
        refuted: null,
        target_time: '2027-12-30',
        notes: ['Please check the target date: the words name a time that holds it.'],
      },
    },
    assistant_error: null,
    others: [],
    duplicates: [],
    submitted_before: [],
    source: {
      name: 'syndication',
      fetched_at: '2026-11-20T12:00:00.000Z',
      is_cut: false,
      notes: [],
    },
    retweeted_by: null,
    quoted: null,
    answered: null,
    is_thread: false,
    model: 'grok-4.3',
    cost_usd: 0.0091,
    duration_ms: 2_345,
    ...changed,
  }
}

const AT = '2026-11-20T12:00:00.000Z'

/** The result of a post; by default, published. */
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

/** A pending link in the queue of posts. */
export function queueItem(changed: Partial<QueueItem> = {}): QueueItem {
  return {
    id: 1,
    tweet_url: 'https://x.com/i/status/1899000000000000001',
    status: 'pending',
    created_at: '2026-11-20T12:00:00.000Z',
    processed_at: null,
    expert_name: null,
    result_data: null,
    error_message: null,
    step: 'Waiting',
    attempts: 0,
    next_try_at: null,
    submitted: 0,
    ...changed,
  }
}
