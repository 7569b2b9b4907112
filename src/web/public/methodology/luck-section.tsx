import { type LuckMethod } from '#contracts/luck-method.ts'
import { LeftOut } from './left-out.tsx'
import { LuckTest } from './luck-test.tsx'
import { CannotKnow, ComparedFigures, LuckOfACall } from './luck-words.tsx'
import css from './luck.module.css'
import { WorkedExample } from './worked-example.tsx'

/** How people are compared with luck: the method, an example, its limits and its own test. */
export function LuckSection({
  luck,
  code,
}: {
  readonly luck: LuckMethod | null
  readonly code: string | null
}) {
  return (
    <div className={css.luck}>
      <h2>Luck: what people are compared with</h2>
      <p>
        Anyone who makes enough calls is right sometimes. The <a href="/experts">page of experts</a>{' '}
        asks whether anyone is right more often than luck would be with the same calls.
      </p>
      <LuckOfACall />
      {luck?.example && <WorkedExample example={luck.example} />}
      <ComparedFigures luck={luck} />
      <CannotKnow />
      {luck ? (
        <>
          <LuckTest luck={luck} />
          <LeftOut luck={luck} />
        </>
      ) : (
        <p>
          Scores are being computed for the first time. In a minute this page also shows an example
          from the record, how good luck’s own forecast is, and which calls are left out.
        </p>
      )}
      <h3>Check it yourself</h3>
      <p>
        <a href="/api/v1/scores">All figures</a> are open data: every call with its volatility,
        drift and luck, of any day since the first call (<code>?as_of=2026-01-01</code>) and by
        daily close (<code>?mode=close</code>). The same inputs always give the same figures.{' '}
        {code === null ? 'The code' : <a href={code}>The code</a>} that computes them is in{' '}
        <code>src/domain/scoring</code>, under the MIT licence; it uses no network and no clock.
      </p>
    </div>
  )
}
