import { type TweetExtraction } from '#contracts/posts.ts'

const TEXT = 'Bitcoin will hit $250k by the end of 2027. I am sure.'

/** A post that has been read, for tests; changed by what a test is about. */
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
    expert_name: 'Ada Example',
    twitter_handle: '@ada_example',
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
      { style: 'neutral', text: 'Ada Example: Bitcoin at $250,000 by the end of 2027.' },
      { style: 'short', text: 'Bitcoin at $250,000? Ada Example says by the end of 2027.' },
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

/** A post without a prediction, read by the text parser alone. */
export function emptyExtraction(changed: Partial<TweetExtraction> = {}): TweetExtraction {
  const full = extractionOf()
  const none = {
    has_prediction: false,
    asset_type: null,
    prediction_type: null,
    price_target: null,
    target_time: null,
    timing: null,
    spans: {},
  }
  return {
    ...full,
    ...none,
    price_prediction: null,
    tweet_text: 'Will Bitcoin hit $250k by the end of 2027?',
    no_prediction_reason: 'The post asks a question.',
    data_completeness: 'limited',
    confidence_level: 'low',
    grok_used: false,
    extraction_method: 'text_parsing',
    grok_interpretation_confidence: null,
    tweet_proposals: [],
    model: null,
    cost_usd: null,
    readings: { text_parsing: { ...full.readings.text_parsing, ...none }, assistant: null },
    ...changed,
  }
}
