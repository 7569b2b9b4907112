/**
 * Formats a price: `$103,647`, `$164.43`, `$0.0612`. Whole dollars from 1,000 on, cents below, four significant digits
 * below one dollar.
 */
export function showUsd(usd: number): string {
  const sign = usd < 0 ? '-' : ''
  const value = Math.abs(usd)
  if (value !== 0 && value < 1) {
    const text = value.toPrecision(4)
    return `${sign}$${text.includes('e') ? value.toFixed(10).replace(/0+$/, '') : trimZeros(text, 2)}`
  }
  const decimals = value < 1_000 && !Number.isInteger(value) ? 2 : 0
  return `${sign}$${withThousands(value.toFixed(decimals))}`
}

/** A whole number with thousands separators: `103,647`. */
export function showCount(value: number): string {
  return withThousands(String(Math.round(value)))
}

/** `1 reply`, `1,200 replies` */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${showCount(n)} ${n === 1 ? one : many}`
}

/** A predicted level, never rounded to whole dollars. */
export function showLevel(usd: number): string {
  return usd < 1_000 || Number.isInteger(usd) ? showUsd(usd) : `$${withThousands(usd.toFixed(2))}`
}

function withThousands(digits: string): string {
  const [whole = '', decimals] = digits.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

function trimZeros(text: string, least: number): string {
  const [whole = '', decimals = ''] = text.split('.')
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(least, '0')}`
}

/** Capitalizes the first letter. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
