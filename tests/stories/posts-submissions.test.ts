import { describe, expect, it } from 'vitest'
import { type AdminSubmission, extractTweet } from '#contracts/posts.ts'
import { AppError } from '#server/kit/failure.ts'
import { submitAsAdmin } from '#server/posts/admin-submissions.service.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { entry } from '#tests/support/builders.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { audited, count } from '#tests/support/review.ts'

const { world, admin } = adminSite()

const TEXT = 'My call: Bitcoin hits $150k by EOY.'
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

const kitOf = () => ({ ...world.kit, onSubmitted: () => {} })

const send = (body: AdminSubmission, asset: 'mstr' | null = null) =>
  submitAsAdmin(kitOf(), admin, body, asset)

async function submit(body: AdminSubmission): Promise<string> {
  const answer = await send(body)
  expect(answer.success).toBe(true)
  expect(answer.message).toContain(answer.submission.id)
  return answer.submission.id
}

async function refusalOf(body: AdminSubmission): Promise<AppError> {
  const failed: unknown = await send(body).catch((error: unknown) => error)
  if (!(failed instanceof AppError)) throw new Error('it was not refused')
  return failed
}

async function row(id: string): Promise<Record<string, unknown>> {
  const rows = await world.sql(
    `select *, target_time::text as target_time, prediction_made::text as prediction_made
     from submissions where id = $1`,
    [id],
  )
  return rows[0] ?? {}
}

/** Has a pasted post read. @returns the id of the reading */
async function draft(): Promise<number> {
  const body = { text: TEXT, author: 'Jane Doe', posted: '2026-03-10' }
  const answer = await admin.call('POST', extractTweet.path, body)
  return extractTweet.reply.parse(answer.body).data.extraction_id
}

describe("an administrator's submission", () => {
  it("waits for review with the assistant's notes, and is in the audit log", async () => {
    const id = await submit(FORM)
    expect(await row(id)).toMatchObject({
      origin: 'extraction',
      status: 'pending',
      asset: 'btc',
      expert_name: 'Jane Doe',
      twitter_handle: '@janedoe',
      prediction_type: 'target',
      price_prediction: '$150,000',
      price_target: 150_000,
      price_min: null,
      target_time: '2026-12-31',
      prediction_made: '2026-03-10',
      submitter_email: null,
      prediction_outcome: 'pending',
      paid_sats: 0,
      ai_metadata: {
        tweet_proposals: [{ style: 'short', text: 'Jane Doe: $150,000.' }],
        extraction_method: 'text_parsing',
      },
    })
    expect((await row(id))['ai_metadata']).not.toHaveProperty('unknown')
    expect(await audited(world, `subject_kind = 'submission'`)).toMatchObject([
      { username: 'Admin A', action: 'submission submitted', subject_id: id },
    ])
  })

  it('a submission from a post without an email address carries that of the site, if set, and says so', async () => {
    const { kit } = world
    const contacts = { ...kit.config.contacts, email: 'mail@example.org' }
    const set = { ...kitOf(), config: { ...kit.config, contacts } }
    const sentTo = async (
      changed: Partial<AdminSubmission>,
      to: ReturnType<typeof kitOf> = set,
    ) => {
      const { submission, message } = await submitAsAdmin(to, admin, { ...FORM, ...changed }, null)
      const row = await submissionById(kit.db, submission.id)
      return [row?.submitterEmail, message.includes('mail@example.org')]
    }
    expect(await sentTo({})).toEqual(['mail@example.org', true])
    expect(await sentTo({ email: 'a@example.org' })).toEqual(['a@example.org', false])
    expect(await sentTo({ ai_metadata: null })).toEqual([null, false])
    expect(await sentTo({}, kitOf())).toEqual([null, false])
  })

  it('is refused with the faulty field', async () => {
    for (const [wrong, fields] of [
      [{ expert_name: ' ' }, ['expert_name']],
      [{ target_time: '2026-03-10' }, ['target_time']],
      [{ status: 'approved' }, ['status']],
      [{ asset_type: 'doge' }, ['asset_type']],
      [{ ai_metadata: '{"tweet_proposals": 5}' }, ['ai_metadata']],
      [{ ai_metadata: 'no JSON' }, ['ai_metadata']],
      [{ extraction_id: 4_711 }, ['extraction_id']],
    ] as const) {
      const { code, fields: faults } = await refusalOf({ ...FORM, ...wrong } as AdminSubmission)
      expect([wrong, code, Object.keys(faults ?? {})]).toEqual([wrong, 'invalid', fields])
    }
    expect(await count(world, 'submissions')).toBe(0)
  })

  it('goes to the asset of its call, the outcome to its note, and the expert to the known person', async () => {
    const known = { expert_name: 'Jane Doe', x_handle: '@janedoe' }
    await world.imports.predictions(JSON.stringify([entry('p1', known)]))
    const body = { ...FORM, asset_type: null, status: 'miss', ai_metadata: null, email: 'a@b.de' }
    const answer = await send(body, 'mstr')
    const stored = await row(answer.submission.id)
    expect(stored).toMatchObject({
      origin: 'admin',
      asset: 'mstr',
      prediction_outcome: 'miss',
      submitter_email: 'a@b.de',
      ai_metadata: null,
    })
    expect(stored['existing_influencer_id']).not.toBeNull()
    // One person's handle with another's name matches nobody.
    const other = await submit({ ...FORM, expert_name: 'John Roe' })
    expect((await row(other))['existing_influencer_id']).toBeNull()
  })
})

describe('a decision about a draft', () => {
  it('a decision is compared with its draft field by field, once', async () => {
    const form = { ...FORM, extraction_id: await draft(), prediction_made: '' }
    const id = await submit({ ...form, target_time: '2027-06-30' })
    expect(await submit({ ...form, target_time: '2027-06-30' })).toBe(id)
    expect(await submit({ ...form, again: true })).not.toBe(id)
    // The day of the post, not the day it was submitted.
    expect((await row(id))['prediction_made']).toBe('2026-03-10')
    const rows = await world.sql('select differences from extraction_decisions order by id')
    const stored = { expert_name: 'kept', asset_type: 'kept', prediction_type: 'kept' }
    const rest = { price_target: 'kept', prediction_made: 'kept', twitter_handle: 'added' }
    expect(rows.map((one) => one.differences)).toEqual([
      { ...stored, ...rest, target_time: 'changed' },
      { ...stored, ...rest, target_time: 'kept' },
    ])
  })

  it('is confirmed before the same prediction is submitted with other values or notes', async () => {
    const form = { ...FORM, extraction_id: await draft() }
    const first = await submit(form)
    const message = `Already submitted as ${first}, nothing changed.`
    expect(await send(form)).toMatchObject({ unchanged: true, submission: { id: first }, message })
    for (const other of [
      { notes: 'He smiled.' },
      { target_time: '2027-06-30' },
      { email: 'a@b.de' },
    ]) {
      const { code, message } = await refusalOf({ ...form, ...other })
      expect(code).toBe('conflict')
      expect(message).toContain(`already submitted as ${first} (Jane Doe: BTC $150,000`)
    }
    expect(await count(world, 'submissions')).toBe(1)
    await submit({ ...form, notes: 'He smiled.', again: true })
    expect(await count(world, 'submissions')).toBe(2)
  })
})
