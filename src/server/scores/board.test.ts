import { expect, it } from 'vitest'
import { BOARD_ROWS, readBoardView } from '#contracts/board.ts'
import { boardRow } from '#tests/support/board.ts'
import { firstOf } from './board.ts'

/** More people than are sent at once: 150 ranked ones with increasing sats, and 150 others. */
const PEOPLE = Array.from({ length: 300 }, (_, i) => {
  const name = `Expert ${String(i).padStart(3, '0')}${i === 299 ? ' Übermut' : ''}`
  return boardRow({
    name,
    slug: name,
    band: i < 150 ? 'unclear' : null,
    sats: i,
    skill: { mean: 0, low: -i / 1_000, high: 1, odds: 1, positive: 0.5 },
  })
})

function boardOf(query: Readonly<Record<string, string>> = {}) {
  return firstOf(
    PEOPLE,
    readBoardView((name) => query[name] ?? null),
    BOARD_ROWS,
  )
}

it('sends the first of many people, with their total number', () => {
  const { ranked, others, counts } = boardOf()
  expect([ranked.length, others.length]).toEqual([50, 100])
  expect(counts).toEqual({ ranked: 150, others: 150 })
  expect([ranked[0]?.name, others[0]?.name]).toEqual(['Expert 000', 'Expert 150'])
})

it('sorts many people before taking the first', () => {
  const { ranked } = boardOf({ sort: 'sats' })
  expect([ranked[0]?.name, ranked.at(-1)?.name]).toEqual(['Expert 149', 'Expert 100'])
})

it('finds a person among many by part of the name, without accents', () => {
  const { others, counts } = boardOf({ find: ' ubermut ' })
  expect(others.map(({ name }) => name)).toEqual(['Expert 299 Übermut'])
  expect(counts.others).toBe(150)
  expect(boardOf({ find: 'nobody' }).others).toEqual([])
})
