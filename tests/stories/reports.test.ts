import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { fileReport, listReports } from '#contracts/reports.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { sharedCorrected, type CorrectedSite } from '#tests/support/corrected.ts'
import { Failed, world } from '#tests/support/payment-world.ts'
import { type TestApp, pageAt } from '#tests/support/test-app.ts'
import { TEST_ORIGIN } from '#tests/support/test-site.ts'

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

const pageOf = async (world: TestApp, number: number) =>
  (await pageAt(world, `/reports/${String(number)}`, 'report')).report

const logOf = async (world: TestApp) => (await pageAt(world, '/corrections', 'corrections')).log

function decide({ admin }: CorrectedSite, number: number, what: string, body?: object) {
  const method = what === 'text' ? 'PUT' : 'POST'
  return admin.call(method, `${listReports.path}/${String(number)}/${what}`, body)
}

const DECLINED = { reason: 'The record is right', answer: 'The video is of 2024.' }

describe('a reported error', () => {
  const on = sharedCorrected()

  it('gets a number and a page at once, and is accepted by a correction', async () => {
    const { world } = on
    expect(await filed(world)).toEqual({
      success: true,
      message: 'Thank you. This is report 1.',
      number: 1,
      path: '/reports/1',
      known: false,
    })
    const open = await pageOf(world, 1)
    expect(open).toMatchObject({
      state: 'open',
      kind: 'date',
      prediction: { id: 'a', person: { name: 'Expert A' } },
      sourceHost: 'example.org',
      decided: null,
    })
    // Nobody has read it yet: neither its words nor the whole address of its source are shown, anywhere.
    const everywhere = ['/reports.csv', '/reports.json', '/reports/feed.xml', '/reports/feed.json']
    const texts = async () =>
      Promise.all(
        ['/api/v1/page?url=/reports', '/api/v1/page?url=/reports/1', ...everywhere].map(
          async (url) => {
            const { statusCode, body } = await world.app.inject(url)
            expect([url, statusCode]).toEqual([url, 200])
            return body
          },
        ),
      )
    expect((await texts()).join()).not.toMatch(/in 2025|by=ada|192\.0\.2/)

    // Reported again in other words and with another address of the same page, it is the same report; another kind is
    // not.
    const again = { explanation: 'Wrong day', source: 'https://www.example.org/said/?by=ada#t=5' }
    expect(await filed(world, again, '198.51.100.7')).toMatchObject({ number: 1, known: true })
    const double = { kind: 'double', other: '/predictions/b', source: null }
    expect(await filed(world, double)).toMatchObject({ number: 2, known: false })
    // From the side of the other prediction it is the same double.
    const same = { ...double, prediction: 'b', other: 'a' }
    expect(await filed(world, same)).toMatchObject({ number: 2, known: true })
    expect(await filed(world, { kind: 'words' })).toMatchObject({ number: 3 })

    // A private note is no correction: it accepts nothing.
    const note = await on.refused('PUT', '', { remarks: 'seen', reports: [1] })
    expect(note).toMatchObject({ status: 400, error: 'Only a public change can accept a report.' })
    expect((await on.readDetail()).remarks).toBeNull()
    // Nor can a correction name a report about something else, or one that does not exist.
    const elsewhere = await filed(world, { prediction: 'b' })
    const edit = { price_target: '$140', reason: 'As the video says' }
    const wrong = { ...edit, reports: [1, elsewhere.number] }
    expect(await on.refused('PUT', '', wrong)).toMatchObject({ status: 409 })
    expect(await pageOf(world, 1)).toMatchObject({ state: 'open' })

    await on.change('PUT', '', { ...edit, reports: [3, 1] })
    const accepted = await pageOf(world, 1)
    expect(accepted).toMatchObject({
      state: 'accepted',
      explanation: 'It was said <b>in 2025</b>.\n\nSee the video.',
      source: GIVEN.source,
      decided: { reason: null, answer: null },
    })
    expect(accepted.corrections[0]?.text).toBe(
      'Corrected: the level from Target $150 to Target $140. Reason: As the video says.',
    )
    expect(await pageOf(world, 3)).toMatchObject({
      state: 'accepted',
      corrections: accepted.corrections,
    })
    // Each event of the correction names its reports on the page and in the feeds, and the first one in the file.
    const log = await logOf(world)
    expect(log.rows.map(({ number, reports }) => [number, reports])).toEqual(
      accepted.corrections.toReversed().map(({ number }) => [number, [1, 3]]),
    )
    const named = `Reported: report 1, ${TEST_ORIGIN}/reports/1; report 3, ${TEST_ORIGIN}/reports/3.`
    for (const feed of ['/corrections/feed.xml', '/corrections/feed.json']) {
      expect((await world.app.inject(feed)).body).toContain(named)
    }
    const { body } = await world.app.inject('/corrections.csv')
    const rows = parse<Record<string, string>>(body, { bom: true, columns: true })
    expect(rows.map((row) => row['report'])).toEqual(log.rows.map(() => '1'))
    // Its text is plain wherever it is shown.
    const [page] = await texts()
    expect(page).not.toContain('\u202E')
    expect((await on.audit()).slice(0, 3).map(({ action }) => action)).toEqual([
      'report accepted',
      'report accepted',
      'prediction edited',
    ])

    // Withdrawing one of the two accepts the report of a duplicate.
    await on.change('POST', '/withdraw', { reason: 'On record as b', reports: [2] })
    expect(await pageOf(world, 2)).toMatchObject({ state: 'accepted', withdrawn: true })
    expect((await logOf(world)).rows[0]).toMatchObject({ kind: 'withdrawn', reports: [2] })
    const late = await file(world, { source: 'https://example.org/else' })
    expect(late.status).toBe(409)
    expect(Failed.parse(late.body).error).toMatch(
      /^This prediction was withdrawn on 20\/11\/2026: /,
    )
    expect(await pageAt(world, '/reports?state=accepted')).toMatchObject({
      reports: { total: 3, counts: { open: 1, accepted: 3, declined: 0 } },
    })
    expect(await pageAt(world, '/reports?prediction=b')).toMatchObject({ reports: { total: 2 } })
    expect(await pageAt(world, '/reports?prediction=%00')).toMatchObject({ reports: { total: 4 } })
    expect(await pageAt(world, '/reports/99')).toEqual({ page: 'missing', what: 'report' })
  })

  it('is declined with a reason and a sentence, reopened, or withheld; and accepted later through a correction', async () => {
    const { world, admin } = on
    await on.change('PUT', '', { quote: 'Before it', reason: 'Our words' })
    await filed(world)
    const nothing = await decide(on, 1, 'decline', { ...DECLINED, answer: ' \u202E ' })
    expect([nothing.status, Failed.parse(nothing.body).fields]).toEqual([
      400,
      { answer: 'Please say why in a sentence: it is shown on the page of the report.' },
    ])
    expect((await decide(on, 1, 'decline', { ...DECLINED, withheld: true })).status).toBe(200)
    expect(await pageOf(world, 1)).toMatchObject({
      state: 'declined',
      explanation: null,
      source: null,
      sourceHost: null,
      withheld: true,
      decided: DECLINED,
    })
    await decide(on, 1, 'text', { withheld: false })
    expect(await pageOf(world, 1)).toMatchObject({ source: GIVEN.source, withheld: false })
    // Once declined, it no longer blocks the next one.
    expect(await filed(world)).toMatchObject({ number: 2, known: false })
    const twice = await decide(on, 1, 'decline', DECLINED)
    expect(Failed.parse(twice.body).error).toMatch(/^Report 1 was declined by .+ on 20\/11\/2026/)
    const named = { quote: 'X', reason: 'Y', reports: [1] }
    expect((await on.refused('PUT', '', named)).status).toBe(409)

    expect((await decide(on, 1, 'reopen')).status).toBe(200)
    expect(await pageOf(world, 1)).toMatchObject({
      state: 'open',
      explanation: null,
      decided: null,
    })
    // A correction made without naming the report can accept it afterwards; one older than the report cannot.
    await on.change('PUT', '', { quote: 'After it', reason: 'Our words again' })
    const listed = await admin.read(listReports)
    const [first] = listed.rows
    expect([listed.total, first?.number, first?.since.map(({ text }) => text)]).toEqual([
      2,
      1,
      ['Corrected: the summary. Reason: Our words again.'],
    ])
    const numbers = (await logOf(world)).rows.map(({ number }) => number)
    const early = await decide(on, 1, 'accept', { correction: numbers.at(-1) })
    expect([early.status, Failed.parse(early.body).error]).toEqual([
      400,
      `Correction ${String(numbers.at(-1))} is not about this prediction, or was made before the report arrived.`,
    ])
    const feed = async () => (await world.app.inject('/corrections/feed.json')).body
    expect(await feed()).not.toContain('Reported: report 1')
    expect((await decide(on, 1, 'accept', { correction: numbers[0] })).status).toBe(200)
    expect((await on.admin.read(listReports)).rows.map(({ number }) => number)).not.toContain(1)
    expect(await feed()).toContain('Reported: report 1')
    expect((await logOf(world)).rows[0]?.reports).toEqual([1])
    expect((await on.audit()).map(({ action }) => action).slice(0, 6)).toEqual([
      'report accepted',
      'prediction edited',
      'report opened again',
      'report text shown',
      'report declined',
      'prediction edited',
    ])
    expect((await decide(on, 77, 'reopen')).status).toBe(404)
  })

  it('keeps its text withheld when it is declined without deciding that', async () => {
    await filed(on.world)
    await decide(on, 1, 'text', { withheld: true })
    await decide(on, 1, 'decline', DECLINED)
    expect(await pageOf(on.world, 1)).toMatchObject({ withheld: true, explanation: null })
    await decide(on, 1, 'reopen')
    await decide(on, 1, 'decline', { ...DECLINED, withheld: false })
    expect(await pageOf(on.world, 1)).toMatchObject({ withheld: false, source: GIVEN.source })
  })

  it('is accepted by a later merge of two people, if that moved its prediction', async () => {
    const { world, admin } = on
    await filed(world, { kind: 'double', other: 'b', source: null })
    await filed(world, { kind: 'person', prediction: 'b' })
    const people = await world.sql(
      'select influencer_id::int as id from predictions order by predictions.id',
    )
    const merge = { version: 0, into: people[1]?.id, reason: 'One person' }
    const url = `/api/v1/admin/experts/${String(people[0]?.id)}/merge`
    expect((await admin.call('POST', url, merge)).status).toBe(200)
    await world.refresh()
    const listed = await admin.read(listReports)
    expect(listed.rows.map(({ number, since }) => [number, since.length])).toEqual([
      [1, 1],
      [2, 0],
    ])
    const correction = listed.rows[0]?.since[0]?.number
    expect((await decide(on, 1, 'accept', { correction })).status).toBe(200)
    expect(await pageOf(world, 1)).toMatchObject({
      state: 'accepted',
      corrections: [
        { text: 'Now listed under Expert B (previously Expert A). Reason: One person.' },
      ],
    })
    await world.refresh()
    expect((await logOf(world)).rows[0]).toMatchObject({ kind: 'edited', reports: [1] })
    expect((await decide(on, 2, 'accept', { correction })).status).toBe(400)
  })

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
