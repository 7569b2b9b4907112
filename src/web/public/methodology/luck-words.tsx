import { type LuckMethod } from '#contracts/luck-method.ts'
import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/least-calls.ts'
import css from './luck.module.css'

/** What the luck of a call is. */
export function LuckOfACall() {
  const { follows } = ASSETS.mstr
  return (
    <>
      <h3>The luck of a call</h3>
      <p>
        A price moves by itself. From its closes up to the day on which a call was made come two
        figures: its volatility (365 daily returns, 252 of a stock; at least 90) and its drift (half
        of what the price grew by in the last four years; none with less than two years). They give
        the chance that the price does what was said even if no one knew anything. That chance is
        the luck of the call. Nothing that happened later goes into it.
      </p>
      <p>
        In other words: luck is what would have happened if the price had just gone on as it did
        before the call. A call that runs longer than two years has no luck: that is too long to
        say. Its time is up like that of any other.
      </p>
      <p>
        Where only the month or year of a call is known, its luck is the mean over the days on which
        it may have been made, up to 31 of them, and a person’s page names the lowest and highest.
      </p>
      <p>The chance that a price which is watched all the time touches a level is</p>
      <p className={css.formula}>N((ντ − b) / σ√τ) + exp(2νb / σ²) · N((−b − ντ) / σ√τ)</p>
      <p>
        where b is the distance, the logarithm of level divided by price; τ the time in years; σ the
        volatility and ν the drift towards the level, both a year; N the normal distribution.
        Targets, minimums and ranges that the price has to enter have this chance. “Never above” and
        “never below” have what is left of it to 100 %. Where the last close decides, it is the
        chance to end there, 1 − N((b − ντ) / σ√τ) for a level above. A range that must hold the
        whole time has the chance that neither edge is touched (the eigenfunction series of Darling
        and Siegert). A window that starts later is averaged over where the price may be by then.
      </p>
      <p>
        Seen once a day (by daily close, or where only closes are known), a price may touch a level
        unseen: the level then counts as 0.58 of a daily move farther away.
        {follows &&
          ` MSTR moves with Bitcoin since ${showDay(follows.from)}: in the first year of sessions after that day, its volatility and drift are those of Bitcoin times how strongly it follows it, and the volatility never less than its own.`}
      </p>
    </>
  )
}

/** What people are compared by. */
export function ComparedFigures({ luck }: { readonly luck: LuckMethod | null }) {
  return (
    <>
      <h3>Two clean numbers</h3>
      <p>
        <b>Time is up</b> counts only calls whose window has ended: how many of them came true, with
        the 95 % Wilson interval. A target that is hit early counts from its deadline on.
      </p>
      <p>
        <b>Against luck</b> uses all that is known today: how many calls have come true so far, and
        how many luck expects up to the same day, which is today or the deadline, whichever is
        earlier. It favours no kind of call on any day.
      </p>
      <h3>A thesis counts once</h3>
      <p>
        Calls of one person about the same asset and side, whose windows overlap and whose levels
        are nearer to each other than half of what the price is likely to move, say the same. The
        first one counts; later ones are shown as repeating it and count nowhere.
      </p>
      <h3>Is it more than luck?</h3>
      <ul>
        <li>
          <b>Replays</b>: every night the record is judged on{' '}
          {luck ? showCount(luck.histories) : 'many'} histories put together from stretches of the
          real one, in which no one knew anything. How often luck alone does as well there keeps in
          mind that calls about one price come true or fail together. Fewer than {LEAST_CALLS}{' '}
          decided calls are not compared: so few fit luck and knowledge alike.
        </li>
        <li>
          <b>Odds × luck</b> is how many times the odds of luck fit a person’s calls best: ×1 is
          luck. Easy calls lift no one, as luck hits them too; a bold hit does. With few calls it
          stays near that of all people, and it comes with the interval that holds it with 90 %.
        </li>
        <li>
          <b>Better or worse than luck</b> is said of people only where both agree: that interval
          lies on one side of luck, and of ten names that the replays leave one may be expected to
          be wrong (Benjamini–Hochberg). Of all others it cannot be told. People are not ranked:
          within a group those with more decided calls come first.
        </li>
        <li>
          <b>The shrunken rate</b>, in the figures to download, is the share of calls whose time is
          up that came true, drawn towards the share of all people where there are few calls.
        </li>
        <li>
          <b>Sats at luck odds</b>: of 100 sats for each call half is kept and half is bet on it,
          and a hit pays what luck says is fair: four times the stake where luck said 25 %. Luck
          leaves at most 100.
        </li>
        <li>
          <b>Boldness</b> is 100 % less the luck of the calls. A hit where luck said 12 % is a
          1-in-8 call.
        </li>
        <li>
          <b>Yardsticks</b> know nothing and speak on the same days as the real people: one flips a
          coin for a level above or below that is as likely as not to be touched within a year, the
          other always says twice the price in a year.
        </li>
      </ul>
      <h3>Recorded before, looked up afterwards</h3>
      <p>
        A call that was still open when it came into this record counts a second time, by itself:
        from that day on, with the price, the luck and the window of that day. So nobody could
        choose it by its outcome. All others were looked up afterwards, and someone chose to look.
      </p>
    </>
  )
}

/** What no figure can tell. */
export function CannotKnow() {
  return (
    <>
      <h3>What it cannot know</h3>
      <ul>
        <li>
          <b>What was collected.</b> Calls that made news are in the record, calls that were
          forgotten are not. Of calls that were looked up afterwards a figure says as much about the
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
          <b>What luck is.</b> Prices jump and storms come together; the formula knows of neither.
          How far it is off is measured below.
        </li>
      </ul>
    </>
  )
}
