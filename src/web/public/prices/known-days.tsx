import { type KnownDays } from '#contracts/page.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { useSite } from '#web/head/site.ts'
import { Note } from '#web/ui/primitives.tsx'

export function KnownDaysOf({ asset }: { readonly asset: AssetKey }) {
  const known = useSite().priced[asset]
  return known ? (
    <Note>
      {knownDaysText(ASSETS[asset].name, known)}{' '}
      {known.sources.length > 0 && `Prices: ${known.sources.join(', ')}.`}
    </Note>
  ) : null
}

/** `The high and low of Bitcoin are known for 5,120 of 5,400 days (95%); on the others only the close is.` */
export function knownDaysText(name: string, { days, ranged }: Pick<KnownDays, 'days' | 'ranged'>) {
  if (ranged === 0) {
    return `We have only daily closes for ${name} (${showCount(days)} days), so both ways of judging give the same verdict.`
  }
  if (ranged === days) {
    return `The high and low of ${name} are known for all ${showCount(days)} days.`
  }
  // Never 100% while a day is missing.
  const percent = Math.min(99, Math.max(1, Math.round((100 * ranged) / days)))
  return `The high and low of ${name} are known for ${showCount(ranged)} of ${showCount(days)} days (${String(percent)}%); on the others only the close is.`
}
