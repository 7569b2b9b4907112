import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packScores, readScores, smallText } from './packed-scores.ts'

/** A reply of so many people with so many calls each; only what is packed and read matters here. */
function replyOf(people: number, calls: number): ScoresReply {
  const rows = Array.from({ length: people }, (_, i) => ({
    slug: `expert-${String(i)}`,
    name: `Expert “${String(i)}”`,
    ranked: i % 2 === 0,
    calls: Array.from({ length: calls }, (__, n) => ({
      id: `call-${String(i)}-${String(n)}`,
      text: 'Target $100,000 – and no more',
      deadline: '2027-01-01',
    })),
  }))
  return {
    as_of: '2026-11-20',
    notes: ['Nobody is said to have "people":[] here.'],
    people: rows as unknown as readonly PersonScoreRow[],
    luckiest: { people: 3 },
    years: [],
  } as unknown as ScoresReply
}

describe('scores packed person by person', () => {
  it.each([
    ['nobody', replyOf(0, 0)],
    ['few people', replyOf(3, 4)],
    ['thousands of calls', replyOf(300, 120)],
  ])('of %s are one gzip file of the reply, and read as they were', async (_, reply) => {
    const packed = await packScores(reply, reply.people)
    expect(gunzipSync(packed.gzip).toString()).toBe(JSON.stringify(reply))
    expect(readScores(packed)).toEqual(reply)
    expect(JSON.stringify(readScores(packed))).toBe(JSON.stringify(reply))
  })

  it('calls of a large reply are read when they are asked for, and not held', async () => {
    const reply = replyOf(300, 120)
    const packed = await packScores(reply, reply.people)
    expect(smallText(packed)).toBeNull()
    const [person] = readScores(packed).people
    expect(person?.calls).toHaveLength(120)
    expect(person?.calls).not.toBe(person?.calls)
    const [other] = readScores(await packScores(replyOf(3, 4), replyOf(3, 4).people)).people
    expect(other?.calls).toBe(other?.calls)
  })
})
