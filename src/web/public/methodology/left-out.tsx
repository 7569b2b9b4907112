import { type LeftOutReason, type LuckMethod } from '#contracts/luck-method.ts'
import { ASSETS } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Fold } from '#web/ui/fold.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './luck.module.css'
import { dayText } from './worked-example.tsx'

const REASONS: Readonly<Record<LeftOutReason, string>> = {
  void: 'void: true or broken already when it was said, dependent on a day that is not known, or set so by an administrator',
  'no-reference': 'the price when it was said is not known',
  'little-history': 'fewer than 90 daily returns are known before it was said',
  'no-day': 'no trading day in its window',
  'too-long': 'longer than two years: too long to say',
  'no-prices': 'a day of prices in its window is missing',
}

/** The calls that are not compared with luck, and why. */
export function LeftOut({ luck: { left_out: groups } }: { readonly luck: LuckMethod }) {
  return (
    <>
      <h3>Calls left out</h3>
      {groups.length === 0 ? (
        <p>Every call on record can be compared with luck. None is left out.</p>
      ) : (
        <p>These calls are not compared with luck, and count in none of its figures.</p>
      )}
      {groups.map(({ reason, count, calls }) => (
        <Fold key={reason} title={`${showCount(count)} × ${REASONS[reason]}`}>
          <ul className={css.calls}>
            {calls.map((call) => (
              <li key={call.id}>
                <a href={predictionPath(call)}>
                  <bdi>{call.name}</bdi>: {ASSETS[call.asset_type].symbol} {call.text}
                </a>{' '}
                <small>{dayText(call.made)}</small>
              </li>
            ))}
          </ul>
          {calls.length < count && (
            <Text tone="quiet" size="small">
              {`The latest ${showCount(calls.length)} of ${showCount(count)}. All are in the figures below, where no_luck says why.`}
            </Text>
          )}
        </Fold>
      ))}
    </>
  )
}
