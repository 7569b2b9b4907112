// Reads posts with the text parser: the cases of its rules, and posts in whole sentences. Prints a table.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { requireNode } from '../bin/lib/node.mjs'
import { aims } from './lib/aims.mjs'
import './lib/limit.mjs'
import { table } from './lib/table.mjs'

// The parser is TypeScript: an older Node starts the right one.
if (Number(process.versions.node.split('.')[0]) < 24) {
  const { status } = spawnSync(requireNode(), [fileURLToPath(import.meta.url)], {
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const { readPost } = await import('#domain/posts/read-post.ts')
const { fieldsOfReading } = await import('#domain/posts/reading-fields.ts')
const { postedOf, readingLine } = await import('#tests/data/case.ts')
const { PRICE_CASES } = await import('#tests/data/price-cases.ts')
const { DATE_CASES } = await import('#tests/data/date-cases.ts')
const { HELD_OUT_CASES } = await import('#tests/data/held-out-cases.ts')
const { IDIOM_CASES } = await import('#tests/data/idiom-cases.ts')
const { LANGUAGE_CASES } = await import('#tests/data/language-cases.ts')

const postsOf = (cases) =>
  cases.map((one) => ({ text: one[0], posted: postedOf(one), expected: one[1] }))

function measure(posts) {
  const read = posts.map(({ text, posted, expected }) => {
    const reading = readPost(text, { posted })
    const fields = fieldsOfReading(reading)
    const line = readingLine(reading)
    const [asset, , , by] = expected.split(' ')
    const has = expected !== 'none'
    return {
      has: fields.has_prediction === has,
      exact: line === expected,
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
  return { row, failed, exact: 1 - failed.length / posts.length }
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

const rules = postsOf([...PRICE_CASES, ...DATE_CASES, ...LANGUAGE_CASES, ...IDIOM_CASES])
const whole = postsOf(HELD_OUT_CASES)
const [ofRules, ofWhole] = [measure(rules), measure(whole)]
table('Text parser', [
  ['posts', 'number', 'has prediction', 'exact', 'invented deadlines', 'wrong assets', 'posts/s'],
  ['cases of its rules', ...ofRules.row, String(speed(rules))],
  ['whole sentences', ...ofWhole.row, String(speed(whole))],
])
for (const { text, expected, line } of [...ofRules.failed, ...ofWhole.failed]) {
  console.log(`\n  ${JSON.stringify(text)}\n    expected ${expected}\n    read     ${line}`)
}
aims([
  ['the cases of its rules, read exactly, share', ofRules.exact, 'at least', 1],
  ['posts in whole sentences, read exactly, share', ofWhole.exact, 'at least', 0.85],
])
