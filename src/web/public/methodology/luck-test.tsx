import { type LuckMethod, type LuckTestRow } from '#contracts/luck-method.ts'
import { ASSETS } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { showShare } from '#domain/scoring/figure-text.ts'
import { LUCK_TOLERANCE } from '#domain/scoring/luck-test.ts'
import css from './luck.module.css'
import { dayText } from './worked-example.tsx'

/** How often luck's own forecast came true. */
export function LuckTest({ luck: { as_of, test } }: { readonly luck: LuckMethod }) {
  const whole = test.rows.filter(({ direction }) => direction === null)
  const failed = whole.filter(({ holds }) => holds === false)
  if (test.calls === 0) {
    return (
      <>
        <h3>How good is luck’s own forecast?</h3>
        <p>No placebo call can be made yet: too little of any price is known.</p>
      </>
    )
  }
  return (
    <>
      <h3>How good is luck’s own forecast?</h3>
      <p>
        {`Luck is judged, too. On every seventh day of prices, as far back as they go, it forecasts levels at five distances above and below, from nothing but earlier prices. As of ${dayText(as_of)} these are ${showCount(test.calls)} placebo calls. `}
        {verdictText(failed)} {farthestText(test.rows)}
      </p>
      <table className={css.test}>
        <caption className="aside-voice">
          Placebo calls that luck expected to come true, and those that did
        </caption>
        <thead>
          <tr>
            <th scope="col">Days</th>
            <th scope="col">Level</th>
            <th scope="col">Calls</th>
            <th scope="col">Expected</th>
            <th scope="col">Happened</th>
          </tr>
        </thead>
        <tbody>
          {test.rows.map((row) => (
            <tr
              key={`${String(row.horizon)} ${kindText(row)}`}
              className={row.direction ? undefined : css.whole}
            >
              <th scope="row">{row.horizon}</th>
              <td>{kindText(row)}</td>
              <td>{showCount(row.calls)}</td>
              <td>{row.calls === 0 ? '–' : showShare(row.expected)}</td>
              <td>{row.calls === 0 ? '–' : showShare(row.happened)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const POINTS = String(Math.round(100 * LUCK_TOLERANCE))

function verdictText(failed: readonly LuckTestRow[]): string {
  if (failed.length === 0) {
    return `Both directions together, luck is within ${POINTS} points of what happened over every time.`
  }
  const times = failed.map(({ horizon }) => String(horizon)).join(', ')
  return `Both directions together, luck is off by more than ${POINTS} points over ${times} days: figures of calls of that length are to be read with care.`
}

/** One direction may be further off than both together, and readers should know by how much. */
function farthestText(rows: readonly LuckTestRow[]): string {
  const [farthest] = rows
    .filter(
      ({ asset_type, direction, calls }) => asset_type === null && direction !== null && calls > 0,
    )
    .toSorted((a, b) => Math.abs(b.happened - b.expected) - Math.abs(a.happened - a.expected))
  if (!farthest) return ''
  const { direction, horizon, expected, happened } = farthest
  return `It is farthest off for levels ${direction === 'up' ? 'above' : 'below'} over ${String(horizon)} days: it expects ${showShare(expected)}, and ${showShare(happened)} happened.`
}

/** `up`, `down, Bitcoin alone`, `both: holds`. */
function kindText({ asset_type: asset, direction, holds, calls }: LuckTestRow): string {
  if (direction !== null) {
    return asset === null ? direction : `${direction}, ${ASSETS[asset].name} alone`
  }
  if (calls === 0) return 'both'
  return holds ? 'both: holds' : 'both: does not hold'
}
