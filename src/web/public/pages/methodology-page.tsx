import { type Selection } from '#contracts/page.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { REPORTS_PATH, CORRECTIONS_PATH } from '#contracts/public-logs.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { type ClaimType } from '#domain/claim/claim.ts'
import { claimType } from '#domain/claim/fields.ts'
import { headline } from '#domain/claim/prediction.ts'
import { readDay, showDay } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { counted, showCount } from '#domain/price-text.ts'
import { SAME_LEVEL } from '#domain/scoring/repeats.ts'
import { showShare } from '#domain/scoring/score-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { type ContentOf, type PageProps } from '#web/head/site.ts'
import { KnownDaysOf } from '#web/public/prices/known-days.tsx'
import { Panel, Stack, Text } from '#web/ui/primitives.tsx'
import { Prose } from '#web/ui/prose.tsx'
import { still } from '#web/ui/still.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'

const StillLuck = still(
  async () => (await import('#web/public/methodology/luck-section.tsx')).LuckSection,
)

const StillSelection = still(async () => (await import('./methodology-page.tsx')).SelectionSection)

type Example = ContentOf<'methodology'>['examples'][number]

/** The rules of decisions.md §2 in plain words, with real predictions as examples. */
const KINDS: readonly {
  readonly type: ClaimType
  readonly title: string
  readonly rule: string
}[] = [
  {
    type: 'target',
    title: 'Target: the price reaches a level',
    rule: 'A hit on the first day whose range touches the level: its high from below, its low from above. A miss when the window ends untouched.',
  },
  {
    type: 'by-date',
    title: 'Price by: at least this price by a date',
    rule: 'A hit on the first day whose high reaches the minimum. If the price was already there when it was said, the close of the last day decides.',
  },
  {
    type: 'range',
    title: 'Range: the price enters a range',
    rule: 'A hit on the first day that trades inside the range. If the price was already inside the range, the close of the last day decides: inside is a hit.',
  },
  {
    type: 'top',
    title: 'Top: never above a level',
    rule: 'A miss on the first day whose high exceeds the level. A hit only when the whole window has passed without that.',
  },
  {
    type: 'bottom',
    title: 'Bottom: never below a level',
    rule: 'The mirror image of a top: a miss on the first day whose low is below the level, a hit when the window has passed without that.',
  },
]

