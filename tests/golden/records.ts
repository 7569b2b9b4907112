import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addDays, day, isoDay } from '#domain/day.ts'
import { randomOf } from '#domain/scoring/replay.ts'
import { manyEntries, walk } from '#tests/support/many.ts'
import { ADMIN, type GoldenSite } from './site.ts'

const DAY = 86_400_000
const COUNT = 2_000

/** The record shipped with the site. */
export async function starterRecord(site: GoldenSite): Promise<string[]> {
  await site.at('2026-11-20T12:00:00Z')
  await site.cli('judge')
  await published(site)
  return []
}

/**
 * 2,000 predictions, changed by administrators in every visible way.
 *
 * @param folder for the imported files
 * @returns the ids of changed ones
 */
export async function changedRecord(site: GoldenSite, folder: string): Promise<string[]> {
  await site.at('2024-06-01T12:00:00Z')
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const prices = file('walk.csv', ranges(1))
  await site.cli('import-prices', 'btc', prices, file('second.csv', ranges(1)))
  await site.cli('import-prices', 'mstr', file('mstr.csv', stock()))
  const entries = manyEntries(COUNT).map(varied)
  await site.cli('import-predictions', file('many.json', JSON.stringify(entries)))
  await site.start('web')
  const changed = await changes(site, entries)
  // Frozen and overridden predictions stay unchanged; others are judged again.
  await site.cli(
    'import-prices',
    'btc',
    file('walk.csv', ranges(1.04)),
    file('second.csv', ranges(1.04)),
  )
  await published(site)
  return changed
}

/** The record is signed, and on the next day has its scores, a snapshot and the proofs of the day before. */
async function published(site: GoldenSite): Promise<void> {
  await site.cli('record-events')
  await site.at(site.now() + DAY)
  await site.cli('record-events')
  await site.start('both')
  for (const mode of ['touch', 'close']) await site.until(`/api/v1/scores?mode=${mode}`, () => true)
  await site.until('/api/v1/snapshots', (text) => text.includes('"total":1'))
  await site.until('/proofs.json', (text) => text.includes('"day"'))
}

type Entry = Readonly<Record<string, unknown>> & { readonly id: string }

/** Varied: firms, handles, months instead of days, a second asset, a start. */
function varied(entry: object, n: number): Entry {
  const { id, expert_name: name, ...rest } = entry as Entry
  const person = Number(/\d+/.exec(String(name))?.[0])
  return {
    id,
    expert_name: name,
    ...rest,
    x_handle: person % 3 === 0 ? `expert${String(person)}` : null,
    is_firm: person % 7 === 0,
    ...(n % 11 === 0 && { asset_type: 'mstr' }),
    ...(n % 9 === 0 && { made_precision: 'month', target_precision: 'year' }),
    ...(n % 13 === 0 && { deadline_assumed: true }),
    ...(n % 17 === 0 && { remarks: 'Not for everyone.' }),
  }
}

/** The closes of `walk` with highs and lows; a share of them times a factor. */
function ranges(factor: number): string {
  const random = randomOf('ranges')
  const [, ...rows] = walk().trim().split('\n')
  const lines = rows.map((row, n) => {
    const [date = '', text = ''] = row.split(',')
    const close = Number(text) * (n % 50 === 0 ? factor : 1)
    const [high, low] = [close * (1 + random() * 0.06), close * (1 - random() * 0.06)]
    return [date, ...[close, high, low, close].map((usd) => usd.toFixed(2))].join(',')
  })
  return `date,open,high,low,close\n${lines.join('\n')}\n`
}

/** The closes of MSTR shipped with the site, within the range of this record. */
function stock(): string {
  const closes = readFileSync('data/starter/mstr-daily-close.csv', 'utf8').split('\n')
  return closes.filter((row) => !/^\d/.test(row) || row < '2024-06-01').join('\n')
}

type Row = { readonly id: number; readonly name: string; readonly version: number }

