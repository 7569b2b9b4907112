import { it } from 'vitest'
import { showUsd } from '#domain/price-text.ts'
import { claimOf } from '#tests/support/builders.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { showClaim } from './text.ts'
import { readNumber, readPrice } from './written.ts'

it('written numbers and prices are read and shown as stored', () =>
  storedCases('written', {
    'the number': readNumber,
    'the price': readPrice,
    'shown dollars': (usd) => showUsd(Number(usd)),
    'a shown claim': (words) => showClaim(claimOf(words)),
  }))
