import {
  type LuckMethod,
  type LeftOutReason,
  type LuckExample,
  type LuckTestRow,
} from '#contracts/page.ts'
import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { showCount, showLevel, showUsd } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/call-filter.ts'
import { LUCK_TOLERANCE } from '#domain/scoring/luck.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { showShare } from '#domain/scoring/score-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Stack, Text, TableHead, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'

/** The comparison with luck: method, example, limitations and its own test. */
export function LuckSection({
  luck,
  code,
}: {
  readonly luck: LuckMethod | null
  readonly code: string | null
}) {
  return (
    <Stack gap={4}>
      <h2>Luck: what people are compared with</h2>
      <p>
        Anyone who makes enough calls is right sometimes. The <a href="/experts">page of experts</a>{' '}
        asks whether anyone does better than chance with the same calls.
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
    </Stack>
  )
}

const REASONS: Readonly<Record<LeftOutReason, string>> = {
  void: 'void: true or broken already when it was said, dependent on a day that is not known, or set so by an administrator',
  'no-reference': 'the price when it was said is not known',
  'little-history': 'fewer than 90 daily returns are known before it was said',
  'no-day': 'no trading day in its window',
  'too-long': 'longer than two years: too long to say',
  'no-prices': 'a day of prices in its window is missing',
}

function LeftOut({ luck: { left_out: groups } }: { readonly luck: LuckMethod }) {
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
          <ul>
            {calls.map((call) => (
              <li key={call.id}>
                <a href={predictionPath(call)}>
                  <bdi>{call.name}</bdi>: {ASSETS[call.asset_type].symbol} {call.text}
                </a>{' '}
                <Text as="small" tone="quiet">
                  {showDate(call.made)}
                </Text>
              </li>
            ))}
          </ul>
          {calls.length < count && (
            <Note>
              {`The latest ${showCount(calls.length)} of ${showCount(count)}. All are in the figures below, where no_luck says why.`}
            </Note>
          )}
        </Fold>
      ))}
    </>
  )
}

function LuckOfACall() {
  const { follows } = ASSETS.mstr
  return (
    <>
      <h3>The luck of a call</h3>
      <p>
        Prices move anyway. From the closes up to the day of the call we estimate volatility (365
        daily returns, 252 of a stock; at least 90) and drift (half of what the price grew by in the
        last four years; none with less than two years), and from these the chance that the level is
        reached even if the caller knew nothing. That chance is the luck of the call. Nothing that
        happened later goes into it.
      </p>
      <p>
        In other words: luck is what would have happened if the price had just gone on as it did
        before the call. A call that runs longer than two years has no luck, as that is too long to
        estimate. It still counts once its deadline has passed.
      </p>
      <p>
        Where only the month or year of a call is known, its luck is the mean over the days on which
        it may have been made, up to 31 of them, and a person’s page names the lowest and highest.
      </p>
      <p>The chance that a continuously watched price touches a level is</p>
      <p className="pad quoted scrolls">N((ντ − b) / σ√τ) + exp(2νb / σ²) · N((−b − ντ) / σ√τ)</p>
      <p>
        where b is the distance, the logarithm of level divided by price; τ the time in years; σ the
        volatility and ν the drift towards the level, both a year; N the normal distribution.
        Targets, minimums and ranges that the price has to enter have this chance. “Never above” and
        “never below” have the rest, 100% minus that chance. If the last close decides, it is the
        chance of ending there, 1 − N((b − ντ) / σ√τ) for a level above. A range that must hold the
        whole time has the chance that neither edge is touched (the eigenfunction series of Darling
        and Siegert). A window that starts later is averaged over where the price may be by then.
      </p>
      <p>
        Seen once a day (by daily close, or where only closes are known), a price may touch a level
        unseen: the level then counts as 0.58 of a daily move farther away.
        {follows &&
          ` MSTR has moved with Bitcoin since ${showDay(follows.from)}: for the first year of sessions after that day, its volatility and drift are those of Bitcoin, scaled by how strongly it follows Bitcoin, and the volatility is never less than its own.`}
      </p>
    </>
  )
}

