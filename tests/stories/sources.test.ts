import { describe, expect, it } from 'vitest'
import { onePrediction, PredictionList } from '#contracts/predictions.ts'
import { oneSubmission } from '#contracts/review.ts'
import { migrateDatabase } from '#server/kit/db.ts'
import { entry } from '#tests/support/builders.ts'
import { sharedCorrected } from '#tests/support/corrected.ts'
import { earlierDatabase, MIGRATIONS } from '#tests/support/databases.ts'
import { approve, count, handIn, tryOut, undo } from '#tests/support/review.ts'

const on = sharedCorrected()
const REASON = 'Found where it was said'

const PAGE = 'https://example.org/report?id=7'
const FIVE = [
  { kind: 'repost', url: 'https://example.org/repost' },
  { kind: 'report', url: PAGE, date: '2024' },
  {
    kind: 'report',
    url: 'https://example.org/earlier',
    date: '2023-12',
    archived_url: 'https://web.archive.org/web/20240101000000/https://www.example.org/earlier/',
  },
  { kind: 'interview', url: 'https://example.org/talk', quotation: 'I say 150.', speaker: 'Ada' },
  { url: 'https://www.sec.gov/filing', date: '2024-01-01' },
]
const BEST_FIRST = [
  'https://www.sec.gov/filing',
  'https://example.org/talk',
  'https://example.org/earlier',
  PAGE,
  'https://example.org/repost',
]

describe('sources of a prediction', () => {
  it('five sources entered by hand are public, best first', async () => {
    await on.change('PUT', '', { sources: FIVE, reason: REASON })
    const { prediction } = await on.world.read(onePrediction, 'a')
    expect(prediction.source_url).toBe(BEST_FIRST[0])
    expect(prediction.sources.map(({ url }) => url)).toEqual(BEST_FIRST)
    expect(prediction.sources.slice(0, 3)).toMatchObject([
      { kind: 'filing', date: '2024-01-01', archived_url: null },
      { kind: 'interview', date: null, quotation: 'I say 150.', speaker: 'Ada' },
      { kind: 'report', date: '2023-12', archived_url: FIVE[2]?.archived_url },
    ])
    expect((await on.historyTexts()).at(-1)).toContain(REASON)
  })

  // Other faults are tested with the rules.
  it('a wrong source is refused at its field, in a correction and in a file', async () => {
    const sources = [{ url: PAGE }, { url: BEST_FIRST[0], date: '2099-01-01' }]
    const field = 'sources.1.date'
    const refused = await on.refused('PUT', '', { sources, reason: REASON })
    expect(refused).toMatchObject({ status: 400, fields: { [field]: expect.any(String) } })
    const file = JSON.stringify([entry('new', { sources })])
    expect(JSON.stringify(await on.world.imports.predictions(file))).toContain(field)
    expect((await on.world.get('/api/v1/predictions/new')).status).toBe(404)
    expect((await on.readDetail()).prediction.source_url).toBe('https://example.org/source')
  })

  it('a review fills in the sources; the prediction has them until the approval is undone', async () => {
    const id = await handIn(on.admin)
    const save = (body: object) =>
      on.admin.call('PUT', `/api/admin/prediction_submissions/${id}/update`, body)
    const bad = await save({ sources: [{ url: PAGE, quotation: 'Hm.' }] })
    expect(bad.status).toBe(400)
    expect(bad.body).toMatchObject({ fields: { 'sources.0.speaker': expect.any(String) } })
    // An archive that names no page is accepted once a person has confirmed it.
    const archive = { archived_url: 'https://perma.cc/AB12-CD34', archive_checked: true }
    const input = FIVE.map((one) => (one.url === PAGE ? { ...one, ...archive } : one))
    expect((await save({ sources: input })).body).toMatchObject({
      submission: { source_url: BEST_FIRST[0] },
    })
    const submitted = async () => {
      return (await on.admin.read(oneSubmission, id)).submission.sources.map(({ url }) => url)
    }
    const published = async () => {
      const { prediction_id: at } = await approve(on.admin, id)
      await on.world.refresh()
      return (await on.world.read(onePrediction, at)).prediction.sources
    }
    const stored = () => count(on.world, `sources where prediction_id not in ('a', 'b')`)
    const first = await published()
    expect(first.map(({ url }) => url)).toEqual(BEST_FIRST)
    expect(first.find(({ url }) => url === PAGE)).toMatchObject({
      archived_url: archive.archived_url,
    })
    const undone = await undo(on.admin, id)
    expect([undone.status, await stored(), await submitted()]).toEqual([200, 0, BEST_FIRST])
    expect(await published()).toEqual(first)
  })

  it('a source sent as an address only, in a file or a call, keeps its stored details and all other sources', async () => {
    const take = async (input: Readonly<Record<string, unknown>>) => {
      await on.world.publish(entry('c', input))
      return (await on.world.read(onePrediction, 'c')).prediction
    }
    await take({ sources: FIVE })
    const known = 'http://www.sec.gov/filing/'
    const again = await take({ source_url: known })
    expect(again.sources.map(({ url }) => url)).toEqual([known, ...BEST_FIRST.slice(1)])
    expect(again.sources[0]).toMatchObject({ kind: 'filing', date: '2024-01-01' })
    const found = 'https://example.org/found'
    // Twice: the second time nothing is new.
    await take({ source_url: found })
    const after = await take({ source_url: found })
    expect(after.source_url).toBe(found)
    expect(after.sources.map(({ url }) => url)).toEqual([found, ...BEST_FIRST.slice(1)])
    expect(after.sources[1]).toMatchObject({ quotation: 'I say 150.', speaker: 'Ada' })
    // A row without sources keeps them.
    expect((await take({ source_url: null, summary: 'Said it.' })).sources).toEqual(after.sources)

    await on.change('PUT', '', { sources: FIVE, reason: REASON })
    const { prediction } = await on.change('PUT', '', { source_url: PAGE, reason: REASON })
    const others = BEST_FIRST.filter((url) => url !== PAGE)
    expect(prediction.sources.map(({ url }) => url)).toEqual([PAGE, ...others])
    expect(prediction.sources[0]).toMatchObject({ kind: 'report', date: '2024' })
    // A form sends the sources unchanged: editing something else does not reorder them.
    const { sources } = prediction
    const edited = await on.change('PUT', '', { sources, quote: 'Said it.', reason: REASON })
    expect(edited.prediction.source_url).toBe(PAGE)
  })

  it('a prediction known only from reposts says so in the calls', async () => {
    const repost = { kind: 'repost', url: PAGE }
    const input: Record<string, object[]> = {
      reposts: [repost, { kind: 'repost', url: 'https://example.org/other' }],
      both: [repost, { kind: 'report', url: 'https://example.org/other' }],
      none: [],
    }
    const rows = Object.entries(input).map(([id, sources]) =>
      entry(id, { sources, source_url: null }),
    )
    await on.world.publish(...rows)
    const { body } = await on.world.get('/api/predictions')
    const message = PredictionList.parse(body).map((row) => [row.id, row.only_reposts])
    expect(Object.fromEntries(message)).toMatchObject({ reposts: true, both: false, none: false })
  })

  it('a reviewer sees pending submissions of the same page with another deadline', async () => {
    const page = (rest: string) => ({ source_url: `https://news.example.com/said${rest}` })
    const first = await handIn(on.admin, page(''))
    const other = { ...page('?utm_source=x'), target_time: '2028-06-30' }
    const second = await handIn(on.admin, other)
    const elsewhere = await handIn(on.admin, { ...other, ...page('-again') })
    const warned = async (id: string) => {
      const { duplicates } = await on.admin.read(oneSubmission, id)
      return duplicates.map((one) => one.id)
    }
    expect(await warned(first)).toEqual([second])
    expect(await warned(second)).toContain(first)
    expect((await tryOut(on.admin, first)).warnings).not.toEqual([])
    expect(await warned(elsewhere)).toEqual([second])
    const rejected = await on.admin.call('PUT', `/api/admin/submissions/${first}`, {
      status: 'rejected',
      admin_comment: 'Read twice.',
    })
    expect(rejected.status).toBe(200)
    expect(await warned(second)).toEqual([elsewhere])
  })
})

