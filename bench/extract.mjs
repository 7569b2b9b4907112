// Reads posts with the text parser: our own cases, and the labelled posts where they are. Prints a table.
import { existsSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { requireNode } from '../bin/lib/node.mjs'
import { table } from './lib/table.mjs'

const SHARED = new URL('../../shared/data/tweets-labelled.json', import.meta.url)
const LEVELS = ['prediction_type', 'price_target', 'price_min', 'price_max', 'target_time']

// The parser is TypeScript: an older Node starts the right one.
if (Number(process.versions.node.split('.')[0]) < 24) {
  const { status } = spawnSync(requireNode(), [fileURLToPath(import.meta.url)], {
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const { readPost } = await import('#domain/post/read-post.ts')
const { fieldsOfReading, readPostDate } = await import('#domain/post/reading-fields.ts')
const { postedOf, readingLine } = await import('#domain/post/case.ts')
const { PRICE_CASES } = await import('#domain/post/price-cases.ts')
const { DATE_CASES } = await import('#domain/post/date-cases.ts')
const { IDIOM_CASES } = await import('#domain/post/idiom-cases.ts')
const { LANGUAGE_CASES } = await import('#domain/post/language-cases.ts')

const cases = [...PRICE_CASES, ...DATE_CASES, ...LANGUAGE_CASES, ...IDIOM_CASES].map((one) => ({
  name: one[0],
  text: one[0],
  posted: postedOf(one),
  expected: one[1],
}))

/** @returns the labels as lines like those of our own cases */
function labelled() {
  if (!existsSync(SHARED)) return null
  return JSON.parse(readFileSync(SHARED, 'utf8')).map(({ id, text, date, expected }) => ({
    name: id,
    text,
    posted: readPostDate(date ?? ''),
    expected: readingLine({ ...expected, asset_type: expected.asset }),
    levels: expected,
  }))
}

function measure(posts) {
  const read = posts.map(({ text, posted, expected, levels }) => {
    const fields = fieldsOfReading(readPost(text, { posted }))
    const line = readingLine(fields)
    const [asset, , , by] = expected.split(' ')
    const has = expected !== 'none'
    return {
      has: fields.has_prediction === has,
      exact: levels
        ? fields.has_prediction === has && LEVELS.every((name) => fields[name] === levels[name])
        : line === expected,
      invented: fields.target_time !== null && (!has || by === '-'),
      wrongAsset: fields.has_prediction && has && fields.asset_type !== asset,
      line,
    }
  })
  const share = (test) => `${((100 * read.filter(test).length) / read.length).toFixed(1)} %`
  const count = (test) => String(read.filter(test).length)
  const row = [
    String(posts.length),
    share((one) => one.has),
    share((one) => one.exact),
    count((one) => one.invented),
    count((one) => one.wrongAsset),
  ]
  const failed = read.flatMap((one, i) => (one.exact ? [] : [{ ...posts[i], line: one.line }]))
  return { row, failed }
}

function speed(posts) {
  for (const { text, posted } of posts) readPost(text, { posted })
  const began = performance.now()
  let done = 0
  while (performance.now() - began < 2_000) {
    for (const { text, posted } of posts) readPost(text, { posted })
    done += posts.length
  }
  return Math.round((done * 1_000) / (performance.now() - began))
}

const own = measure(cases)
const posts = labelled()
const theirs = posts ? measure(posts) : null
table('Text parser', [
  ['posts', 'number', 'has prediction', 'exact', 'invented deadlines', 'wrong assets', 'posts/s'],
  ['own cases', ...own.row, String(speed(cases))],
  ...(theirs ? [['labelled posts', ...theirs.row, String(speed(posts))]] : []),
])
if (!theirs) console.log('\n  The labelled posts are not here; they were skipped.')
for (const { name, expected, line } of [...own.failed, ...(theirs?.failed ?? [])]) {
  console.log(`\n  ${JSON.stringify(name)}\n    expected ${expected}\n    read     ${line}`)
}