function ComparedFigures({ luck }: { readonly luck: LuckMethod | null }) {
  return (
    <>
      <h3>Two clean numbers</h3>
      <p>
        <b>Deadline passed</b> counts only calls whose deadline has passed: how many of them came
        true, with the 95% Wilson interval. An early hit counts at its deadline, as a miss would.
      </p>
      <p>
        <b>Against luck</b> uses all that is known today: how many calls have come true so far, and
        how many luck expects up to the same day, which is today or the deadline, whichever is
        earlier. It favours no kind of call on any day.
      </p>
      <h3>A thesis counts once</h3>
      <p>
        Calls by one person on the same asset and side say the same if their windows overlap and
        their levels are closer together than half of the likely move of the price. The first one
        counts; later ones are shown as repeats and count nowhere.
      </p>
      <h3>Is it more than luck?</h3>
      <ul>
        <li>
          <b>Replays</b>: every night the record is judged on{' '}
          {luck ? showCount(luck.histories) : 'many'} histories assembled from stretches of the real
          one, in which nobody knew anything. How often luck alone does as well there takes into
          account that calls about one price come true or fail together. People with fewer than{' '}
          {LEAST_CALLS} decided calls are not compared: so few fit luck and knowledge alike.
        </li>
        <li>
          <b>Odds × luck</b> is the multiple of luck’s odds that fits a person’s calls best: ×1 is
          luck. Easy calls lift nobody, as luck hits them, too; a bold hit does. With few calls it
          stays near the value of all people. It comes with its 90% interval.
        </li>
        <li>
          <b>Better or worse than luck</b> is said only if both agree: that interval lies on one
          side of luck, and the replays single the person out, with one in ten of such names
          expected to be wrong (Benjamini–Hochberg). Nobody else can be told from luck. People are
          not ranked: within a group those with more decided calls come first.
        </li>
        <li>
          <b>The shrunken rate</b>, in the figures to download, is the share of ended calls that
          came true, drawn towards the share of all people if there are few calls.
        </li>
        <li>
          <b>Sats at luck odds</b>: of 100 sats per call, half is kept and half is bet, and a hit
          pays what luck says is fair: four times the stake if luck said 25%. Luck leaves at most
          100.
        </li>
        <li>
          <b>Boldness</b> is 100% minus the mean luck of the calls. A hit where luck said 12% is a
          1-in-8 call.
        </li>
        <li>
          <b>Yardsticks</b> know nothing and make calls on the same days as the real people: one
          picks at random a level above or below that is as likely as not to be touched within a
          year, the other always says that the price will double in a year.
        </li>
      </ul>
      <h3>Recorded before, looked up afterwards</h3>
      <p>
        A call that was still open when it was recorded here counts a second time, separately: from
        that day on, with the price, the luck and the window of that day. Nobody could choose it by
        its outcome. All others were looked up afterwards, by someone who chose to look.
      </p>
    </>
  )
}

function CannotKnow() {
  return (
    <>
      <h3>What it cannot know</h3>
      <ul>
        <li>
          <b>What was collected.</b> Calls that made news are in the record, calls that were
          forgotten are not. A figure from calls looked up afterwards says as much about the
          collection as about the person.
        </li>
        <li>
          <b>Everyone shares one price.</b> In a good year for Bitcoin all who expected it are right
          together. Ten such calls are far less than ten independent ones, and the replayed
          histories only partly make up for it: there is one real history to draw from.
        </li>
        <li>
          <b>Why someone was right.</b> A hit proves no reasons. Nor does a miss disprove them.
        </li>
        <li>
          <b>What luck is.</b> Real prices jump and turbulent days cluster; the formula ignores
          both. How far it is off is measured below.
        </li>
      </ul>
    </>
  )
}

function WorkedExample({ example }: { readonly example: LuckExample }) {
  const { reference, level_min: level, steps, sigma, drift, asset_type, name } = example
  const { name: asset, calendar } = ASSETS[asset_type]
  const unit = calendar === 'every-day' ? 'days' : 'sessions'
  const towards = level < reference ? -drift : drift
  return (
    <>
      <h3>A worked example</h3>
      <p>
        The latest {asset} target whose deadline has passed (who made it and what came of it play no
        part):{' '}
        <a href={predictionPath(example)}>
          <bdi>{name}</bdi>, {showLevel(level)} by {showDate(example.deadline)}
        </a>
        .
      </p>
      <Facts>
        <Fact name="Price when made">{`${showUsd(reference)}, on ${showDate(example.made)}`}</Fact>
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
  const day = decided === null ? '' : ` on ${showDate(decided)}`
  const expected = `where luck expects ${steps.luck.toFixed(2)}`
  return outcome === 'hit'
    ? `It came true${day}: 1 hit ${expected}.`
    : `It missed${day}: 0 hits ${expected}.`
}

function changeText(change: number): string {
  return `${showShare(Math.abs(change))} ${change < 0 ? 'lower' : 'higher'}`
}

function signed(value: number): string {
  return value < 0 ? `−${showShare(-value)}` : showShare(value)
}

function LuckTest({ luck: { as_of, test } }: { readonly luck: LuckMethod }) {
  const whole = test.rows.filter(({ direction }) => direction === null)
  const failed = whole.filter(({ holds }) => holds === false)
  if (test.calls === 0) {
    return (
      <>
        <h3>How good is luck’s own forecast?</h3>
        <p>No placebo call can be made yet: the price histories are too short.</p>
      </>
    )
  }
  return (
    <>
      <h3>How good is luck’s own forecast?</h3>
      <p>
        {`Luck is judged, too. On every seventh day of prices, as far back as they go, it forecasts levels at five distances above and below, from nothing but earlier prices. As of ${showDate(as_of)} these are ${showCount(test.calls)} placebo calls. `}
        {verdictText(failed)} {farthestText(test.rows)}
      </p>
      <table className="flush">
        <caption className="aside-voice">
          Placebo calls that luck expected to come true, and those that did
        </caption>
        <TableHead names={['Days', 'Level', 'Calls', 'Expected', 'Happened']} />
        <tbody>
          {test.rows.map((row) => (
            <tr
              key={`${String(row.horizon)} ${kindText(row)}`}
              className={row.direction ? undefined : 'total'}
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
  return `Both directions together, luck is off by more than ${POINTS} points over ${times} days: read figures of calls of that length with care.`
}

/** The largest deviation of a single direction, which may exceed that of both. */
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
