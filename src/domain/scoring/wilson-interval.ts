/** The standard normal quantile of 97.5 %. */
const Z = 1.959963984540054

/**
 * The Wilson score interval of a share: unlike the normal one it stays within 0 to 1 and is sound for few trials.
 *
 * @param trials more than 0
 */
export function wilsonInterval(hits: number, trials: number): { low: number; high: number } {
  const share = hits / trials
  const z2 = Z * Z
  const middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
  const half =
    (Z * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials))) / (1 + z2 / trials)
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}
