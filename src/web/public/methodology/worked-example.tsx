import { type LuckExample } from '#contracts/luck-method.ts'
import { ASSETS } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showCount, showLevel, showUsd } from '#domain/price-text.ts'
import { showShare } from '#domain/scoring/figure-text.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'

/** One decided call of the record, with how its luck comes about. */
export function WorkedExample({ example }: { readonly example: LuckExample }) {
  const { reference, level_min: level, steps, sigma, drift, asset_type, name } = example
  const { name: asset, calendar } = ASSETS[asset_type]
  const unit = calendar === 'every-day' ? 'days' : 'sessions'
  const towards = level < reference ? -drift : drift
  return (
    <>
      <h3>A worked example</h3>
      <p>
        The latest {asset} target whose time is up (who made it and what came of it play no part):{' '}
        <a href={predictionPath(example)}>
          <bdi>{name}</bdi>, {showLevel(level)} by {dayText(example.deadline)}
        </a>
        .
      </p>
      <Facts>
        <Fact name="Price when made">{`${showUsd(reference)}, on ${dayText(example.made)}`}</Fact>
        <Fact name="Level">
          {`${showLevel(level)}: ${changeText(level / reference - 1)}; b = |ln(level / price)| = ${steps.distance.toFixed(3)}`}
        </Fact>
        <Fact name="Time">{`${showCount(example.days)} ${unit}, τ = ${steps.years.toFixed(2)} years`}</Fact>
        <Fact name="Volatility">
          {`σ = ${showShare(sigma)} a year; over the whole time σ√τ = ${steps.spread.toFixed(3)}`}
        </Fact>
        <Fact name="Drift">{`ν = ${signed(towards)} a year towards the level`}</Fact>
        {steps.shift > 0 && (
          <Fact name="Seen once a day">
            {`b counts as ${(steps.distance + steps.shift).toFixed(3)}, ${steps.shift.toFixed(3)} more`}
          </Fact>
        )}
        <Fact name="Luck">{showChance(steps.luck)}</Fact>
        <Fact name="What happened">{outcomeText(example)}</Fact>
      </Facts>
    </>
  )
}

function outcomeText({ outcome, decided, steps }: LuckExample): string {
  const day = decided === null ? '' : ` on ${dayText(decided)}`
  const expected = `where luck expects ${steps.luck.toFixed(2)}`
  return outcome === 'hit'
    ? `It came true${day}: 1 hit ${expected}.`
    : `It missed${day}: 0 hits ${expected}.`
}

export function dayText(iso: string): string {
  const day = readDay(iso)
  return day === null ? iso : showDay(day)
}

function changeText(change: number): string {
  return `${showShare(Math.abs(change))} ${change < 0 ? 'lower' : 'higher'}`
}

function signed(value: number): string {
  return value < 0 ? `−${showShare(-value)}` : showShare(value)
}
