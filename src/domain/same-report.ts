import { addressKey } from './claim/source-address.ts'
import { type Report } from './report.ts'

type Said = Omit<Report, 'explanation'>

/** Whether two reports say the same of the same entry, whatever their words. A double is the same from both of its sides. */
export function isSameReport(a: Said, b: Said): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'double') return pairOf(a) === pairOf(b)
  return a.prediction === b.prediction && pageOf(a) === pageOf(b)
}

function pairOf({ prediction, other }: Said): string {
  return JSON.stringify([prediction, other ?? ''].toSorted())
}

function pageOf({ source }: Said): string | null {
  return source && addressKey(source)
}
