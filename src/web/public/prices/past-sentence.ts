import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDayInWords, type Day } from '#domain/day.ts'
import { type StatusFilter } from '#domain/listing/selection.ts'
import { showCount, showUsd } from '#domain/price-text.ts'

/** How many calls had been made, and what had become of them. */
type Calls = Readonly<Record<StatusFilter, number>>

/** `As of 12 Mar 2020: Bitcoin closed at $4,970. 41 calls had been made: 9 had come true, 12 had missed, 20 were open.` */
export function pastSentence(
  { name }: Pick<Asset, 'name'>,
  past: Day,
  close: { readonly day: number; readonly usd: number } | null,
  calls: Calls,
): string {
  const on = close && close.day < past ? ` on ${showDayInWords(dayFromNumber(close.day))}` : ''
  const price = close
    ? `${name} closed at ${showUsd(close.usd)}${on}.`
    : `no price of ${name} is on record.`
  return `As of ${showDayInWords(past)}: ${price} ${callsText(calls)}`
}

function callsText({ all, success: hits, miss: misses, pending: open }: Calls): string {
  if (all === 0) return 'No call had been made yet.'
  const made = all === 1 ? '1 call had been made' : `${showCount(all)} calls had been made`
  const parts = [
    `${showCount(hits)} had come true`,
    `${showCount(misses)} had missed`,
    `${showCount(open)} ${open === 1 ? 'was' : 'were'} open`,
  ]
  return `${made}: ${parts.join(', ')}.`
}
