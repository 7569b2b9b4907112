import { it } from 'vitest'
import { isoDay } from '#domain/day.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { readSearch, yearOf } from './search.ts'

it('searches are read as stored', () =>
  storedCases('search', {
    'the search': (text) => {
      const { spans, ...found } = readSearch(text)
      const times = spans.map((span) => [isoDay(span.first), isoDay(span.last), yearOf(span)])
      return { ...found, spans: times }
    },
  }))
