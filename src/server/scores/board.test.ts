import { MOST_SHOWN, readBoardView } from '#contracts/board.ts'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { board, boardRow } from '#tests/support/board.ts'
import { hotList } from '#server/http/hot-list.ts'
import { day } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { packScores } from './packed-scores.ts'
import { pageBoard } from './board.ts'

/** More people than are sent at once: 150 ranked ones, each with more sats than the one before, and 150 others. */
async function largeBoard(query: Readonly<Record<string, string>> = {}) {
  const people = Array.from({ length: 300 }, (_, i): PersonScoreRow => {
    const name = `Expert ${String(i).padStart(3, '0')}${i === 299 ? ' Übermut' : ''}`
    const { calls: _calls, ...figures } = boardRow({
      name,
      slug: name,
      ranked: i < 150,
      sats: i,
      skill: { mean: 0, low: -i / 1_000, high: 1, odds: 1, positive: 0.5 },
    })
    return { ...figures, calls: [] }
  })
  const { totals, ...shown } = board([])
  const reply: ScoresReply = {
    ...shown,
    yardsticks: [],
    notes: [],
    beyond_doubt: null,
    people,
    totals: [totals],
    years: [],
    mode: 'touch',
    rule: 1,
    inputs: { digest: 'x', seed: 'x', histories: 0 },
    prices_through: {},
    luck_test: { calls: 0, rows: [], horizons: [] },
  }
  const packed = await packScores(reply, people)
  const ready = { digest: 'x', list: await hotList(''), packed, reply: () => reply }
  const found = await pageBoard(
    {
      asked: (mode) => ({ asOf: day('2026-11-20'), mode }),
      ready: () => ready,
      scores: () => Promise.resolve(ready),
    },
    readBoardView((name) => query[name] ?? null),
  )
  return found ?? Promise.reject(new Error('no board'))
}

it('of many people the first are sent, with how many there are', async () => {
  const { ranked, others, counts } = await largeBoard()
  expect([ranked.length, others.length]).toEqual([MOST_SHOWN, MOST_SHOWN])
  expect(counts).toEqual({ ranked: 150, others: 150 })
  expect([ranked[0]?.name, others[0]?.name]).toEqual(['Expert 000', 'Expert 150'])
})

it('many people are sorted before the first are taken', async () => {
  const { ranked } = await largeBoard({ sort: 'sats' })
  expect([ranked[0]?.name, ranked.at(-1)?.name]).toEqual(['Expert 149', 'Expert 050'])
})

it('somebody among many others is found by a part of the name, without accents', async () => {
  const { others, counts } = await largeBoard({ find: ' ubermut ' })
  expect(others.map(({ name }) => name)).toEqual(['Expert 299 Übermut'])
  expect(counts.others).toBe(150)
  expect((await largeBoard({ find: 'nobody' })).others).toEqual([])
})
