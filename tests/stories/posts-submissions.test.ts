import { expect, it } from 'vitest'
import { type AdminSubmission } from '#contracts/posts.ts'
import { submitAsAdmin } from '#server/posts/admin-submissions.service.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { adminSite } from '#tests/support/empty-site.ts'

const { world, admin } = adminSite()

/** As sent by the extractor's form (administrator-tools.md §7). */
const FORM: AdminSubmission = {
  expert_name: 'Jane Doe',
  twitter_handle: '@janedoe',
  prediction_type: 'target',
  price_prediction: '$150,000',
  target_time: '2026-12-31',
  price_min: null,
  price_max: null,
  prediction_made: '2026-03-10',
  source_url: 'https://x.com/janedoe/status/2031284312343937024',
  notes: 'Said so.',
  email: '',
  submitter_email: '',
  status: 'pending',
  asset_type: 'bitcoin',
  ai_metadata: JSON.stringify({
    tweet_proposals: [{ style: 'short', text: 'Jane Doe: $150,000.' }],
    accuracy_confidence: 'high',
    accuracy_reasoning: 'It is clear.',
    interpretation_challenges: '',
    verification_status: 'verified',
    grok_used: false,
    extraction_method: 'text_parsing',
    unknown: 'left out',
  }),
}

it('a submission from a post without an email address carries that of the site, if set, and says so', async () => {
  const { kit } = world
  const contacts = { ...kit.config.contacts, email: 'mail@example.org' }
  const bare = { ...kit, onSubmitted: () => {} }
  const set = { ...bare, config: { ...kit.config, contacts } }
  const sentTo = async (changed: Partial<AdminSubmission>, to: typeof bare = set) => {
    const { submission, message } = await submitAsAdmin(to, admin, { ...FORM, ...changed }, null)
    const row = await submissionById(kit.db, submission.id)
    return [row?.submitterEmail, message.includes('mail@example.org')]
  }
  expect(await sentTo({})).toEqual(['mail@example.org', true])
  expect(await sentTo({ email: 'a@example.org' })).toEqual(['a@example.org', false])
  expect(await sentTo({ ai_metadata: null })).toEqual([null, false])
  expect(await sentTo({}, bare)).toEqual([null, false])
})
