import { describe, expect, it } from 'vitest'
import { at, call, rounded, scores } from '#tests/support/scores.ts'
import { ALL_CALLS, type CallFilter } from './call-filter.ts'
import { findingSentence } from './score-text.ts'
import { type ScoredPrediction } from './scored-call.ts'
import { narrow } from './scores.ts'

function people(predictions: readonly ScoredPrediction[]) {
  return scores(predictions).people.map(({ slug, name, calls }) => ({ slug, name, calls }))
}

const five = (who: string, usd: number): ScoredPrediction[] =>
  [0, 1, 2, 3, 4].map((i) => call({ who, usd, made: at(100 + 120 * i), by: at(210 + 120 * i) }))

describe('filtered calls', () => {
  it('all calls score as they do everywhere', () => {
    const predictions = [...five('Ann', 130), ...five('Bob', 70), call({ who: 'Cleo' })]
    const whole = scores(predictions)
    const found = narrow(people(predictions), ALL_CALLS)
    const figuresOf = (all: typeof found.people | typeof whole.people) =>
      rounded(all.map(({ calls: _calls, replayed: _replayed, band: _band, ...figures }) => figures))
    expect(figuresOf(found.people)).toEqual(figuresOf(whole.people))
    expect(rounded(found.totals)).toEqual(rounded(whole.totals[0]))
  })

  it('leaves out people without such a call, and compares the others', () => {
    const predictions = [...five('Ann', 130), ...five('Bob', 70)]
    const bull = narrow(people(predictions), { ...ALL_CALLS, side: 'bull' })
    expect(bull.people.map(({ name, band }) => [name, band])).toEqual([['Ann', 'untested']])
    expect(findingSentence(bull.people)).toMatch(/^1 person with .* tested over all calls only\.$/)
    expect(bull.totals.calls).toBe(5)
    const bear = narrow(people(predictions), { ...ALL_CALLS, side: 'bear' })
    expect(bear.people.map(({ name }) => name)).toEqual(['Bob'])
  })

  it('a call that repeats a filtered one still counts nowhere', () => {
    const early = call({ who: 'Ann', made: at(100), by: at(500) })
    const late = call({ who: 'Ann', made: at(480), by: at(560) })
    const since = { ...ALL_CALLS, fromYear: 2023 }
    const { people: found, totals } = narrow(people([early, late]), since)
    expect(found[0]?.calls.map(({ repeats }) => repeats)).toEqual([early.id])
    expect([found[0]?.timeIsUp.n, totals.calls]).toEqual([0, 0])
  })

  it.each<[Partial<CallFilter>, number]>([
    [{ asset: 'btc' }, 1],
    [{ asset: 'mstr' }, 0],
    [{ recorded: 'after' }, 1],
    [{ recorded: 'before' }, 0],
    [{ fromYear: 1999 }, 1],
    [{ fromYear: 2099 }, 0],
    [{ toYear: 1999 }, 0],
  ])('%j finds %i people', (input, count) => {
    expect(narrow(people(five('Ann', 130)), { ...ALL_CALLS, ...input }).people).toHaveLength(count)
  })
})
