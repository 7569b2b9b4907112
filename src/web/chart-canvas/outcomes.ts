import { type Outcome } from '#domain/verdict.ts'

/** In the order people ask for them. */
export const OUTCOMES: readonly Outcome[] = ['hit', 'miss', 'pending', 'void']
