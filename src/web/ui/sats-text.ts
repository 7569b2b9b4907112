import { showCount } from '#domain/price-text.ts'

/** `1 sat`, `2,100 sats` */
export function satsText(sats: number): string {
  return `${showCount(sats)} ${sats === 1 ? 'sat' : 'sats'}`
}
