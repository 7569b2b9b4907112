import { expectAccessible, expectNothingCutOff, PHONE } from './support/accessible.ts'
import { expect, open, test } from './support/site.ts'

test('a person is followed from their page, and every way says whether it can be used', async ({
  page,
}) => {
  await open(page, '/experts/tom-lee')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Follow Tom Lee' })
  // The site of the tests has no mail server, and no worker is let in.
  await expect(dialog).toContainText('no mail server has been set up')
  await expect(dialog.getByRole('link', { name: 'Feed of Tom Lee' })).toHaveAttribute(
    'href',
    '/experts/tom-lee/feed.xml',
  )
  await expectAccessible(page, 'Follow', { within: '[role="dialog"]' })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('an address is entered by keyboard, and the page of its mail stops all with one press', async ({
  page,
}) => {
  const ways = { title: 'Bitcoin', mail: true, push: null, npub: null, person_npub: null }
  const feeds = [{ name: 'Bitcoin', path: '/btc/feed.xml' }]
  await page.route('**/api/v1/follow?*', (route) => route.fulfill({ json: { ...ways, feeds } }))
  const asked: unknown[] = []
  await page.route('**/api/v1/follow', async (route) => {
    asked.push(route.request().postDataJSON())
    const error = 'Please enter a valid email address.'
    const refusal = { success: false, code: 'invalid', error, fields: { email: error } }
    await (asked.length === 1
      ? route.fulfill({ status: 400, json: refusal })
      : route.fulfill({ json: { asked: true } }))
  })
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Follow Bitcoin' })
  const field = dialog.getByRole('textbox', { name: 'E-mail address' })
  await field.fill('nobody')
  await field.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid email address.')
  await expectAccessible(page, 'Follow by e-mail', { within: '[role="dialog"]' })
  await field.fill('reader@example.org')
  await dialog.getByRole('combobox', { name: 'How often' }).selectOption('Once a week')
  await field.press('Enter')
  await expect(dialog.getByRole('status').first()).toContainText(
    'We have sent a mail to reader@example.org',
  )
  const of = { kind: 'asset', subject: 'btc', every: 'week' }
  expect(asked[1]).toEqual({ ...of, email: 'reader@example.org' })

  const follows = [{ kind: 'asset', subject: 'btc', title: 'Bitcoin', path: '/btc' }]
  const state = { confirmed: true, shown: 'r…@example.org', every: 'week', follows }
  await page.route('**/api/v1/following/*', (route) => route.fulfill({ json: state }))
  await page.route('**/api/v1/following/*/end', (route) =>
    route.fulfill({ json: { deleted: true } }),
  )
  await page.setViewportSize(PHONE)
  await open(page, '/following/q8Zk3vYd2nXw7sLbRt5Jm9Pc')
  await expect(page.getByRole('button', { name: 'Unfollow Bitcoin' })).toBeVisible()
  await expectAccessible(page, 'News by e-mail')
  await expectNothingCutOff(page, 'News by e-mail')
  await page.getByRole('button', { name: 'Stop all and delete my address' }).click()
  await expect(page.getByText('your address and all it followed are deleted')).toBeVisible()
})
