import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { type ViewMetadata } from '#contracts/open-data.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { type ScoresReply } from '#contracts/scores.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { starterSite } from '#tests/support/starter-site.ts'

type Rows = readonly Readonly<Record<string, string>>[]

/** The starter record, not changed by any story here. */
const site = onceForFile(starterSite)
const inject = (url: string) => site().app.inject(url)

async function csvAt(url: string): Promise<Rows> {
  const { statusCode, headers, body } = await inject(url)
  expect([url, statusCode, headers['content-type']]).toEqual([
    url,
    200,
    'text/csv; charset=utf-8; header=present',
  ])
  return parse(body, { columns: true, bom: true })
}

describe('a page as a file', () => {
  it('contains the same rows as its page, for every filter', async () => {
    const all = (await inject('/api/predictions')).json<PredictionRow[]>()
    const whole = await csvAt('/btc.csv')
    expect(whole.map(({ id }) => id).toSorted(byText)).toEqual(
      all.map(({ id }) => id).toSorted(byText),
    )
    expect(whole.filter(({ on_chart: on }) => on === 'true')).toHaveLength(12)

    const of = (rows: Rows): readonly (string | undefined)[] => rows.map(({ id }) => id)
    const requested = (is: (row: PredictionRow) => boolean): string[] =>
      all.filter(is).map(({ id }) => id)
    for (const [query, is] of [
      ['status=miss', (row: PredictionRow) => row.verdicts.touch.outcome === 'miss'],
      ['status=success&judge=close', (row) => row.verdicts.close.outcome === 'hit'],
      ['experts=planb', (row) => row.influencer.slug === 'planb'],
      ['hmade=2021', (row) => row.prediction_made.startsWith('2021')],
      [
        'hdue=2026&hstatus=pending',
        (row) => row.target_time.startsWith('2026') && row.verdicts.touch.outcome === 'pending',
      ],
      [
        'experts=planb&hkind=target&hq=plan',
        (row) => row.influencer.slug === 'planb' && row.prediction_type === 'target',
      ],
    ] satisfies [string, (row: PredictionRow) => boolean][]) {
      const ids = of(await csvAt(`/btc.csv?${query}`))
      expect([query, ids.length > 0]).toEqual([query, true])
      expect(ids.toSorted(byText)).toEqual(requested(is).toSorted(byText))
    }

    // In the order of the table, and the same as JSON.
    const sorted = await csvAt('/btc.csv?hsort=-made')
    const days = sorted.map(({ made = '' }) => made)
    expect(days).toEqual(days.toSorted(byText).toReversed())
    const { rows } = (await inject('/btc.json?hsort=-made')).json<{
      rows: { id: string; error: number | null; deadline_assumed: boolean }[]
    }>()
    expect(rows.map(({ id }) => id)).toEqual(of(sorted))
    const [row] = rows
    expect(sorted[0]).toMatchObject({
      error: String(row?.error),
      deadline_assumed: String(row?.deadline_assumed),
    })
  })

  it('as of a past day contains nothing known later', async () => {
    const rows = await csvAt('/btc.csv?day=2021-03-12')
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      const days = [row['made'], row['decided'], row['nearest_on']]
      expect([row['id'], days.filter((date = '') => date > '2021-03-12')]).toEqual([row['id'], []])
      expect(row).toMatchObject({ public_text: '', recorded: '', repeats: '' })
    }
    const about = (await inject('/btc.metadata.json?day=2021-03-12')).json<ViewMetadata>()
    expect(about).toMatchObject({ as_of: '2021-03-12', prices_through: { btc: '2021-03-12' } })
  })

  it('of the board, a person, and all calls has their rows', async () => {
    const scores = (await inject('/api/v1/scores')).json<ScoresReply>()
    const board = await csvAt('/experts.csv')
    expect(board.map(({ person }) => person).slice(0, 3)).toEqual(
      scores.people.slice(0, 3).map(({ name }) => name),
    )
    const person = await csvAt('/experts/planb.csv')
    expect(person.length).toBeGreaterThan(5)
    expect(new Set(person.map(({ person_id: slug }) => slug))).toEqual(new Set(['planb']))
    const again = person.find(({ repeats }) => repeats !== '')
    expect(person.map(({ id }) => id)).toContain(again?.repeats)
    const message = await csvAt('/history.csv?year=2021')
    expect(message.length).toBeGreaterThan(150)
    for (const { made, stands_out: front } of message) {
      expect(front).toBe(String(made?.startsWith('2021')))
    }
    const all = await csvAt('/history/mstr.csv')
    expect(all.length).toBeGreaterThan(20)
    expect(new Set(all.map((row) => row['stands_out']))).toEqual(new Set(['false']))
    const due = await csvAt('/years.csv')
    const of2021 = due.find(({ asset, year }) => asset === 'btc' && year === '2021')
    const year = await csvAt('/years/2021.csv')
    // Calls that repeat an earlier one have a row, and are not counted.
    expect(year.length).toBeGreaterThan(Number(of2021?.['due']))
    expect(year.every(({ deadline }) => deadline?.startsWith('2021'))).toBe(true)
    const mstr = await csvAt('/years/2025/mstr.csv')
    expect(new Set(mstr.map(({ asset }) => asset))).toEqual(new Set(['mstr']))
    const [first] = await csvAt('/btc.csv?hby=year')
    const columns = ['year', 'calls', 'decided', 'hits', 'median_error']
    expect(Object.keys(first ?? {})).toEqual(columns)
  })

  it('describes its columns, its citation and the terms of its price sources', async () => {
    const about = (await inject('/btc.metadata.json?status=miss')).json<ViewMetadata>()
    expect(about.title).toBe('Bitcoin price predictions')
    expect(about.url).toMatch(/^https?:\/\/[^/]+\/btc\?status=miss$/)
    expect(about.files.csv).toMatch(/\/btc\.csv\?status=miss$/)
    expect(about.filters).toEqual({ status: 'miss' })
    expect(about.citation).toMatch(
      /^Proof of Price: “Bitcoin price predictions”, as of \d{1,2} \w{3} \d{4}, rule set 2\. https?:\S+\/btc\?status=miss \(CC BY 4\.0\)$/,
    )
    const rows = await csvAt('/btc.csv?status=miss')
    expect(about.rows).toBe(rows.length)
    expect(about.columns.map(({ name }) => name)).toEqual(Object.keys(rows[0] ?? {}))
    expect(about.columns.every(({ about }) => about.length > 4)).toBe(true)
    expect(about.price_sources).toMatchObject([{ source: 'starter', redistributable: false }])

    const one = (await inject('/predictions/mcafee-1m-2020.json')).json<Record<string, unknown>>()
    expect(one).toMatchObject({
      title: 'John McAfee: Bitcoin at $1,000,000 by 31/12/2020',
      prediction: { id: 'mcafee-1m-2020', success_status: 'miss' },
      licence: 'CC BY 4.0',
    })
    expect(one['citation']).toContain('John McAfee: Bitcoin at $1,000,000')
    const alone = (await inject('/predictions/mcafee-1m-2020.metadata.json')).json<ViewMetadata>()
    expect(alone.files).toEqual({ json: `${alone.url}.json` })
  })

  it('rejects unsupported filters with a message', async () => {
    for (const [url, status, says] of [
      ['/btc.csv?stauts=miss', 400, 'This view has no filter “stauts”. It has: frame,'],
      [
        '/btc.csv?status=wrong',
        400,
        'The filter status is “wrong”, but has to be one of all, pending, success, miss.',
      ],
      [
        '/btc.json?hmade=20x1',
        400,
        'The filter hmade is “20x1”, but has to be a year, such as 2021.',
      ],
      ['/btc.csv?from=2030-01-01&to=2020-01-01', 400, 'The filter from should be less than to.'],
      ['/btc.csv?low=10', 400, 'The filters low and high go together.'],
      ['/btc.csv?low=abc&high=10', 400, 'has to be a price in USD'],
      ['/btc.csv?frame=banana', 400, 'has to be one of ALL, 1Y'],
      ['/btc.csv?hpage=banana', 400, 'has to be the number of a page'],
      ['/btc.csv?status=miss&status=success', 400, 'The filter status is given more than once.'],
      ['/btc.csv?day=2050-01-01', 400, 'The filter day should be a day up to today.'],
      ['/experts.csv?from=2025&to=2015', 400, 'The filter from should be less than to.'],
      ['/experts.csv?from=1999', 400, 'has to be a year from 2000, such as 2021.'],
      ['/history.csv?year=1800', 400, 'has to be a year, such as 2021.'],
      ['/btc.json?day=2021-02-30', 400, 'has to be a day, such as 2021-03-12.'],
      ['/btc.csv?experts=nobody-here', 400, 'names “nobody-here”, who has no call here.'],
      ['/experts.csv?sort=height', 400, 'The filter sort is “height”'],
      ['/history.csv?person=nobody-here', 400, 'who has no call here.'],
      ['/experts/planb.csv?status=miss', 400, 'This view has no filters.'],
      ['/experts/nobody-here.csv', 404, ''],
      ['/years/1999.csv', 404, 'No call was or is due in this year.'],
      ['/years/2021/doge.json', 404, 'No call was or is due in this year.'],
      ['/years.csv?year=2021', 400, 'This view has no filters.'],
      ['/history/doge.csv', 404, 'No page at this address has a file.'],
      ['/predictions/nothing.json', 404, 'There is no prediction at this address.'],
      ['/predictions/nothing.metadata.json', 404, 'There is no prediction at this address.'],
    ] as const) {
      const { statusCode, body } = await inject(url)
      expect([url, statusCode]).toEqual([url, status])
      expect(body).toContain(says)
    }
    for (const url of ['/experts.csv?from=2021&to=2021', '/btc.csv?low=9000&high=10000']) {
      expect([url, (await inject(url)).statusCode]).toEqual([url, 200])
    }
  })
})

function byText(a = '', b = ''): number {
  return a < b ? -1 : 1
}
