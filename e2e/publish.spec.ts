import { type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { blossomServer, type BlossomServer } from '#tests/support/stand-ins/blossom-server.ts'
import { readNotes, realRelay, type Note, type RealRelay } from '#tests/support/nostr-relay.ts'
import { moodyRelay, type MoodyRelay } from '#tests/support/stand-ins/moody-relay.ts'
import { pds, PDS_ACCOUNT, type Pds } from '#tests/support/stand-ins/pds.ts'
import { X_KEYS, X_PROBLEMS, xServer, type XServer } from '#tests/support/stand-ins/x-server.ts'
import { hugePng, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import {
  DESKTOP,
  expectAccessible,
  expectNothingCutOff,
  PHONE,
  TABLET,
} from './support/accessible.ts'
import { startAdminSite, type AdminSite } from './support/admin.ts'
import { expect, test, NEXT_YEAR } from './support/site.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const PUBKEY = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e'

test.describe.configure({ mode: 'serial' })

let site: AdminSite
let x: XServer
let relay: RealRelay
let busyRelay: MoodyRelay
let pictures: BlossomServer
let bluesky: Pds

test.beforeAll(async () => {
  x = await xServer()
  relay = await realRelay()
  busyRelay = await moodyRelay('rate-limits')
  pictures = await blossomServer()
  bluesky = await pds()
  site = await startAdminSite({
    X_API_KEY: X_KEYS.key,
    X_API_SECRET: X_KEYS.secret,
    X_ACCESS_TOKEN: X_KEYS.token,
    X_ACCESS_SECRET: X_KEYS.tokenSecret,
    X_API_URL: x.url.href,
    NOSTR_PRIVATE_KEY: KEY,
    NOSTR_RELAYS: `${relay.url}, ${busyRelay.url}`,
    BLOSSOM_SERVERS: pictures.url,
    BLUESKY_HANDLE: PDS_ACCOUNT.handle,
    BLUESKY_APP_PASSWORD: PDS_ACCOUNT.password,
    BLUESKY_SERVICE: bluesky.url.href,
  })
})

test.afterAll(async () => {
  await site.stop()
  await relay.close()
  await busyRelay[Symbol.asyncDispose]()
  await pictures[Symbol.asyncDispose]()
  await bluesky[Symbol.asyncDispose]()
  await x[Symbol.asyncDispose]()
})

test.beforeEach(async ({ page }) => {
  await site.signIn(page)
})

const panel = (page: Page, network: string): Locator =>
  page.getByRole('region', { name: network, exact: true })
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

async function openComposer(page: Page, search = ''): Promise<void> {
  await page.goto(`${site.url}/admin/publish${search}`)
  await expect(panel(page, 'X').getByText('connected')).toBeVisible()
  await expect(panel(page, 'Nostr').getByText('2 of 2 relays connected')).toBeVisible()
  await expect(panel(page, 'Bluesky').getByText(/^Posts as @site\.example\.org/)).toBeVisible()
}

/** Everything the site has published on the relay, read by another client. */
function readBack(): Promise<readonly Note[]> {
  return readNotes(relay.url, { authors: [PUBKEY], kinds: [1] })
}

test('a verdict goes out to all networks with its chart and a picture', async ({ page }) => {
  await openComposer(page)
  await expect(panel(page, 'Nostr').getByText('public key npub10elfcs4fr0l0r8a…')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Post to X, Nostr and Bluesky' })).toBeDisabled()

  await page.getByLabel('Prediction', { exact: true }).fill('lee: bitcoin at $250,000')
  await page.getByRole('option').first().click()
  await press(page, 'Verdict')
  await expect(page.getByLabel('Post on X')).toHaveValue(/^MISS: .*\$BTC reaches \$250,000/)
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue(/^Chart: /)

  // Another text wants another chart, and asks before it takes the place of this one.
  await page.getByLabel('Prediction', { exact: true }).fill('mcafee: bitcoin at $1,000,000')
  await page.getByRole('option').first().click()
  await press(page, 'Verdict')
  await expect(page.getByText('There is a picture already.')).toBeVisible()
  await expectAccessible(page, 'a chart instead of a picture')
  await press(page, 'Replace it by the chart')
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue(/^Chart: .*McAfee/)
  await expect(page.getByText('There is a picture already.')).toHaveCount(0)
  await page.getByLabel('Prediction', { exact: true }).fill('lee: bitcoin at $250,000')
  await page.getByRole('option').first().click()
  await press(page, 'Verdict')
  await press(page, 'Replace it by the chart')
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue(/^Chart: .*Lee/)

  await page.locator('input[type=file]').setInputFiles([
    { name: 'program.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('MZ\u0090 a program') },
    { name: 'cut.png', mimeType: 'image/png', buffer: PNG.subarray(0, PNG.length - 20) },
    { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.from(hugePng(8_000, 5_000)) },
  ])
  await expect(page.getByText(/^program\.jpg: The site cannot use this file/)).toBeVisible()
  await expect(page.getByText(/^cut\.png: The picture is incomplete/)).toBeVisible()
  await expect(page.getByText(/^huge\.png: .*too many/)).toBeVisible()
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'photo.exe', mimeType: 'text/plain', buffer: noisyJpeg(JPEG) }])
  await press(page, 'Crop picture 2')
  await page.getByLabel('Zoom').fill('2')
  await expect(page.getByText(/will look soft/)).toBeVisible()
  await expectAccessible(page, 'cropping')
  await press(page, 'Use this piece')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByLabel('Alternative text of picture 2').fill('A small square')
  await page.getByRole('button', { name: 'Move picture 2 to the front' }).press('Enter')
  // The focus stays with the picture, whose one button is disabled at the front.
  await expect(page.getByRole('button', { name: 'Move picture 1 to the back' })).toBeFocused()
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'third.png', mimeType: 'image/png', buffer: PNG }])
  await page.getByRole('button', { name: 'Remove picture 3' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Add pictures' })).toBeFocused()
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue('A small square')

  await press(page, 'Post to X, Nostr and Bluesky')
  await expect(panel(page, 'X').getByText('Posted successfully!')).toBeVisible()
  await expect(panel(page, 'Nostr').getByText('Posted to 1/2 relays')).toBeVisible()
  await expect(panel(page, 'Nostr').getByText(/rate-limited/)).toBeVisible()
  await expect(page.getByLabel('Post on X')).toHaveValue('')
  await expectAccessible(page, 'posted')

  const [posted] = x.posts
  expect(posted?.text).toMatch(/^MISS: /)
  const media = (posted?.media ?? []).map((id) => x.media.get(id))
  expect(media.map((one) => one?.alt?.slice(0, 7))).toEqual(['A small', 'Chart: '])
  expect(await sharp(media[0]?.bytes).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1_200,
    height: 675,
  })
  const [note] = await readBack()
  expect(note?.content).toContain('MISS: ')
  expect(note?.tags.filter(([name]) => name === 'imeta')).toHaveLength(2)

  const [record] = bluesky.records.values()
  expect(record?.text).toMatch(/^MISS: [^]*\/predictions\//)
  expect([...bluesky.blobs.values()].map(({ bytes }) => bytes.length <= 1_000_000)).toEqual([
    true,
    true,
  ])
  await expect(panel(page, 'Bluesky').getByText('Posted successfully!')).toBeVisible()

  busyRelay.mood = 'takes'
  await press(page, 'Send to the missing relays now')
  await expect(panel(page, 'Nostr').getByText('Posted to 2/2 relays')).toBeVisible()
  expect(await readBack()).toHaveLength(1)
})

