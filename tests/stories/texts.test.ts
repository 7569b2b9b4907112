import { expect, it } from 'vitest'
import { fullSite } from '#tests/support/full-site.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { jsonLines, linesOf, plain } from '#tests/support/readable.ts'
import { plainPages } from '#tests/support/test-app.ts'
import { renderPage } from '#web/render/render-page.tsx'
import { stillPartsReady } from '#web/ui/still.tsx'

const site = onceForFile(async () => {
  await stillPartsReady()
  return fullSite(plainPages((input) => renderPage(input, {})))
})

/** The addresses that each file holds. */
const FILES = {
  landing: '/',
  dashboards: '/btc /mstr?judge=close /naka /btc?day=2024-05-20',
  predictions:
    '/predictions/{near|moved-on|soon|early|range|top|bottom|day|gone|mended|split|none}',
  people: '/experts /experts?tab={statistics|funnel} /experts/{expert-a|firm-b|expert-c|none}',
  history: '/history /history/mstr?year=2024 /years /years/{2023|2024|2025}',
  news: '/today /corrections /reports /reports/{1|2}',
  about:
    '/methodology /data /about /terms /receipt/{none|%E0%A4%A|a%0Ab} /{confirm|following}/abcdefghijklmnopqrstuvwxyz /nothing',
  calls:
    '/api/v1/assets /api/intro/metrics /api/v1/status /live-price /api/v1/predictions/{near|none} /api/v1/experts/firm-b /api/v1/search?q={2021|expert%20a%20100k} /api/v1/assets/{mstr/dashboard|btc/targets|btc/people?q=firm} /api/v1/payments/options /api/v1/follow?kind=asset&subject=btc /api/v1/snapshots /api/v1/scores?as_of=2015-02-16',
  refusals:
    '/btc.csv?nothing=1 /experts.csv?sort=x /about.csv /history.csv?year=x /oembed?url=x&format=yaml /embed/{experts?find=zzz|predictions/none} /api/v1/scores?mode=touch&as_of={2001-01-01|2099-01-01} /api/{nothing|v1/search|predictions?cursor=x} /data/2001-01-01/scores.csv /years/1999/picture.svg',
  files:
    '/{mstr|experts|years|corrections|today}.csv /experts.csv?{tab=funnel|mode=close|asset=btc&from=2023&to=2024|side=up|recorded=before|sort=skill|find=x} /reports.json /{predictions/near|today}.metadata.json /{corrections|reports}/feed.xml /experts/firm-b/feed.json /oembed?url=http://localhost:3001/predictions/near /embed/{predictions/split|experts} /{predictions/near|years/2024|btc|mstr}/picture.svg /robots.txt',
}

/** An answer as text. Header, footer and cards for networks are those of the landing page. */
async function read(address: string): Promise<string> {
  const { statusCode, headers, body } = await site().app.inject(address)
  const type = String(headers['content-type'])
  const head = `# ${address}: ${String(statusCode)} ${type}\n`
  if (type.includes('json')) return head + jsonLines(JSON.parse(body))
  if (!/html|svg/.test(type)) return head + plain(body.replaceAll(/>\s*</g, '>\n<'))
  const isPage = body.includes('id="root"')
  if (isPage && /\sstyle="|<style|<script(?! type="application\/)/.test(body))
    throw new Error(`The content security policy does not allow what is on ${address}.`)
  if (address === '/' || !body.includes('<main')) return head + linesOf(body)
  const own = /<title>.*?<\/title>|<meta name="(?:description|robots)"[^>]*>|<main[^]*<\/main>/g
  return head + linesOf((body.match(own) ?? []).join(''))
}

const expanded = (address: string): string[] => {
  const [, before = '', words, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(address) ?? []
  return words?.split('|').map((word) => before + word + after) ?? [address]
}

it.each(Object.entries(FILES))('%s have their stored texts', async (name, addresses) => {
  const texts = []
  for (const address of addresses.split(' ').flatMap(expanded)) texts.push(await read(address))
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`../texts/${name}.txt`)
})