async function changes(site: GoldenSite, entries: readonly Entry[]): Promise<string[]> {
  let cookie = ''
  const call = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    await site.at(site.now() + 60_000)
    const headers = { cookie, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const { status, text, headers: input } = await site.ask(path, init)
    if (status !== 200) throw new Error(`${method} ${path}: ${String(status)} ${text}`)
    cookie = input.getSetCookie()[0]?.split(';')[0] ?? cookie
    return JSON.parse(text) as Reply
  }
  const changed = new Set<string>()
  const change = async (n: number, method: string, path: string, body: object): Promise<void> => {
    const at = `/api/v1/admin/predictions/many-${String(n)}`
    changed.add(`many-${String(n)}`)
    const { version } = await call<{ version: number }>('GET', at)
    const reason = `Because of number ${String(n)}.`
    await call(method, at + path, { version, reason, ...body })
  }
  const person = async (name: string): Promise<Row> => {
    const path = `/api/v1/admin/experts?q=${encodeURIComponent(name)}`
    const { rows } = await call<{ rows: Row[] }>('GET', path)
    const found = rows.find((row) => row.name === name)
    if (!found) throw new Error(`There is no ${name}.`)
    return found
  }

  await call('POST', '/api/admin/login', ADMIN)
  for (const [kind, n] of [
    ['date', 500],
    ['words', 510],
    ['price', 520],
    ['rule', 530],
    ['other', 540],
  ]) {
    const source = `https://example.org/shows/${String(n)}`
    const explanation = `It says something else, of ${String(n)}.`
    await call('POST', '/api/v1/reports', {
      prediction: `many-${String(n)}`,
      kind,
      explanation,
      source,
    })
    changed.add(`many-${String(n)}`)
  }
  const targets = entries.flatMap((one, n) => (one['prediction_type'] === 'target' ? [n] : []))
  for (let i = 0; i < 6; i += 1) {
    await change(100 + i, 'POST', '/withdraw', {})
    await change(200 + i, 'POST', '/freeze', {})
    const [mode, outcome] = [
      ['touch', 'close', 'both'][i % 3],
      ['hit', 'miss', 'void'][(i % 4) % 3],
    ]
    await change(300 + i, 'POST', '/override', { mode, outcome })
    await change(targets[400 + i] ?? 0, 'PUT', '', { price_target: 10_000 + i * 7_000 })
    await change(600 + i, 'PUT', '', EDITS[i % EDITS.length] ?? {})
  }
  for (const n of [100, 101]) await change(n, 'POST', '/restore', {})
  for (const n of [200, 201]) await change(n, 'POST', '/thaw', {})
  for (const n of [300, 302]) await change(n, 'DELETE', '/override', { mode: 'both' })
  await change(500, 'PUT', '', { quote: 'What was said.', reports: [1] })
  await change(510, 'POST', '/withdraw', { reports: [2] })
  const declined = { reason: 'The record is right', answer: 'The source says so.' }
  await call('POST', '/api/v1/admin/reports/3/decline', declined)
  await call('POST', '/api/v1/admin/reports/4/decline', { ...declined, withheld: true })
  for (const [from, into] of [
    [90, 2],
    [91, 2],
    [80, 3],
    [70, 4],
    [60, 61],
  ]) {
    const [{ id, version }, to] = [
      await person(`Expert ${String(from)}`),
      await person(`Expert ${String(into)}`),
    ]
    await call('POST', `/api/v1/admin/experts/${String(id)}/merge`, {
      version,
      into: to.id,
      reason: 'The same.',
    })
  }
  const { id, version } = await person('Expert 5')
  const names = { name: 'Élodie Doe', aliases: ['E. Doe'], handles: ['elodie'] }
  await call('PUT', `/api/v1/admin/experts/${String(id)}`, {
    version,
    ...names,
    reason: 'Renamed.',
  })
  type Pair = Record<'earlier' | 'later', { readonly id: string }>
  const { rows } = await call<{ rows: Pair[] }>('GET', '/api/v1/admin/goalposts?state=suggested')
  for (const [n, { earlier, later }] of rows.slice(0, 6).entries()) {
    const pair = { earlier: earlier.id, later: later.id, was: 'suggested' }
    await call('PUT', '/api/v1/admin/goalposts', { ...pair, state: n % 2 ? 'cut' : 'confirmed' })
    changed.add(later.id)
  }
  for (const page of ['/predictions/many-500', '/predictions/many-700', '/experts/elodie-doe']) {
    const text = `I said so on ${page}.`
    await call('POST', '/api/v1/admin/replies', { page, text, link: '', note: 'By phone.' })
    const { rows: waiting } = await call<{ rows: { id: string }[] }>('GET', '/api/v1/admin/replies')
    for (const one of waiting)
      await call('POST', `/api/v1/admin/replies/${one.id}/publish`, { note: '' })
  }
  return [...changed, 'many-700']
}

const LATER = isoDay(addDays(day('2024-06-01'), 400))
const EDITS: readonly object[] = [
  { target_time: LATER, target_precision: 'month' },
  { quote: 'Said so, word for word.', remarks: 'Seen twice.' },
  { exclude_from_chart: true },
  {
    sources: [
      { kind: 'report', url: 'https://example.org/other' },
      { url: 'https://example.org/third' },
    ],
  },
  { prediction_made: '2014-05-31' },
]
