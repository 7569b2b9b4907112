// Runs the text parser on the test cases of its rules and on posts in full sentences. Prints a table.

import { type PostDate } from '#domain/posts/date-words.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { fieldsOfReading } from '#domain/posts/reading-fields.ts'
import {
  postedOf,
  readingLine,
  type Case,
  DATE_CASES,
  NO_POSTS,
  PLAIN_POSTS,
  HELD_OUT_CASES,
  IDIOM_CASES,
  LANGUAGE_CASES,
  PRICE_CASES,
} from '#tests/data/case.ts'
import { aims } from './lib/aims.ts'
import './lib/limit.ts'
import { table } from './lib/table.ts'

type Post = {
  readonly text: string
  readonly posted: PostDate | null
  readonly expected: string
}

const postsOf = (cases: readonly Case[]): Post[] =>
  cases.map((one) => ({ text: one[0], posted: postedOf(one), expected: one[1] }))

function measure(posts: readonly Post[]) {
  const read = posts.map((post) => {
    const { text, posted, expected } = post
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
      post,
    }
  })
  type Read = (typeof read)[number]
  const share = (test: (one: Read) => boolean) =>
    `${((100 * read.filter(test).length) / read.length).toFixed(1)}%`
  const count = (test: (one: Read) => boolean) => String(read.filter(test).length)
  const row = [
    String(posts.length),
    share((one) => one.has),
    share((one) => one.exact),
    count((one) => one.invented),
    count((one) => one.wrongAsset),
  ]
  const failed = read.filter((one) => !one.exact)
  return { row, failed, exact: 1 - failed.length / posts.length }
}

function speed(posts: readonly Post[]): number {
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
/** Without timing and direction, which have their own test. */
const english = postsOf([
  ...PLAIN_POSTS.map(([text, line]): Case => [text, line.split(' ').slice(0, 4).join(' ')]),
  ...NO_POSTS.map((text): Case => [text, 'none']),
])
const [ofRules, ofEnglish, ofWhole] = [measure(rules), measure(english), measure(whole)]
table('Text parser', [
  ['posts', 'number', 'has prediction', 'exact', 'invented deadlines', 'wrong assets', 'posts/s'],
  ['cases of its rules', ...ofRules.row, String(speed(rules))],
  ['English posts', ...ofEnglish.row, String(speed(english))],
  ['whole sentences', ...ofWhole.row, String(speed(whole))],
])
for (const { post, line } of [...ofRules.failed, ...ofEnglish.failed, ...ofWhole.failed]) {
  console.log(
    `\n  ${JSON.stringify(post.text)}\n    expected ${post.expected}\n    read     ${line}`,
  )
}
aims([
  ['the cases of its rules, read exactly, share', ofRules.exact, 'at least', 1],
  ['English posts, read exactly, share', ofEnglish.exact, 'at least', 0.95],
  ['posts in whole sentences, read exactly, share', ofWhole.exact, 'at least', 0.85],
])
