import { closesFile, entry } from '#tests/support/builders.ts'
import { testApp } from '#tests/support/test-app.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'

/** Strict: a field that has not been checked, above all `content_html`, is a fault. */
const JsonFeed = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  description: z.string(),
  home_page_url: z.url(),
  feed_url: z.url(),
  favicon: z.url(),
  language: z.literal('en'),
  items: z.array(
    z.strictObject({
      id: z.string(),
      url: z.url(),
      title: z.string(),
      content_text: z.string(),
      date_published: z.iso.datetime(),
      tags: z.array(z.string()),
    }),
  ),
})

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert('x')</script>]]> \u0001 &amp;`

it('the feeds offer new predictions and changed verdicts', async () => {
  await using world = await testApp()
  await world.imports.predictions(JSON.stringify([entry('a', { expert_name: 'A & <b>B</b>' })]))
  await world.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
  await world.refresh()
  const feed = JsonFeed.parse((await world.get('/feed.json')).body)
  expect(feed.items.map((item) => item.title)).toEqual([
    'SUCCESS: A & <b>B</b>: Bitcoin at $150 by 10/01/2024',
    'SUCCESS: A & <b>B</b>: Bitcoin at $150 by 10/01/2024',
  ])
  expect(feed.items[0]?.url).toBe('http://localhost:3001/predictions/a')
  const rss = await world.app.inject('/feed.xml')
  expect(rss.headers['content-type']).toContain('application/rss+xml')
  expect(rss.body).toContain('A &amp; &lt;b&gt;B&lt;/b&gt;')
  expect(rss.body).not.toContain('<b>B</b>')
})

it('markup of a submitter is text in both feeds', async () => {
  await using world = await testApp()
  await world.imports.predictions(JSON.stringify([entry('a', { summary: HOSTILE })]))
  await world.refresh()
  const feed = JsonFeed.parse((await world.get('/feed.json')).body)
  expect(feed.items[0]?.content_text).toContain(HOSTILE)
  const rss = (await world.app.inject('/feed.xml')).body
  expect(rss).not.toMatch(/[^\P{Cc}\t\n\r]/u)
  // A reader takes the XML apart first, and reads what is left as HTML: in that nothing may begin an element.
  const html = /<description><!\[CDATA\[("|&quot;)(.*?)\]\]><\/description>/su.exec(rss)?.[0] ?? ''
  const inside = html.slice('<description><![CDATA['.length, -']]></description>'.length)
  expect(inside).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;')
  expect(inside).toContain(']]&gt;  &amp;amp;')
  expect(inside).not.toMatch(/[<>]/)
})

it('the sitemap lists every page, escaped', async () => {
  await using world = await testApp()
  await world.imports.predictions(JSON.stringify([entry("a&b<'>")]))
  await world.refresh()
  const { body } = await world.app.inject('/sitemap.xml')
  expect(body).toContain('<loc>http://localhost:3001/btc</loc>')
  expect(body).toContain('<loc>http://localhost:3001/predictions/a%26b%3C&apos;%3E</loc>')
  expect(body).toContain('<loc>http://localhost:3001/experts/expert-a</loc>')
})

it('robots.txt names the sitemap', async () => {
  await using world = await testApp()
  expect((await world.app.inject('/robots.txt')).body).toContain(
    'Sitemap: http://localhost:3001/sitemap.xml',
  )
})
