import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { packScores, readScores } from '#server/scores/packed-scores.ts'
import { expect, it } from 'vitest'
import { wholeText } from './packed-file.ts'
import { csvText, jsonText, snapshotRows } from './snapshot-tables.ts'

/** The calls of a hundred people, of deadlines in several years and in no order. */
function replyOf(length: number): ScoresReply {
  const callOf = (person: number, n: number) => ({
    id: `call-${String(person)}-${String(n)}`,
    deadline: `${String(2020 + ((person + 3 * n) % 5))}-0${String(1 + (n % 9))}-15`,
    text: 'x'.repeat(length),
    votes: n / 8,
  })
  const people = Array.from({ length: 100 }, (_, person) => ({
    slug: `expert-${String(person)}`,
    calls: Array.from({ length: 8 }, (__, n) => callOf(person, n)),
  }))
  return { people: people as unknown as readonly PersonScoreRow[] } as unknown as ScoresReply
}

it('calls that are read when they are written are the same rows in the same order', async () => {
  const reply = replyOf(4_000)
  const read = readScores(await packScores(reply, reply.people))
  // Of so many bytes, calls are not held.
  expect(read.people[0]?.calls).not.toBe(read.people[0]?.calls)
  const textsOf = async (scores: ScoresReply) => {
    const record = { judged: [], corrections: [], scores: { touch: scores, close: scores } }
    const years = (await snapshotRows(record, 'https://example.org'))['scored-calls']
    const texts = [
      await wholeText(jsonText(years)),
      await wholeText(csvText('scored-calls', years)),
    ]
    return { counts: years.map(({ count }) => count), texts }
  }
  const found = await textsOf(read)
  expect(found).toEqual(await textsOf(reply))
  expect(found.counts).toEqual([320, 320, 320, 320, 320])
  const rows = JSON.parse(found.texts[0] ?? '') as { deadline: string; id: string; mode: string }[]
  const keys = rows.map(({ deadline, id, mode }) => `${deadline} ${id} ${mode}`)
  expect(keys).toEqual(keys.toSorted())
})
