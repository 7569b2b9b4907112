import { type Page } from '@playwright/test'
import { npubOf } from '#domain/publishing/nostr-address.ts'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { z } from 'zod'
import {
  DESKTOP,
  expectAccessible,
  expectNothingCutOff,
  PHONE,
  TABLET,
} from './support/accessible.ts'
import { startAdminSite, type AdminSite } from './support/admin.ts'
import { alive, expect, NEXT_YEAR, test } from './support/site.ts'

test.describe.configure({ mode: 'serial' })

const SIZES = [PHONE, TABLET, DESKTOP]
const TEXT = 'I said <b>by</b> the end of next year.\nNot before.'
const secret = generateSecretKey()
const npub = npubOf(getPublicKey(secret))

let site: AdminSite
/** Of the prediction that named the key. */
let submitted = ''
const Unsigned = z.object({
  kind: z.int(),
  created_at: z.int(),
  tags: z.array(z.array(z.string())),
  content: z.string(),
})
const Approved = z.object({ prediction_id: z.string() })

test.beforeAll(async () => {
  site = await startAdminSite()
  submitted = await site.submit('/api/submissions', {
    expert_name: 'Nora Nostr',
    nostr_npub: npub,
    prediction_type: 'target',
    price_target: 1_234_000,
    target_time: `${NEXT_YEAR}-12-31`,
    notes: 'Said so.',
    source_url: 'https://example.org/said',
  })
})

test.afterAll(() => site.stop())

/** An extension that signs with the key, as browsers offer one to pages (NIP-07). */
async function addSigner(page: Page): Promise<void> {
  await page.exposeFunction('signHere', (event: Parameters<typeof finalizeEvent>[0]) =>
    JSON.stringify(finalizeEvent(event, secret)),
  )
  await page.addInitScript(() => {
    const sign = Reflect.get(window, 'signHere') as (event: unknown) => Promise<string>
    Reflect.set(window, 'nostr', {
      signEvent: async (event: unknown): Promise<unknown> => JSON.parse(await sign(event)),
    })
  })
}

const dialog = (page: Page) => page.getByRole('dialog')
const replies = (page: Page) => page.getByRole('region', { name: 'Replies' })

async function expectFine(page: Page, name: string, within?: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    const screen = `${name}, ${String(size.width)} px`
    await expectNothingCutOff(page, screen)
    await expectAccessible(page, screen, within === undefined ? {} : { within })
  }
}

test('a person signs a reply, an administrator publishes it, the page shows it, and its author withdraws it', async ({
  page,
  context,
}) => {
  await site.signIn(page)
  const approved = await page.request.post(
    `${site.url}/api/admin/prediction_submissions/${submitted}/approve`,
    { data: {} },
  )
  const path = `/predictions/${Approved.parse(await approved.json()).prediction_id}`
  await expect
    .poll(async () => (await page.request.get(`${site.url}/api/v1${path}`)).status())
    .toBe(200)
  // The submission only named the key.
  await page.goto(`${site.url}/admin/experts?q=Nora`)
  await page.getByRole('button', { name: /Nora Nostr/ }).click()
  await page.getByLabel('Confirmed Nostr keys').fill(npub)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Named in a submission/)).toHaveCount(0)
  const visitor = await context.newPage()
  await addSigner(visitor)
  await visitor.goto(site.url + path)
  await alive(visitor)

  await visitor.getByRole('button', { name: 'Is this you?' }).click()
  await expect(dialog(visitor)).toContainText('You have our answer within 7 days.')
  await expectFine(visitor, 'the form of a reply')
  await dialog(visitor).getByLabel('Your reply').fill(`${TEXT} https://example.org`)
  await dialog(visitor).getByRole('button', { name: 'Sign and send with the extension' }).click()
  await expect(dialog(visitor).getByText(/put the link into its own field/)).toBeVisible()
  await dialog(visitor).getByLabel('Your reply').fill(TEXT)
  await dialog(visitor).getByRole('button', { name: 'Sign and send with the extension' }).click()
  await expect(dialog(visitor).getByText('Thank you.')).toBeVisible()
  const own =
    (await dialog(visitor)
      .getByRole('link', { name: /#reply=/ })
      .getAttribute('href')) ?? ''
  await expectFine(visitor, 'a reply that was sent')

  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: '1 reply waits.' }).click()
  const card = page.getByRole('listitem', { name: 'Reply by Nora Nostr' })
  await expect(card).toContainText('I said <b>by</b> the end of next year.')
  await expect(card).toContainText('Proof checked')
  await expectFine(page, 'the queue of replies')
  await card.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('No replies wait.')).toBeVisible()

  await visitor.goto(site.url + path)
  await alive(visitor)
  await expect(replies(visitor)).toContainText('I said <b>by</b> the end of next year.')
  await expect(replies(visitor)).toContainText('signed with the Nostr key on record')
  await expectFine(visitor, 'a page with a reply', 'section[aria-label="Replies"]')

  await visitor.goto(own)
  await visitor.reload()
  await expect(dialog(visitor)).toContainText('Your reply has been shown since')
  // With the key, in a program outside the browser.
  await visitor.goto(`${site.url}${path}?key`)
  await alive(visitor)
  await visitor.getByRole('button', { name: 'Is this you?' }).click()
  const withdrawal = dialog(visitor).getByRole('region', { name: 'Withdraw a signed reply' })
  await withdrawal.getByRole('button', { name: 'Sign elsewhere' }).click()
  const unsigned = Unsigned.parse(
    JSON.parse(await withdrawal.getByLabel('What to sign').innerText()),
  )
  await withdrawal.getByLabel('The signed event').fill('nothing')
  await withdrawal.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(withdrawal.getByText(/^This is no signed event/)).toBeVisible()
  const signed = JSON.stringify(finalizeEvent(unsigned, secret))
  await withdrawal.getByLabel('The signed event').fill(signed)
  await expectFine(visitor, 'a withdrawal that is signed elsewhere')
  await withdrawal.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(dialog(visitor)).toContainText('Your reply is withdrawn')
  await visitor.goto(`${site.url}${path}?again`)
  await expect(replies(visitor)).toContainText('was withdrawn by its author on')
  await expect(replies(visitor)).not.toContainText('end of next year')
})