test('the page shows what X really answered', async ({ page }) => {
  await openComposer(page)
  const before = x.posts.length
  await page.getByLabel('Post on X').fill('$BTC or $MSTR?')
  await expect(panel(page, 'X').getByText(/^X takes one cashtag a post/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Post to X', exact: true })).toBeDisabled()
  await page.getByLabel('Post on X').fill('A post that X has already')
  x.mood.post = X_PROBLEMS.duplicate
  await page.getByRole('button', { name: 'Post to X', exact: true }).press('Enter')
  await expect(panel(page, 'X').getByText('Failed to post to X')).toBeVisible()
  await expect(page.getByLabel('Post on X')).toHaveValue('A post that X has already')
  // Its button is disabled by now; the focus moves to the outcome.
  await expect(panel(page, 'X')).toBeFocused()
  // It waits for a decision until one is made, and every screen counts it.
  const inMenu = page.getByRole('navigation', { name: 'Screens' })
  await expect(inMenu.getByRole('link', { name: 'Publish 1 waiting' })).toBeVisible()
  const toDecide = page.getByRole('region', { name: 'To decide' })
  await toDecide.getByText('A post that X has already').first().click()
  await toDecide.getByRole('button', { name: 'Leave it as it is' }).click()
  await expect(toDecide).toHaveCount(0)
  await expect(inMenu.getByRole('link', { name: 'Publish', exact: true })).toBeVisible()

  x.mood.post = 'store-and-close'
  await page.getByLabel('Post on X').fill('A post whose answer is lost')
  await press(page, 'Post to X')
  await expect(panel(page, 'X').getByText('We don’t know whether this is on X')).toBeVisible()
  await expectAccessible(page, 'unknown')
  x.mood.post = 'well'
  // A reload loses neither the question nor the answer.
  await page.reload()
  await press(page, 'It is there')
  await expect(panel(page, 'X').getByText('Posted successfully!')).toBeVisible()
  expect(x.posts.length).toBe(before + 1)

  await page.route('**/api/v1/admin/social/posts', (route) => route.abort())
  await page.getByLabel('Post on X').fill('Written while the server was away')
  await press(page, 'Post to X')
  await expect(page.getByText(/Nothing you typed is lost/)).toBeVisible()
  await page.unroute('**/api/v1/admin/social/posts')
  await press(page, 'Post to X')
  await expect(panel(page, 'X').getByText('Posted successfully!')).toBeVisible()
  expect(x.posts.length).toBe(before + 2)

  await page.getByRole('tab', { name: 'History' }).click()
  const history = page.getByRole('list', { name: 'Posts that were sent' })
  await expect(history.getByText('Written while the server was away').first()).toBeVisible()
  await expect(history.getByText('X: failed')).toBeVisible()
  await expectAccessible(page, 'history')
})

async function planFor(page: Page, day: string): Promise<void> {
  await page.getByLabel('Date', { exact: true }).fill(day)
  await page.getByLabel('Time', { exact: true }).fill('09:30')
}

test('a post waits for its time, and can be changed, cancelled and sent', async ({ page }) => {
  await openComposer(page)
  const before = x.posts.length
  await page.getByLabel('Post on X').fill('For later')
  await page.reload()
  await expect(page.getByLabel('Post on X')).toHaveValue('For later')
  await planFor(page, '01/01/2020')
  await expect(page.getByText('That time has passed. Please choose a later one.')).toBeVisible()
  await planFor(page, '27/11/2099')
  await expect(
    page.getByText(/^Fri 27\/11\/2099, 09:30 \(America\/Los_Angeles, GMT-8\)/),
  ).toBeVisible()
  const where = page.getByRole('group', { name: 'Where' })
  await where.getByLabel('Nostr').uncheck()
  await where.getByLabel('Bluesky').uncheck()
  await press(page, 'Schedule')
  const table = page.getByRole('table', { name: 'Scheduled posts' })
  await expect(table.getByText('For later')).toBeVisible()

  await press(page, 'Edit: For later')
  await page.getByLabel('Post on X').fill('For much later')
  await press(page, 'Save with this time')
  await press(page, 'Cancel: For much later')
  await expect(page.getByText('Nothing is scheduled')).toBeVisible()
  await press(page, 'Undo')
  await expect(table.getByText('For much later')).toBeVisible()
  for (const size of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(size)
    await expectNothingCutOff(page, `scheduled at ${String(size.width)} px`)
  }
  await expectAccessible(page, 'scheduled')
  await press(page, 'Send now: For much later')
  await expect(panel(page, 'X').getByText('Posted successfully!')).toBeVisible()
  expect(x.posts.slice(before).map(({ text }) => text)).toEqual(['For much later'])
})

test('a post about a submission approves it', async ({ page }) => {
  const id = await site.submit('/api/submissions', {
    expert_name: 'Ada Publish',
    prediction_type: 'target',
    price_prediction: '150,000',
    target_time: `${NEXT_YEAR}-12-31`,
    source_url: 'https://example.org/said',
  })
  await openComposer(page, `?asset=btc&submission=${id}`)
  await expect(page.getByText(/From the submission of Ada Publish/)).toBeVisible()
  await page
    .getByLabel('Post on X')
    .fill(`Ada Publish says $BTC reaches $150,000 by the end of ${NEXT_YEAR}.`)
  await press(page, 'Post to X')
  await expect(page.getByText('The submission is approved.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'BTC' }).click()
  await page.getByRole('tab', { name: /^Approved/ }).click()
  await expect(page.getByRole('row', { name: /Ada Publish/ })).toBeVisible()
})

test('what the record proposes is planned, and the plan is moved in the week by mouse and keyboard', async ({
  page,
}) => {
  const id = await site.submit('/api/submissions', {
    expert_name: 'Grace Proposed',
    prediction_type: 'target',
    price_prediction: '250,000',
    target_time: `${NEXT_YEAR}-12-31`,
    source_url: 'https://example.org/said',
  })
  const path = `/api/admin/prediction_submissions/${id}/approve`
  expect((await page.request.post(site.url + path, { data: {} })).status()).toBe(200)
  await openComposer(page)
  const proposed = page.getByRole('list', { name: 'Proposed posts' })
  const row = proposed.getByRole('listitem').filter({ hasText: 'Grace Proposed' })
  await expect(row).toContainText('New prediction')
  await expect(row.getByRole('img', { name: 'Its chart' })).toBeVisible()
  await expectAccessible(page, 'proposed')

  await row.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(row).toHaveCount(0)
  await press(page, 'Undo')
  await row.getByRole('button', { name: /^Plan/ }).click()
  await expect(page.getByLabel('Date', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue(/^Chart: /)
  // Wednesday of next week, by the clock of this browser.
  const wednesday = await page.evaluate(() => {
    const day = new Date()
    day.setDate(day.getDate() + 10 - ((day.getDay() + 6) % 7) - 1)
    return day.toLocaleDateString('en-CA')
  })
  await planFor(page, wednesday)
  await press(page, 'Schedule')
  await expect(row).toHaveCount(0)

  await page.getByRole('tab', { name: 'Week' }).click()
  await press(page, 'Later')
  const week = page.getByRole('list', { name: /^Posts of the week/ })
  const plan = week.getByRole('button', { name: /Grace Proposed/ })
  await expect(plan).toHaveAccessibleName(/^Wed \S+ 09:30 planned, X, Nostr and Bluesky: /)
  await plan.hover()
  const box = (await week.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.down()
  await page.mouse.move(box.x + (box.width * 4.4) / 7, box.y + (box.height * 15.4) / 24, {
    steps: 5,
  })
  await page.mouse.up()
  await expect(plan).toHaveAccessibleName(/^Fri \S+ 15:30 planned/)
  await expect(page.getByText(/^Moved to Fri .*, 15:30\.$/).first()).toBeVisible()
  // What was dragged is not picked up by the click at its end.
  await expect(plan).toHaveAttribute('aria-pressed', 'false')

  await plan.press('Enter')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await expect(plan).toBeFocused()
  await expectAccessible(page, 'picked up')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Moved to Thu .*, 14:30\.$/).first()).toBeVisible()
  await expect(plan).toHaveAccessibleName(/^Thu \S+ 14:30 planned/)
  await expect(plan).toBeFocused()
  // A press on an hour moves what is picked up, as fingers do it.
  await plan.click()
  await week.click({ position: { x: (box.width * 0.5) / 7, y: (box.height * 8.5) / 24 } })
  await press(page, 'Drop here')
  await expect(plan).toHaveAccessibleName(/^Mon \S+ 08:30 planned/)
  for (const size of [TABLET, DESKTOP]) {
    await page.setViewportSize(size)
    await expectNothingCutOff(page, `the week at ${String(size.width)} px`)
  }
  await page.setViewportSize(PHONE)
  const days = page.getByRole('list', { name: 'Days' })
  await expect(days.getByText('Grace Proposed')).toBeVisible()
  await expectNothingCutOff(page, 'the days on a phone')
  await expectAccessible(page, 'the days on a phone')
})
