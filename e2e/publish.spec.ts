import sharp from 'sharp'
import { JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { expectAccessible } from './support/accessible.ts'
import { panel, planFor, press, startPublishingSite } from './support/publishing-site.ts'
import { expect, test, ofAJob } from './support/site.ts'

test('a verdict is posted to all networks with its chart and a picture; another post is scheduled', async ({
  page,
}) => {
  await using site = await startPublishingSite()
  await site.open(page)
  await expect(page.getByRole('button', { name: 'Post to X, Nostr and Bluesky' })).toBeDisabled()
  await expectAccessible(page, 'composer', { within: 'main' })
  await page.getByLabel('Prediction', { exact: true }).fill('lee: bitcoin at $250,000')
  // The previous list narrows while the text is typed.
  const options = page.getByRole('option')
  await expect(options.filter({ hasNotText: /Lee: Bitcoin at \$250,000/ })).toHaveCount(0)
  await options.first().click()
  await press(page, 'Write its text')
  await expect(page.getByLabel('Post on X')).toHaveValue(/^MISS: .*\$BTC reaches \$250,000/)
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue(/^Chart: .*Lee/)

  const choose = page.locator('input[type=file]')
  await choose.setInputFiles([
    { name: 'cut.png', mimeType: 'image/png', buffer: PNG.subarray(0, PNG.length - 20) },
  ])
  await expect(page.getByText(/^cut\.png: The picture is incomplete/)).toBeVisible()
  await choose.setInputFiles([
    { name: 'photo.exe', mimeType: 'text/plain', buffer: noisyJpeg(JPEG) },
  ])
  await press(page, 'Crop picture 2')
  await page.getByLabel('Zoom').fill('2')
  await expect(page.getByText(/will look soft/)).toBeVisible()
  await expectAccessible(page, 'cropping', { within: '[role=dialog]' })
  await press(page, 'Use this crop')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByLabel('Alternative text of picture 2').fill('A small square')
  await page.getByRole('button', { name: 'Move picture 2 to the front' }).press('Enter')
  // The focus moves to the picture's other button, as the pressed one is disabled at the front.
  await expect(page.getByRole('button', { name: 'Move picture 1 to the back' })).toBeFocused()
  await press(page, 'Post to X, Nostr and Bluesky')
  await expect(panel(page, 'X').getByText('Posted successfully!')).toBeVisible(ofAJob())
  await expect(panel(page, 'Nostr').getByText('Posted to 1/2 relays')).toBeVisible(ofAJob())
  await expect(panel(page, 'Nostr').getByText(/rate-limited/)).toBeVisible()
  await expect(panel(page, 'Bluesky').getByText('Posted successfully!')).toBeVisible(ofAJob())
  await expect(page.getByLabel('Post on X')).toHaveValue('')

  const { x, bluesky } = site
  const [posted] = x.posts
  expect(posted?.text).toMatch(/^MISS: /)
  const media = (posted?.media ?? []).map((one) => x.media.get(one))
  expect(media.map((one) => one?.alt?.slice(0, 7))).toEqual(['A small', 'Chart: '])
  const form = { format: 'jpeg', width: 1_200, height: 675 }
  expect(await sharp(media[0]?.bytes).metadata()).toMatchObject(form)
  const [note] = await site.readBack()
  expect(note?.content).toContain('MISS: ')
  expect(note?.tags.filter(([name]) => name === 'imeta')).toHaveLength(2)
  const [record] = bluesky.records.values()
  expect(record?.text).toMatch(/^MISS: [^]*\/predictions\//)
  expect([...bluesky.blobs.values()].map(({ bytes }) => bytes.length <= 1_000_000)).toEqual([
    true,
    true,
  ])
  site.busyRelay.behaviour = 'takes'
  await press(page, 'Send to the missing relays now')
  await expect(panel(page, 'Nostr').getByText('Posted to 2/2 relays')).toBeVisible(ofAJob())
  expect(await site.readBack()).toHaveLength(1)

  await page.getByLabel('Post on X').fill('For later')
  await page.reload()
  await expect(page.getByLabel('Post on X')).toHaveValue('For later')
  await planFor(page, '27/11/2099')
  const moment = /^Fri 27\/11\/2099, 09:30 \(America\/Los_Angeles, GMT-8\)/
  await expect(page.getByText(moment)).toBeVisible()
  const where = page.getByRole('group', { name: 'Where' })
  await where.getByLabel('Nostr').uncheck()
  await where.getByLabel('Bluesky').uncheck()
  await press(page, 'Schedule')
  const table = page.getByRole('table', { name: 'Scheduled posts' })
  await expect(table.getByText('For later')).toBeVisible()
  await expectAccessible(page, 'scheduled', { within: 'table' })
  await press(page, 'Send now: For later')
  await expect(panel(page, 'X').getByText('Posted successfully!')).toBeVisible(ofAJob())
  await expect.poll(() => x.posts.map(({ text }) => text).slice(1)).toEqual(['For later'])
})