export function MethodologyPage({ content }: PageProps<'methodology'>) {
  return (
    <Prose
      title="How verdicts are decided"
      lead={`Verdicts follow from prices, by one set of rules for everyone. This is rule set ${String(RULE_VERSION)}; every verdict carries the number of the set that decided it.`}
    >
      <h2>What counts as a prediction</h2>
      <p>
        A named person or firm, a level in US dollars, a day it was said and a deadline. We keep the
        exact numbers that were said and link the source. Where the source names no deadline, the
        customary one is used and the entry says so. A date known only to the month or the year is
        shown no more exactly than that.
      </p>
      <section id="selection">
        <StillSelection selection={content.selection} />
      </section>
      <h2>The window</h2>
      <p>
        Prices count from the first day after the prediction was made, or from its own start when
        that is later, to the end of its last day: midnight UTC for Bitcoin and NAKA, the close of
        the last regular New York session for MSTR. A price seen on or before the day of the
        statement never proves it. Where the source gives only the month or the year, the day in our
        record, by which it had been said, opens the window. If another day of that month or year
        would give another outcome, it is void until the day is known, and the page names both days.
      </p>
      <h2>When it must be true</h2>
      <p>
        The words decide. “Will reach”, “by” and the twelve-month targets of analysts: at any time
        until the deadline. “Will be at”, “closes” or “ends the year at”: only the close of the last
        day counts, whatever was touched before. “Stays between”, “holds” and “never”: the whole
        time, so that the first day outside is a miss; a range that the price was outside of when it
        was said is void. Below is how each kind is decided where its words say nothing else.
      </p>
      <h2>From which side</h2>
      <p>
        The last close on or before the day of the statement is the reference price. A level above
        it has to be reached from below, a level below it from above, unless the source says which
        way: a rise to a level that had been passed is void, not a claim that it falls. A target
        that the price had already reached, or a ceiling or floor already broken, is void: shown in
        grey with the reason, and counted in nothing. A range or a minimum that the price had
        already reached is not void: the last close of its window decides.
      </p>
      {KINDS.map(({ type, title, rule }) => (
        <section key={type}>
          <h2>{title}</h2>
          <p>{rule}</p>
          <Examples
            examples={content.examples.filter(
              (example) => claimType(example.prediction_type) === type,
            )}
          />
        </section>
      ))}
      <h2>Intraday and by daily close</h2>
      <p>
        Every prediction is judged twice: intraday, where the highs and lows of each day count, and
        by daily close, where only closes do. The site shows intraday first; a switch above each
        chart shows the other. Where only the close of a day is known, it counts as the high and the
        low, and the verdict names closes. Where such a close came within 10% of the level without
        reaching it, the day may have touched it: that is no miss yet, and stays open until the high
        and the low of that day are known.
      </p>
      {ASSET_KEYS.map((key) => (
        <KnownDaysOf key={key} asset={key} />
      ))}
      <h2>A miss needs the whole window</h2>
      <p>
        Nothing is called a miss while a price of its window is missing, and today, which is not
        over, never decides one. Until then it stays pending and says that it is waiting for prices.
      </p>
      <h2>Bad ticks</h2>
      <p>
        Where two sources cover a day, a touch needs both. A price that a single venue printed is
        recorded as unconfirmed and decides nothing.
      </p>
      <h2>Stock splits</h2>
      <p>
        MSTR was split ten for one on 08/08/2024. A level said before that day is compared at a
        tenth; screens show both: said $1,800 = $180 today.
      </p>
      <h2>Changes</h2>
      <p>
        A verdict is never changed silently. Better prices or a correction write a new verdict with
        its reason, and the history of the prediction shows both. All of them are listed under{' '}
        <a href="/corrections">Corrections</a>.
      </p>
      <section id="goalposts">
        <h2>Deadlines that were moved</h2>
        <p>
          Some people repeat a level when its deadline passes. Two calls look like one when they are
          by the same person, about the same asset, on the same side of the price, and their levels
          differ by no more than {showShare(SAME_LEVEL)}: as much as rounding to two figures can
          change a number. The later call has the later deadline, was made no more than a year after
          the earlier deadline, and the level had not been reached in between. A deadline that we
          assumed, as the source names none, was not moved by anyone.
        </p>
        <p>
          The rule suggests, and a person checks each suggestion; until then the page says that it
          is not checked. Every call is still judged alone: moved deadlines change no verdict and no
          figure.
        </p>
      </section>
      <h2>Hit rates</h2>
      <p>
        A plain hit rate is hits divided by hits and misses. This site does not compare people by
        it, because it favours some people over others: a target that is hit early counts at once,
        while those beside it stay open until their deadline. So targets look too good and “never
        above” and “never below” calls too bad. It also treats easy and bold calls alike.
      </p>
      <p>
        People are compared by two other figures: calls whose deadline has passed, and hits against
        those that luck expects. Both are explained below. Figures by intraday prices and by daily
        closes follow different rules and cannot be compared with each other.
      </p>
      <section id="luck">
        <StillLuck luck={content.luck} code={content.code} />
      </section>
      <h2>Where the data comes from, and its limits</h2>
      <ul>
        <li>
          Bitcoin: daily prices in US dollars per UTC day. From 2012 to mid-2013 these are closes of
          Mt. Gox, from November 2013 to February 2014 prices of Bitstamp at midnight, and from
          17/09/2014 a composite of several exchanges.
        </li>
        <li>
          MSTR: daily prices of regular New York sessions, adjusted for splits, not for dividends.
        </li>
        <li>NAKA: no history ships with the site; prices appear once a source delivers them.</li>
        <li>
          Figures are rounded: to the cent below $1,000, to the dollar above. Sources differ by
          small amounts, so a level missed or met by less than that is a matter of the source.
        </li>
        <li>
          Predictions are collected from public articles, posts and recordings. The collection is
          neither complete nor a sample drawn at random: calls that were reported are in it, calls
          that were never written down are not.
        </li>
      </ul>
    </Prose>
  )
}

