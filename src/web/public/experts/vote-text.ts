import { type BoardRow } from '#contracts/board.ts'
import { readDay, showDay } from '#domain/day.ts'

/** Whole votes without decimals: calls that say the same share one. */
export function showVotes(votes: number): string {
  return String(Number(votes.toFixed(1)))
}

/** `8 calls, last 08/11/2025` */
export function callsText({ calls, last_call: last }: BoardRow): string {
  const count = `${String(calls.length)} ${calls.length === 1 ? 'call' : 'calls'}`
  const day = last === null ? null : readDay(last)
  return day === null ? count : `${count}, last ${showDay(day)}`
}

export function showShare(share: number): string {
  return `${String(Math.round(100 * share))} %`
}

/** `1.7`, of a logarithm of odds. */
export function showOdds(log: number): string {
  return Math.exp(log).toFixed(1)
}
