import { expect, type Locator, type Page } from '@playwright/test'
import { readNotes, realRelay } from '#tests/support/nostr-relay.ts'
import { blossomServer } from '#tests/support/stand-ins/blossom-server.ts'
import { faultyRelay, type SentEvent } from '#tests/support/stand-ins/faulty-relay.ts'
import { pds, PDS_ACCOUNT } from '#tests/support/stand-ins/pds.ts'
import { X_KEYS, xServer } from '#tests/support/stand-ins/x-server.ts'
import { startAdminSite } from './admin.ts'
import { ofAJob } from './site.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const PUBKEY = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e'

/** A site that posts to stand-ins of all networks. One of its two relays is rate limited. */
export async function startPublishingSite() {
  const x = await xServer()
  const relay = await realRelay()
  const busyRelay = await faultyRelay('rate-limits')
  const pictures = await blossomServer()
  const bluesky = await pds()
  const site = await startAdminSite({
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
  const stop = async (): Promise<void> => {
    await site.stop()
    await relay.close()
    for (const one of [busyRelay, pictures, bluesky, x]) await one[Symbol.asyncDispose]()
  }
  return {
    ...site,
    x,
    busyRelay,
    bluesky,
    stop,
    [Symbol.asyncDispose]: stop,
    /** Everything the site has published on the relay, read by another client. */
    readBack: (): Promise<readonly SentEvent[]> =>
      readNotes(relay.url, { authors: [PUBKEY], kinds: [1] }),
    open: async (page: Page, search = ''): Promise<void> => {
      await site.signIn(page)
      await page.goto(`${site.url}/admin/publish${search}`)
      // Each network is asked by the server.
      await expect(panel(page, 'X').getByText('connected')).toBeVisible(ofAJob())
      await expect(panel(page, 'Nostr').getByText('2 of 2 relays connected')).toBeVisible()
      await expect(panel(page, 'Bluesky').getByText(/^Posts as @site\.example\.org/)).toBeVisible()
    },
  }
}

export const panel = (page: Page, network: string): Locator =>
  page.getByRole('region', { name: network, exact: true })
export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

export async function planFor(page: Page, day: string): Promise<void> {
  await page.getByLabel('Date', { exact: true }).fill(day)
  await page.getByLabel('Time', { exact: true }).fill('09:30')
}