function Examples({ examples }: { readonly examples: readonly Example[] }) {
  const rows = examples.flatMap((example) => {
    const prediction = predictionOfRow(example)
    return prediction ? [{ prediction, sentence: example.sentence }] : []
  })
  if (rows.length === 0) return null
  return (
    <Stack as="ul" gap={2}>
      {rows.map(({ prediction, sentence }) => (
        <Panel as="li" gap={1} key={prediction.id} className="pad beside">
          <b>
            <a href={predictionPath(prediction)}>{headline(prediction)}</a>
          </b>
          <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
          <Text tone="quiet" className="whole">
            {sentence}
          </Text>
        </Panel>
      ))}
    </Stack>
  )
}

export function SelectionSection({ selection }: { readonly selection: Selection }) {
  const { reports, operator } = selection
  return (
    <Stack gap={4}>
      <h2>How claims get in</h2>
      <p>
        Anyone may submit anyone’s prediction, bullish or bearish. A visitor pays for the review in
        sats, which keeps spam out; it buys no entry and no verdict, and hits and misses cost the
        same. Administrators also add posts, which are read by fixed rules and, where it is set up,
        by a language model.
      </p>
      <p>
        Either way, a person checks each submission before it is published: that it was said in
        public by the one named, that the source shows it, that it has a price and a date that can
        be checked, and that it is not on record yet. What anyone thinks of the person or the
        prediction plays no part. {importedText(selection)}
      </p>
      <Counts selection={selection} />
      <p>
        What is changed after it was published is listed under{' '}
        <a href={CORRECTIONS_PATH}>Corrections</a>, with the reason. Anyone may report an error on
        the page of a prediction. <a href={REPORTS_PATH}>Reported so far</a>:{' '}
        {`${showCount(reports.accepted)} accepted, ${showCount(reports.declined)} declined, ${showCount(reports.open)} open.`}
      </p>
      <h3>Who runs this site</h3>
      <ul>
        <li>Run by: {operator.name ?? 'not stated'}</li>
        <li>Holdings in these assets: {operator.holdings ?? 'not disclosed'}</li>
      </ul>
    </Stack>
  )
}

function importedText({ imported }: Selection): string {
  if (imported === 0) return ''
  return imported === 1
    ? '1 prediction on record came in a file, not as a submission.'
    : `${showCount(imported)} predictions on record came in files, not as submissions: they were collected from public sources.`
}

function Counts({ selection }: { readonly selection: Selection }) {
  const { accepted, rejected, waiting, since, reasons } = selection
  const day = readDay(since)
  if (day === null) {
    return (
      <p>
        {waiting === 0
          ? 'No submission has been decided yet.'
          : `No submission has been decided yet; ${counted(waiting, 'waits', 'wait')} for review.`}
      </p>
    )
  }
  return (
    <>
      <p>
        {`Since ${showDay(day)}: ${counted(accepted, 'submission')} published, ${showCount(rejected)} rejected, ${showCount(waiting)} waiting for review.`}
        {rejected > 0 && ' Rejected, by reason:'}
      </p>
      {rejected > 0 && (
        <ul>
          {reasons.map(({ reason, count }) => (
            <li key={reason}>{`${reason ?? 'Another reason'}: ${showCount(count)}`}</li>
          ))}
        </ul>
      )}
    </>
  )
}
