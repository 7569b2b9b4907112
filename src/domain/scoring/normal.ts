/**
 * The distribution function of the standard normal, to 15 digits.
 *
 * @see G. West, "Better approximations to cumulative normal functions", Wilmott 2005 (Hart's algorithm 5666)
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x)
  const upper = z > 37 ? 0 : Math.exp(-(z * z) / 2) * tailFactor(z)
  return x > 0 ? 1 - upper : upper
}

/** The upper tail beyond z ≥ 0, divided by exp(−z²/2). */
function tailFactor(z: number): number {
  if (z >= 7.071_067_811_865_47) {
    const fraction = z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65))))
    return 1 / fraction / 2.506_628_274_631
  }
  const above =
    (((((3.526_249_659_989_11e-2 * z + 0.700_383_064_443_688) * z + 6.373_962_203_531_65) * z +
      33.912_866_078_383) *
      z +
      112.079_291_497_871) *
      z +
      221.213_596_169_931) *
      z +
    220.206_867_912_376
  const below =
    ((((((8.838_834_764_831_84e-2 * z + 1.755_667_163_182_64) * z + 16.064_177_579_207) * z +
      86.780_732_202_946_1) *
      z +
      296.564_248_779_674) *
      z +
      637.333_633_378_831) *
      z +
      793.826_512_519_948) *
      z +
    440.413_735_824_752
  return above / below
}

/** The logarithm of `normalCdf`, also where that is too small for a number. */
export function logNormalCdf(x: number): number {
  return x < -8 ? -(x * x) / 2 + Math.log(tailFactor(-x)) : Math.log(normalCdf(x))
}
