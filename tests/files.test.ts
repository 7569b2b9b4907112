import { closesFile, entry } from '#tests/support/builders.ts'
import { testApp } from '#tests/support/test-app.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'

const JsonFeed = z.object({
  version: z.string(),
  items: z.array(z.object({ id: z.string(), url: z.url(), title: z.string() })),
})

it('offers new predictions and changed verdicts as feeds', async () => {
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

it('lists every page in the sitemap, escaped', async () => {
  await using world = await testApp()
  await world.imports.predictions(JSON.stringify([entry("a&b<'>")]))
  await world.refresh()
  const { body } = await world.app.inject('/sitemap.xml')
  expect(body).toContain('<loc>http://localhost:3001/btc</loc>')
  expect(body).toContain('<loc>http://localhost:3001/predictions/a%26b%3C&apos;%3E</loc>')
  expect(body).toContain('<loc>http://localhost:3001/experts/expert-a</loc>')
})

it('tells robots where the sitemap is', async () => {
  await using world = await testApp()
  expect((await world.app.inject('/robots.txt')).body).toContain(
    'Sitemap: http://localhost:3001/sitemap.xml',
  )
})