test('who has no key posts a code, and without an address of the operator the page says so', async ({
  page,
}) => {
  await page.goto(`${site.url}/experts/john-mcafee`)
  await alive(page)
  await page.getByRole('button', { name: 'Is this you?' }).click()
  await dialog(page).getByRole('button', { name: 'E-mail' }).click()
  await expect(dialog(page)).toContainText('this way is not set up')
  await dialog(page).getByRole('button', { name: 'Nostr key' }).click()
  await expect(dialog(page)).toContainText('No Nostr key of John McAfee is on record.')
  await dialog(page).getByRole('button', { name: 'Post with a code' }).click()
  await dialog(page).getByLabel('Your reply').fill('It was a joke.')
  await dialog(page).getByRole('button', { name: 'Get the code' }).click()
  await expect(dialog(page).getByText(/^proofofprice-/)).toBeVisible()
  await dialog(page).getByLabel('Your reply').fill('It was no joke.')
  await expect(dialog(page)).toContainText('it needs a new code')
})

test('an administrator enters a reply that came by mail, publishes it and takes it down, and its author reads why', async ({
  page,
  context,
}) => {
  await site.signIn(page)
  await page.goto(`${site.url}/admin/replies`)
  await page.getByText('Enter a reply that came by e-mail').click()
  await page.getByLabel('Address of the prediction or person').fill('/experts/john-mcafee')
  await page.getByLabel('The reply, word for word').fill('It was a joke.')
  await page.getByRole('button', { name: 'Enter', exact: true }).click()
  await expect(page.getByText('Please say how its author proved who they are.')).toBeVisible()
  await page.getByLabel('How its author proved who they are').fill('From the address on his site.')
  await page.getByRole('button', { name: 'Enter', exact: true }).click()
  const own = await page.getByText(/#reply=/).innerText()
  const card = page.getByRole('listitem', { name: 'Reply by John McAfee' })
  await card.getByRole('button', { name: 'Decline…' }).click()
  await card.getByRole('button', { name: 'Back' }).click()
  await card.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: /^Published/ }).click()
  await card.getByRole('button', { name: 'Take down…' }).click()
  await card.getByLabel('Reason, which its author reads').fill('A court ordered it.')
  await expectFine(page, 'a reply that is taken down')
  await card.getByRole('button', { name: 'Take down', exact: true }).click()
  await expect(page.getByText('No such replies.')).toBeVisible()
  const visitor = await context.newPage()
  await visitor.goto(own)
  await expect(dialog(visitor)).toContainText('A court ordered it.')
  await dialog(visitor).getByRole('button', { name: 'Withdraw this reply' }).click()
  await expect(dialog(visitor)).toContainText('You withdrew your reply')
  await visitor.goto(`${site.url}/experts/john-mcafee?again`)
  await expect(replies(visitor)).toContainText('was withdrawn by its author on')
})
