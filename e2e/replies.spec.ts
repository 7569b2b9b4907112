import { type Page } from '@playwright/test'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { npubOf } from '#domain/publishing/nostr.ts'
import { expectAccessible } from './support/accessible.ts'
import { sharedAdminSite } from './support/admin.ts'
import { alive, expect, test, ofAJob } from './support/site.ts'

const site = sharedAdminSite()
const TEXT = 'I said <b>by</b> the end of next year.'
const secret = generateSecretKey()
const npub = npubOf(getPublicKey(secret))

/** An extension that signs with the key, in the API for pages (NIP-07). */
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

test('a person signs a reply, an administrator publishes it, the page shows it, and its author withdraws it', async ({
  page,
  context,
}) => {
  await site.signIn(page)
  const id = await site.publish({
    expert_name: 'Nora Nostr',
    nostr_npub: npub,
    price_target: 1_234_000,
    notes: 'Said so.',
  })
  const path = `${site.url}/predictions/${id}`
  await expect.poll(async () => (await page.request.get(path)).status(), ofAJob()).toBe(200)
  await page.goto(`${site.url}/admin/experts?q=Nora`)
  await page.getByRole('button', { name: /Nora Nostr/ }).click()
  await page.getByLabel('Confirmed Nostr keys').fill(npub)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Named in a submission/)).toHaveCount(0)

  const visitor = await context.newPage()
  await addSigner(visitor)
  await visitor.goto(path)
  await alive(visitor)
  await visitor.getByRole('button', { name: 'Is this you?' }).click()
  await expect(dialog(visitor)).toContainText('We will answer within 7 days.')
  await expectAccessible(visitor, 'the form of a reply', { within: '[role=dialog]' })
  const send = dialog(visitor).getByRole('button', { name: 'Sign and send with the extension' })
  await dialog(visitor).getByLabel('Your reply').fill(`${TEXT} https://example.org`)
  await send.click()
  await expect(dialog(visitor).getByText(/put the link into its own field/)).toBeVisible()
  await dialog(visitor).getByLabel('Your reply').fill(TEXT)
  await send.click()
  await expect(dialog(visitor).getByText('Thank you.')).toBeVisible()
  const link = dialog(visitor).getByRole('link', { name: /#reply=/ })
  const own = (await link.getAttribute('href')) ?? ''
  expect(own).toMatch(/^http:/)

  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: /repl(?:y is|ies are) waiting/ }).click()
  const listed = page.getByRole('row', { name: /Nora Nostr/ })
  await listed.getByRole('button').click()
  const card = page.getByRole('region', { name: 'Details' })
  await expect(card).toContainText(TEXT)
  await expect(card).toContainText('Proof checked')
  await expectAccessible(page, 'the queue of replies', { within: 'main' })
  await card.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(listed).toHaveCount(0)
  await visitor.goto(path)
  await expect(replies(visitor)).toContainText(TEXT)
  await expect(replies(visitor)).toContainText('signed with the Nostr key on record')
  await expectAccessible(visitor, 'a page with a reply', {
    within: 'section[aria-label="Replies"]',
  })

  await visitor.goto(own)
  await visitor.reload()
  await expect(dialog(visitor)).toContainText('Your reply has been shown since')
  await dialog(visitor).getByRole('button', { name: 'Withdraw this reply' }).click()
  await expect(dialog(visitor)).toContainText('You withdrew your reply')
  await visitor.goto(`${path}?again`)
  await expect(replies(visitor)).toContainText('was withdrawn by its author on')
  await expect(replies(visitor)).not.toContainText('end of next year')
})
