import { signedRecordService } from '#server/attestation/attestation.service.ts'
import { proofPorts } from '#server/attestation/calendars.ts'
import { closeDay, defineStamps, queueStamps } from '#server/attestation/stamping.service.ts'
import { openDatabase } from '#server/kit/db.ts'
import { openOutbox } from '#server/kit/outbox.ts'
import { nostrSigner } from '#server/publishing/nostr/relays.ts'
import { startCalendar } from '#tests/support/stand-ins/ots-calendar.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { expectAccessible } from '../support/accessible.ts'
import { startBuiltSite } from '../support/built-site.ts'
import { copyRecord } from '../support/databases.ts'
import { expect, open, test } from '../support/site.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const DAY_MS = 86_400_000

test('the proofs of a prediction are on its page, and are verified there', async ({ page }) => {
  await using calendar = await startCalendar()
  const record = await copyRecord()
  // A day later, the signed record is stamped.
  const { db, close } = openDatabase({ connectionString: record.url }, () => {})
  let laterMs = DAY_MS
  const clock = { now: () => Date.now() + laterMs }
  await signedRecordService({ db, clock: { now: () => Date.now() } }, nostrSigner(KEY), []).sign()
  const outbox = openOutbox({ db, clock, log: SILENT, jobs: null })
  const ports = proofPorts({ calendars: [calendar.url], headersUrl: null })
  const kit = { db, clock, outbox, ...ports }
  defineStamps(kit)
  await closeDay(kit)
  await queueStamps(kit)
  await outbox.deliver('stamp')
  const site = await startBuiltSite({
    DATABASE_URL: record.url,
    NOSTR_PRIVATE_KEY: KEY,
    NOSTR_RELAYS: 'ws://127.0.0.1:9',
    OTS_CALENDARS: calendar.url,
  })
  try {
    await open(page, `${site.url}/predictions/mcafee-1m-2020`)
    await page.getByText('Proof in Bitcoin', { exact: true }).click()
    await expect(page.getByText('In the calendars, waiting for a block.')).toHaveCount(3)
    await page.getByRole('button', { name: 'Check it here: Entry' }).click()
    await expect(page.getByText('Nothing is wrong, but nothing is proved yet.')).toBeVisible()

    // The proof is checked from files, without the site.
    const saved = async (name: string) => {
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name }).first().click()
      return (await download).path()
    }
    const [event, proof] = [await saved('Event (JSON)'), await saved('Proof (.ots)')]
    await page.context().setOffline(true)
    await page.getByLabel('Event or day (.json)').setInputFiles(event)
    await page.getByLabel('Proof (.ots)', { exact: true }).setInputFiles(proof)
    const check = page.getByRole('button', { name: 'Check', exact: true })
    await check.click()
    await expect(page.getByText('The event. Fits: It is event')).toBeVisible()
    await page.getByLabel('Proof (.ots)', { exact: true }).setInputFiles(event)
    await check.click()
    await expect(page.getByText('This is not a proof of OpenTimestamps (.ots).')).toBeVisible()
    await page.getByLabel('Block headers').fill('abc')
    await expect(page.getByText('A header has 160 hexadecimal digits')).toBeVisible()
    await page.getByLabel('Block headers').fill('')
    await page.context().setOffline(false)

    // In a block of a test chain: the header matches, and the page says how little that proves.
    const header = calendar.mine()
    laterMs += DAY_MS / 24
    await outbox.deliver('stamp')
    await page.reload()
    await open(page, `${site.url}/predictions/mcafee-1m-2020`)
    await page.getByText('Proof in Bitcoin', { exact: true }).click()
    await expect(page.getByText('Attested in block 900000, as a calendar says')).toHaveCount(3)
    await page
      .getByText(/^Merkle path to the root/)
      .first()
      .click()
    await page.getByRole('button', { name: 'Check it here: Entry' }).click()
    await expect(page.getByText('Give its header to check that.')).toBeVisible()
    await page.getByLabel('Block headers').fill(`900000:${header}`)
    await check.click()
    await expect(page.getByText('Far too little work went into it')).toBeVisible()

    await expectAccessible(page, 'the proofs of a prediction', { within: 'main' })
  } finally {
    await site.stop()
    await close()
    await record.drop()
  }
})
