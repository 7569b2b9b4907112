import { expect, it } from 'vitest'
import { type TweetExtraction } from '#contracts/posts.ts'
import { extractionOf } from '#tests/support/admin-rows.ts'
import {
  adminServer,
  pass,
  refusal,
  visitsText,
  type Visits,
} from '#tests/support/admin-screens.tsx'
import { Extractor } from './extractor.tsx'

const ACCURACY = 'GET /api/v1/admin/extraction-accuracy'
const READ = 'POST /api/extract-tweet'
const SUBMIT = 'POST /api/submissions'

const total = { decided: 0, kept: 0, share: 0 }
const server = adminServer('/admin/extractor', () => {
  server.on(ACCURACY, () => ({ decisions: 0, total, fields: [], methods: [], months: [] }))
})

const says = (name: string, reply: () => unknown) => () => server.on(name, reply)
const finds = (changed: Partial<TweetExtraction> = {}) =>
  says(READ, () => ({ success: true, data: extractionOf(changed) }))
const waits = says(READ, () => new Promise(() => undefined))
const away = () => refusal(503, 'unavailable', 'X did not answer.')
const ASKED = ['Tweet URL = https://x.com/expert_a/status/1899000000000000001', 'Extract'] as const
const OTHER = '1899000000000000002'
const BY_RULES = { grok_used: false, extraction_method: 'text_parsing' } as const
const LOST = { assistant: null, text_parsing: extractionOf().readings.text_parsing }
const TYPED = 'Price Prediction * = $260,000'
const LEVEL = { price_prediction: '$270,000', price_target: null, price_max: 270_000 }
const AGAIN = {
  extraction_id: 8,
  expert_name: 'Expert B',
  prediction_type: 'top',
  ...LEVEL,
} as const
const message = 'Prediction submitted successfully! Submission ID: sub-1'
const submitted = says(SUBMIT, () => ({ success: true, submission: { id: 'sub-1' }, message }))
const fails = says(SUBMIT, () => refusal(500, 'internal', ''))
const DEAR = 'Please enter a price below one trillion dollars.'
const half = { decided: 4, kept: 2, share: 0.5 }
const month = (name: string, kept: number) => {
  const of = { month: name, method: 'text_parsing', field: 'target_time' }
  return { ...of, decided: 2, kept, share: kept / 2 }
}

const VISITS: Visits = {
  'a reading that is stopped': [[waits], ...ASKED, 'Stop'],
  'a reading by rules and a model, and a secret key, which is not kept': [
    [finds()],
    ...ASKED,
    `Notes = Mine: nsec1${'q'.repeat(58)}`,
  ],
  'a reading by rules, as the model was lost': [
    [finds({ ...BY_RULES, assistant_error: 'xAI did not answer within 45 s.', readings: LOST })],
    ...ASKED,
  ],
  'a reading by rules, although a model was asked': [[finds(BY_RULES)], ...ASKED],
  'a post that is gone': [
    [says(READ, () => refusal(404, 'not_found', 'It has been deleted.'))],
    ...ASKED,
  ],
  'a post that is protected': [
    [says(READ, () => refusal(409, 'conflict', 'It is protected.'))],
    ...ASKED,
  ],
  'a source that is away': [[says(READ, away)], ...ASKED],
  'an answer that is a page': [
    [says(READ, () => new Response('<html>', { status: 502 }))],
    ...ASKED,
  ],
  'a post read again, with edits that are kept': [
    [finds(), fails],
    ...ASKED,
    TYPED,
    'Notes = Mine',
    finds(AGAIN),
    'Fetch again',
    'Submit Prediction',
    'Back to the draft',
  ],
  'a post read again, which fails, is stopped, and is read by its link': [
    [finds()],
    ...ASKED,
    TYPED,
    says(READ, away),
    'Fetch again',
    waits,
    'Try again',
    'Stop',
    'Paste the text',
    finds({ extraction_id: 9 }),
    'Extract',
  ],
  'another post, for which edits are given up': [
    [finds()],
    ...ASKED,
    TYPED,
    finds({ extraction_id: 9, tweet_id: OTHER }),
    `Tweet URL = https://x.com/i/status/${OTHER}`,
    'Extract',
    'Keep editing',
    'Extract',
    'Read the other post',
    ASKED[0],
    'Extract',
  ],
  'a secret key': [[finds()], ...ASKED, `Notes = Mine: nsec1${'q'.repeat(58)}`],
  'a submission, after which the form is cleared': [
    [finds(), submitted],
    ...ASKED,
    TYPED,
    'Submit Prediction',
    () => pass(2_500),
    // Still there.
    'Notes = Late',
    () => pass(600),
  ],
  'a new person although the name is on record': [
    [finds({ existing_influencer_id: 3, existing_influencer_name: 'Expert B' }), fails],
    ...ASKED,
    'Submit Prediction',
    'Expert B is already on record',
    'Submit Prediction',
  ],
  'a submission about MSTR that is lost': [
    [finds({ asset_type: 'mstr' })],
    ...ASKED,
    'Submit Prediction',
  ],
  'a submission that is refused': [
    [finds(), says(SUBMIT, () => refusal(400, 'invalid', DEAR, { price_target: DEAR }))],
    ...ASKED,
    'Submit Prediction',
  ],
  'accuracy by field and month': [
    [
      says(ACCURACY, () => ({
        decisions: 4,
        total: { decided: 8, kept: 6, share: 0.75 },
        fields: [{ field: 'target_time', ...half }],
        methods: [{ method: 'text_parsing', decided: 8, kept: 6, share: 0.75 }],
        months: [month('2026-10', 0), month('2026-11', 2)],
      })),
    ],
  ],
}

it('the extractor has its stored texts', async () => {
  const file = '../../../../tests/texts/extractor.txt'
  await expect(await visitsText(server, <Extractor />, VISITS)).toMatchFileSnapshot(file)
})
