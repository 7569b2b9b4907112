import { it } from 'vitest'
import { day } from '#domain/day.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { claimOf, openVerdict, published, statement } from '#tests/support/builders.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import {
  type Prediction,
  headline,
  statementText,
  readPublicText,
  writePublicText,
} from './prediction.ts'

function predictionOf(words: string, direction: string, overrides: Partial<Prediction> = {}) {
  const touch = openVerdict({ direction: direction as Direction })
  const stated = statement(claimOf(words), { by: day('2025-12-31') })
  return published(stated, { touch, close: { ...touch, mode: 'close' } }, overrides)
}

it('predictions have their stored texts', () =>
  storedCases('prediction', {
    'a claim as it is judged, due on 2025-12-31 and in 2025': (words, direction) =>
      [{}, { byPrecision: 'year' as const }].map((precision) =>
        statementText(predictionOf(words, direction, precision)),
      ),
    'a headline by this name, whose direction it cannot reverse': (name) => {
      const expert = { id: 1, name, slug: 'a', handle: null }
      return headline(predictionOf('target 5', 'up', { expert }))
    },
    'a stored summary': (text) => writePublicText({ kind: 'summary', text }),
    'a stored quotation of Jane Doe': (text) =>
      writePublicText({ kind: 'said', text, speaker: 'Jane Doe' }),
    'a stored text, read': readPublicText,
  }))
