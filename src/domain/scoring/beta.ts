/** Coefficients of Lanczos's approximation with g = 7. */
const LANCZOS = Float64Array.of(
  0.999_999_999_999_809_9,
  676.520_368_121_885_1,
  -1_259.139_216_722_402_8,
  771.323_428_777_653_1,
  -176.615_029_162_140_6,
  12.507_343_278_686_905,
  -0.138_571_095_265_720_12,
  9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
)
const LN_SQRT_TWO_PI = 0.918_938_533_204_672_7

/** The logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let sum = LANCZOS[0] ?? 0
  for (let i = 1; i < LANCZOS.length; i += 1) sum += (LANCZOS[i] ?? 0) / (x + i - 1)
  const t = x + 6.5
  return LN_SQRT_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** The value below which a part of the Beta(a, b) distribution lies, to 10 digits. */
export function betaQuantile(part: number, a: number, b: number): number {
  let [low, high] = [0, 1]
  while (high - low > 1e-10) {
    const middle = (low + high) / 2
    if (betaCdf(middle, a, b) < part) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The distribution function of Beta(a, b), also called the regularised incomplete beta function. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) - logBeta(a, b))
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Its continued fraction, by the method of Lentz. @see https://dlmf.nist.gov/8.17.E22 */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-13) break
  }
  return fraction
}
