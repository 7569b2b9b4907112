import { modelServer, type ModelReply } from '#tests/support/stand-ins/model-server.ts'
import { idAt, startPostServices } from '#tests/support/stand-ins/post-services.ts'
import { expectAccessible } from './support/accessible.ts'
import { startAdminSite } from './support/admin.ts'
import { expect, ofAJob, test } from './support/site.ts'

const POST = 'Bitcoin will hit $250k by the end of 2027. I am sure.'
const [SAID, GONE, QUEUED, LOST] = ['03-10', '03-11', '04-01', '04-02'].map((day) =>
  idAt(`2026-${day}T09:15:00Z`),
)
const link = (id = ''): string => `https://x.com/ada_example/status/${id}`

function wellRead(): ModelReply {
  const answer = {
    has_prediction: true,
    confidence: 'high',
    reasoning: 'The author says so plainly.',
    interpretation_challenges: '',
    verification_status: 'unverified',
    asset_type: 'btc',
    asset_type_words: 'Bitcoin',
    prediction_type: 'target',
    prediction_type_words: 'will hit',
    price_target: 250_000,
    price_target_words: '$250k',
    target_time: '2027-12-31',
    target_time_words: 'by the end of 2027',
    tweet_proposals: [
      { style: 'neutral', text: 'Ada Example: Bitcoin at $250k by the end of 2027.' },
    ],
  }
  return { text: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` }
}

test('a link becomes a submission with values linked to its words; many are read in the background', async ({
  page,
}) => {
  await using posts = await startPostServices()
  const post = { text: POST, name: 'Ada Example', handle: 'ada_example' }
  for (const id of [SAID, QUEUED]) posts.posts.set(id ?? '', post)
  for (const id of [GONE, LOST]) posts.posts.set(id ?? '', { text: '', state: 'gone' })
  await using model = await modelServer()
  model.answer(({ isRefutation }) =>
    isRefutation ? { text: '{"refuted":false,"why":"It stands."}' } : wellRead(),
  )
  await using site = await startAdminSite({
    ...posts.environment,
    XAI_API_KEY: 'xai-a-key-of-the-journey',
    ASSISTANT_URL: model.url.href,
  })
  await site.signIn(page)
  await page.goto(`${site.url}/admin/extractor`)
  const extract = async (url: string): Promise<void> => {
    await page.getByLabel('Tweet URL').fill(url)
    await page.getByRole('button', { name: 'Extract' }).click()
  }
  await extract(link(GONE))
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Failed to extract tweet data', ofAJob())
  await expect(alert).toContainText(/deleted|not there/i)
  await extract(link(SAID))
  const analysis = page.getByRole('region', { name: 'AI Analysis' })
  const marks = [/^Bitcoin/, /^will hit/, /^\$250k/, /^by the/]
  await expect(analysis.locator('mark')).toHaveText(marks, ofAJob())
  await expect(analysis.getByText('Grok', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Raw Tweet Data' })).toContainText('@ada_example')
  await expect(page.getByRole('region', { name: 'Tweet Proposals' })).toContainText('49 / 280')
  await expectAccessible(page, 'extractor', { within: 'main' })
  const form = page.getByRole('form', { name: 'Final Decision' })
  await expect(form.getByLabel('Expert Name')).toHaveValue('Ada Example')
  await expect(form.getByLabel('Target Date')).toHaveValue('31/12/2027')
  await expect(form.getByLabel('Prediction Made')).toHaveValue('10/03/2026')
  await form.getByLabel('Price Prediction').fill('260k')
  await expect(form.getByText('Drafted: $250,000')).toBeVisible()
  await form.getByRole('button', { name: 'Submit Prediction' }).click()
  await expect(form.getByRole('status')).toContainText(
    /Prediction submitted successfully.*reviewed before going live.*Submission ID: [\w-]{36}/,
  )
  await expect(form).toBeHidden()

  await page.goto(`${site.url}/admin/queue`)
  const named = [link(QUEUED), link(LOST), link(QUEUED), 'https://evil-x.com/a']
  await page.getByLabel('Links of posts').fill(named.join('\n'))
  await page.getByRole('button', { name: 'Add to the queue' }).click()
  await expect(page.getByText(/2 links added, 1 duplicates? skipped/)).toBeVisible()
  await expect(page.getByText(/1 rejected/)).toBeVisible()
  // Without pressing Refresh.
  const rows = page.getByRole('row').filter({ has: page.getByRole('button') })
  const failed = rows.filter({ hasText: 'failed' })
  await expect(failed).toContainText(/deleted|not there/i, ofAJob())
  await expect(rows.filter({ hasText: /pending|processing/ })).toHaveCount(0, ofAJob())
  await expectAccessible(page, 'queue', { within: 'main' })
  posts.posts.set(LOST ?? '', post)
  await failed.getByRole('button', { name: /^Retry/ }).click()
  // A row changes its height with its state; rows below it would move under the pointer.
  const read = rows.filter({ hasText: 'needs a decision' })
  await expect(read).toHaveCount(2, ofAJob())
  await read.first().getByRole('button', { name: /^View/ }).click()
  await expect(page.getByRole('heading', { name: 'AI Analysis' })).toBeVisible()
  await expect(page.getByLabel('Price Prediction')).toHaveValue('$250,000')
  await page.getByRole('button', { name: 'Back to the queue' }).click()
  await expect(rows).toHaveCount(2)
})
