import { describe, expect, it } from 'vitest'
import { fileReport } from '#contracts/reports.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { sharedCorrected } from '#tests/support/corrected.ts'
import { Failed, world } from '#tests/support/payment-world.ts'
import { type TestApp } from '#tests/support/test-app.ts'

const WORDS = 'It was said <b>in 2025</b>.\u202E\n\nSee the video.'
const GIVEN = {
  prediction: 'a',
  kind: 'date',
  explanation: WORDS,
  source: 'https://example.org/said?by=ada',
}

async function file(world: TestApp, overrides: object = {}, remoteAddress = '192.0.2.1') {
  const payload = { ...GIVEN, ...overrides }
  const url = fileReport.path
  const answer = await world.app.inject({ method: 'POST', url, payload, remoteAddress })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<unknown>() }
}

async function filed(world: TestApp, overrides: object = {}, remoteAddress?: string) {
  const { body } = await file(world, overrides, remoteAddress)
  return fileReport.reply.parse(body)
}

describe('a reported error', () => {
  const on = sharedCorrected()

  it('that is invalid is rejected with a message, and no network can block others from reporting', async () => {
    const { world, admin } = on
    const withdrawal = { version: 0, reason: 'Said by another' }
    await admin.call('POST', '/api/v1/admin/predictions/b/withdraw', withdrawal)
    await world.refresh()
    for (const [input, status, sentence] of [
      [{ prediction: 'x' }, 404, 'There is no such prediction.'],
      [{ prediction: '' }, 400, 'There is no such prediction.'],
      [{ kind: 'spam' }, 400, ''],
      [{ explanation: '' }, 400, 'Please say what is wrong, and what would be right.'],
      [{ explanation: 'a'.repeat(9_000) }, 400, ''],
      [{ source: 'http://example.org' }, 400, 'Please enter the address of a public page'],
      [{ kind: 'double', other: 'x' }, 400, 'There is no such prediction on this site.'],
      [{ kind: 'double', other: 'b' }, 400, 'There is no such prediction on this site.'],
      [{ state: 'accepted' }, 400, ''],
    ] as const) {
      const { status: got, body } = await file(world, input, '198.18.3.1')
      expect([input, got]).toEqual([input, status])
      expect(Failed.parse(body).error).toContain(sentence)
    }
    const source = (n: number) => ({ source: `https://example.org/${String(n)}` })
    for (let n = 0; n < 10; n++) await filed(world, source(n), `198.18.2.${String(n)}`)
    const { status, body, headers } = await file(world, source(10), '198.18.2.99')
    expect([status, headers['retry-after'], Failed.parse(body).error]).toEqual([
      429,
      '3600',
      'Many reports have come from your network. Please try again in an hour.',
    ])
    // An error reported before is accepted, and marked as known.
    expect(await filed(world, source(3), '198.18.2.99')).toMatchObject({ number: 4, known: true })
    // Other networks continue, up to the hourly total.
    expect(await filed(world, source(10), '198.51.100.1')).toMatchObject({ number: 11 })
    const others = (many: number) =>
      world.sql(
        `insert into door_entries (door, prefix, at) select door, 'others', at from door_entries, generate_series(1, $1) where id = (select min(id) from door_entries)`,
        [many],
      )
    // Strangers who have used up one half leave the other to newcomers.
    await others(100)
    expect(await filed(world, source(11), '203.0.113.1')).toMatchObject({ number: 12 })
    await others(8)
    const all = await file(world, source(12), '203.0.114.1')
    expect([all.status, Failed.parse(all.body).error]).toEqual([
      429,
      'Many people are reporting errors at the moment. Please try again in an hour.',
    ])
    // Thirty within a day, none of them within an hour.
    await world.sql(`
      update door_entries set at = at - interval '2 hours';
      insert into door_entries (door, prefix, at) select door, prefix, at from door_entries, generate_series(1, 2)
        where prefix = (select prefix from door_entries order by id limit 1)`)
    const today = await file(world, source(12), '198.18.2.7')
    expect([today.status, today.headers['retry-after']]).toEqual([429, '79200'])
    await world.sql('delete from door_entries where id = (select min(id) from door_entries)')
    await filed(world, source(12), '198.18.2.7')
  })
})

const priced = async ({ imports, refresh }: TestApp): Promise<void> => {
  await imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  await imports.predictions(JSON.stringify([entry('a')]))
  await refresh()
}

it('the origin of a report is stored as a hash, and deleted after a day, even without further reports', async () => {
  await using site = await world()
  await priced(site)
  await filed(site)
  const known = async () => (await site.sql('select prefix from door_entries')).map(String).length
  expect(await known()).toBe(1)
  site.clock.ms += 25 * 3_600_000
  await site.jobs.drain('unpaid-removal')
  expect(await known()).toBe(0)
})
