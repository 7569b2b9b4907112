import { addressKey } from './claim/source-address.ts'
import { type Report } from './report.ts'

/** Whether two reports say the same of the same entry, whatever their words. */
export function isSameReport(
  a: Omit<Report, 'explanation'>,
  b: Omit<Report, 'explanation'>,
): boolean {
  const keyOf = ({ source }: Pick<Report, 'source'>): string | null => source && addressKey(source)
  return (
    a.prediction === b.prediction &&
    a.kind === b.kind &&
    a.other === b.other &&
    keyOf(a) === keyOf(b)
  )
}