it('the single address of each prediction and submission becomes its source in the migration', async () => {
  await using database = await earlierDatabase(1)
  const { sql } = database
  const post = 'https://x.com/AdaQuant/status/1742000000000000000'
  await sql(`insert into influencers (name, slug) values ('Ada Quant', 'ada-quant')`)
  await sql(
    `insert into influencer_names (kind, folded, text, influencer_id) select 'handle', 'adaquant', 'AdaQuant', id from influencers on conflict do nothing`,
  )
  const addresses = [
    post,
    post.replace('AdaQuant', 'other'),
    'https://www.sec.gov/f?a=1',
    'no address',
    null,
  ]
  for (const [i, url] of addresses.entries()) {
    await sql(
      `insert into predictions (id, asset, influencer_id, type, made, made_precision, target_date, target_precision, source_url)
       select $1, 'btc', id, 'top', '2024-01-01', 'day', '2025-01-01', 'day', $2 from influencers`,
      [`p${String(i)}`, url],
    )
  }
  await sql(
    `insert into submissions (id, origin, status, asset, expert_name, twitter_handle, prediction_type, price_prediction, target_time, created_at, source_url)
     values (gen_random_uuid(), 'admin', 'pending', 'btc', 'Ada Quant', '@AdaQuant', 'target', '$1', '2027-01-01', now(), $1)`,
    [post],
  )
  await migrateDatabase(database, MIGRATIONS)
  const rows = await sql(
    `select prediction_id, submission_id is not null as submitted, position, kind, url, date from sources order by prediction_id`,
  )
  const own = { kind: 'own', url: post, date: '2024-01-02', position: 0 }
  expect(rows).toEqual([
    { prediction_id: 'p0', submitted: false, ...own },
    { prediction_id: 'p1', submitted: false, ...own, kind: 'report', url: addresses[1] },
    {
      prediction_id: 'p2',
      submitted: false,
      ...own,
      kind: 'filing',
      url: addresses[2],
      date: null,
    },
    {
      prediction_id: 'p3',
      submitted: false,
      ...own,
      kind: 'report',
      url: 'no address',
      date: null,
    },
    { prediction_id: null, submitted: true, ...own },
  ])
  const found = await sql(
    `select 1 from submissions where search @@ plainto_tsquery('simple', '1742000000000000000')`,
  )
  expect(found).toHaveLength(1)
})
