import { type Outcome } from '#domain/judging/verdict.ts'

/** In the order people ask for them. */
export const OUTCOMES: readonly Outcome[] = ['hit', 'miss', 'pending', 'void']
