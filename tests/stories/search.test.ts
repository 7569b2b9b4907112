import { onceForFile } from '#tests/support/once-for-file.ts'
import { type SearchReply } from '#contracts/search.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { describe, expect, it } from 'vitest'

async function search(world: TestApp, q: string): Promise<SearchReply['groups']> {
  const answer = await world.app.inject(`/api/v1/search?q=${encodeURIComponent(q)}`)
  expect([q, answer.statusCode]).toEqual([q, 200])
  return answer.json<SearchReply>().groups
}

const site = onceForFile(starterSite)

describe('searching the record', () => {
  it('a search finds people first, then years, then predictions by level, deadline and day made', async () => {
    const world = site()
    const [people, calls] = await search(world, 'saylor')
    expect([people?.title, people?.found[0]?.path]).toEqual(['People', '/experts/michael-saylor'])
    expect(people?.found[0]?.text).toMatch(
      /^\d+ predictions?: \d+ came true, \d+ missed, \d+ open$/,
    )
    expect(calls?.found[0]?.title).toMatch(/^Michael Saylor: /)

    const [levels] = await search(world, '150k')
    const exact = levels?.found.findLastIndex(({ title }) => title.includes('$150,000')) ?? -1
    const around = levels?.found.findIndex(({ title }) => !title.includes('$150,000')) ?? -1
    expect(exact).toBeGreaterThan(0)
    expect(around === -1 || around > exact).toBe(true)
    expect(await search(world, '$150,000')).toEqual(await search(world, '150k'))

    const [years, due, made] = await search(world, '2026')
    expect(years?.found.map(({ path }) => path)).toContain('/years/2026')
    expect([due?.title, made?.title]).toEqual([
      'Predictions due in 2026',
      'Predictions made in 2026',
    ])
    expect(due?.total).toBeGreaterThanOrEqual(9)
    expect(due?.found.length).toBe(8)

    const [person, inYear] = await search(world, 'planb 2021')
    expect(person?.found.map(({ path }) => path)).toEqual(['/experts/planb'])
    expect(inYear?.found.length).toBeGreaterThan(0)
    for (const { title, text } of inYear?.found ?? []) {
      expect([title, text]).toEqual([
        expect.stringMatching(/^PlanB: /),
        expect.stringContaining('2021'),
      ])
    }
  })

  it('a search for a year says how far off the calls were that were made in it', async () => {
    const world = site()
    const [years] = await search(world, '2021 btc')
    expect(years?.found.map(({ path }) => path)).toEqual(['/years/2021', '/history?year=2021'])
    expect(years?.found[1]?.text).toMatch(
      /^\d+ of \d+ decided calls came true; the middle one was \d/,
    )
  })

  it('a search for nothing, and one that nothing fits, finds nothing; one too long is refused', async () => {
    const world = site()
    for (const q of ['', '  ', '$', 'zzzz', '$1.23456', 'zzzz 1999', '%', '((', '\u0000']) {
      expect([q, await search(world, q)]).toEqual([q, []])
    }
    const long = await world.app.inject(`/api/v1/search?q=${'a'.repeat(101)}`)
    expect(long.statusCode).toBe(400)
  })
})
