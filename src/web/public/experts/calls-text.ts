import { type BoardRow } from '#contracts/board.ts'
import { readDay, showDay } from '#domain/day.ts'

/** `8 calls, last 08/11/2025` */
export function callsText({ calls, last_call: last }: BoardRow): string {
  const count = `${String(calls.length)} ${calls.length === 1 ? 'call' : 'calls'}`
  const day = last === null ? null : readDay(last)
  return day === null ? count : `${count}, last ${showDay(day)}`
}
