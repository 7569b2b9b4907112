import { expect, it } from 'vitest'
import { likelyPairs, likenessOf } from './name-likeness.ts'

const pairsOf = (...people: readonly (readonly [names: string[], handles?: string[]])[]) =>
  likelyPairs(people.map(([names, handles = []], id) => ({ id, names, handles }))).map(
    ({ first, second, score }) => [first, second, score],
  )

it.each([
  ['spacing and signs', [['PlanB'], ['Plan B']], 3],
  ['accents and case', [['José Núñez'], ['jose nunez ']], 3],
  ['words in another order', [['Lee Tom'], ['Tom Lee']], 2],
  ['a letter dropped', [['Michael Saylor'], ['Michael Sailor']], 1],
  ['two letters swapped', [['Arthur Hayes'], ['Arhtur Hayes']], 1],
] as const)('names of people who may be the same differ by %s', (_, [a, b], score) => {
  expect(pairsOf([[...a]], [[...b]])).toEqual([[0, 1, score]])
})

it.each([
  ['Jones Ray (Firm F)', 'Ray Jones', 'in another order'],
  ['Ray Jones', 'Raymond Jones', 'with a nickname'],
  ['Raymond Jonas', 'Raymond Jones', 'a letter off'],
  ['Ray', 'Raymond', null],
])('%s is like %s: %s', (name, known, how) => expect(likenessOf(name, known)).toBe(how))

it('likely duplicates share a handle that spells the name', () => {
  const found = pairsOf([['Anthony Pompliano']], [['Pomp'], ['@AnthonyPompliano']])
  expect(found).toEqual([[0, 1, 3]])
})

it('likely duplicates need more than similar names', () => {
  expect(pairsOf([['Tom Lee']], [['Tim Lee']], [['Tom Leigh']])).toEqual([])
  expect(pairsOf([['Bob']], [['Rob']])).toEqual([])
  expect(pairsOf([['Standard Chartered']], [['Standard Bank']])).toEqual([])
})

it('likely duplicates are listed once, most similar first', () => {
  const found = pairsOf(
    [['Cathie Wood'], ['@CathieDWood']],
    [['Cathy Wood', 'Cathie  Wood'], []],
    [['Peter Brandt']],
    [['Peter Brand']],
  )
  expect(found).toEqual([
    [0, 1, 3],
    [2, 3, 1],
  ])
})
