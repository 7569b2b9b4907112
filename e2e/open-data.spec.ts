import { expectAccessible } from './support/accessible.ts'
import { expect, open, test } from './support/site.ts'

test('a page offers what it shows as files, and its citation, also after its filters changed', async ({
  page,
}) => {
  await open(page, '/btc')
  await page.getByText('Download and cite').click()
  const csv = page.getByRole('link', { name: 'CSV' })
  await expect(csv).toHaveAttribute('href', '/btc.csv')
  await page.getByRole('button', { name: /^Miss \d/ }).click()
  await expect(csv).toHaveAttribute('href', '/btc.csv?status=miss&on=miss')
  await expect(
    page.getByText(/^Proof of Price: “Bitcoin price predictions”, as of .*status=miss/),
  ).toBeVisible()

  const count = Number(
    /\d+/.exec((await page.getByRole('button', { name: /^Miss \d/ }).textContent()) ?? '')?.[0],
  )
  const download = page.waitForEvent('download')
  await csv.click()
  const file = await page.request.get(new URL((await download).url()).href)
  expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(count + 1)

  for (const path of ['/experts', '/experts/planb', '/history', '/predictions/mcafee-1m-2020']) {
    await open(page, path)
    await page.getByText('Download and cite').click()
    for (const name of ['JSON', 'About the data (JSON)', 'PNG', 'SVG']) {
      const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
      expect([path, name, (await page.request.get(href ?? '')).status()]).toEqual([path, name, 200])
    }
  }
  const none = await page.request.get('/eth.csv')
  expect([none.status(), await none.json()]).toEqual([
    404,
    expect.objectContaining({ error: 'No page at this address has a file.' }),
  ])
  await open(page, '/about')
  await expect(page.getByText('Download and cite')).toHaveCount(0)
})

test('without scripts the files of a page can be had, too', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/btc?status=miss')
  await page.getByText('Download and cite').click()
  await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute(
    'href',
    '/btc.csv?status=miss',
  )
  await context.close()
})

test('the judge of the site runs in the browser, on our prices and on a file of the visitor', async ({
  page,
}) => {
  await open(page, '/predictions/mcafee-1m-2020')
  await page.getByRole('button', { name: 'Judge it here' }).click()
  await expect(
    page.getByText(/^Our prices agree: MISS on .*, with the same evidence\.$/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'A file of your own' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose daily prices of BTC' }).click()
  await (
    await chooser
  ).setFiles({
    name: 'mine.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Date,Close\n2017-11-29,9900\n2017-11-30,1000001\n'),
  })
  await expect(page.getByText(/^Your prices say SUCCESS on 30\/11\/2017/)).toBeVisible()
  await expectAccessible(page, 'judge it here', { within: 'section:has(input[type=file])' })
})

test('the calls of the site can be read and tried out', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  await page.goto('/api/docs')
  await page.getByText('/api/v1/assets', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  const answer = page.locator('.live-responses-table')
  await expect(answer.getByRole('cell', { name: '200', exact: true })).toBeVisible()
  expect(refused).toEqual([])
})
