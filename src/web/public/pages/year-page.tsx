import { type ReactNode } from 'react'
import { MOST_CALLS, yearPath, type YearCallRow, type YearCardReply } from '#contracts/year.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { asWellText } from '#domain/scoring/figure-text.ts'
import { showBoldness, showChance } from '#domain/scoring/odds-text.ts'
import { cameTrue, consensusLevel, errorText, saidBy, yearRest } from '#domain/scoring/year-text.ts'
import { expertPath, predictionPath, yearPicturePath } from '#web/address/addresses.ts'
import { useSite, type ContentOf, type PageProps } from '#web/head/site.ts'
import { LargeStrip, StripLegend } from '#web/public/experts/strip.tsx'
import { ShareButtons } from '#web/public/predictions/share-buttons.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { useScored } from './use-scored.ts'
import css from './year-page.module.css'

/** The card of a year: the calls of one asset that were due in it, and what became of them. */
export function YearPage({ content: given }: PageProps<'year'>) {
  const content = useScored(
    given,
    (next) => next.page === 'year',
    ({ card }) => card !== null,
  )
  const { asset, year, card } = content
  return (
    <Stack as="article" gap={8} className={css.page}>
      <Stack as="header" gap={3}>
        <Places content={content} />
        {card && <Head asset={asset} card={card} />}
      </Stack>
      {!card && (
        <Notice
          title="Scores are being computed"
          text={`The calls of ${String(year)} are being compared with luck. This takes a few seconds; the page shows them when it is done.`}
        />
      )}
      {card && card.tally.n > 0 && <Card asset={asset} year={year} card={card} />}
      {card && card.tally.n === 0 && (
        <>
          <CallsByLuck year={year} card={card} />
          <StillOpen asset={asset} card={card} />
        </>
      )}
    </Stack>
  )
}

/** The years before and after, and the same year of other assets. */
function Places({ content: { asset, year, place } }: { readonly content: ContentOf<'year'> }) {
  const { before, after, assets } = place
  return (
    <Row as="nav" gap={4} justify="between" className={css.places} aria-label="Years and assets">
      <Row gap={4}>
        {before !== null && (
          <a href={yearPath(asset, before)} rel="prev">
            ← {before}
          </a>
        )}
        <a href="/years">All years</a>
        {after !== null && (
          <a href={yearPath(asset, after)} rel="next">
            {after} →
          </a>
        )}
      </Row>
      {assets.length > 1 && (
        <Row gap={4}>
          {assets.map((key) => (
            <a
              key={key}
              href={yearPath(key, year)}
              aria-current={key === asset ? 'page' : undefined}
            >
              {ASSETS[key].symbol} {year}
            </a>
          ))}
        </Row>
      )}
    </Row>
  )
}

function Head({ asset, card }: { readonly asset: AssetKey; readonly card: YearCardReply }) {
  const rest = yearRest(card.tally)
  const price = priceText(asset, card)
  return (
    <>
      <h1 className={css.finding}>{card.finding}</h1>
      <Text tone="quiet">
        {[rest, price].filter(Boolean).join(' ')}
        {card.replayed !== null &&
          ` ${asWellText(card.replayed)} These calls are about one price and come true or fail together, which this figure allows for.`}{' '}
        <a href="/methodology#luck">How luck is computed</a>
      </Text>
    </>
  )
}

/** `Bitcoin went from $94,420 to $87,508, between $76,272 and $124,753 (closes).` */
function priceText(asset: AssetKey, { price, so_far, tally }: YearCardReply): string {
  if (!price) return ''
  const { first, last, low, high, day } = price
  const when = so_far
    ? `From the start of ${String(tally.year)} to ${dayText(day)}`
    : `In ${String(tally.year)}`
  return `${when} ${ASSETS[asset].name} went from ${showUsd(first)} to ${showUsd(last)}, with closes between ${showUsd(low)} and ${showUsd(high)}.`
}

function Card({
  asset,
  year,
  card,
}: {
  readonly asset: AssetKey
  readonly year: number
  readonly card: YearCardReply
}) {
  const { origin } = useSite()
  return (
    <>
      <Facts card={card} />
      <CallsByLuck year={year} card={card} />
      <Stack as="section" gap={4}>
        <Text as="h2" size="title">
          The calls, boldest first
        </Text>
        <Calls asset={asset} calls={card.calls} count={card.tally.n} />
      </Stack>
      <StillOpen asset={asset} card={card} />
      <Stack as="section" gap={3}>
        <Row gap={3} className={css.share}>
          <ShareButtons url={origin + yearPath(asset, year)} text={card.finding} />
          <a href={yearPicturePath(asset, year, card.as_of)} download>
            Picture as PNG
          </a>
          <a href={yearPicturePath(asset, year, card.as_of, 'svg')} download>
            as SVG
          </a>
        </Row>
        <Text size="small" tone="quiet">
          {`As of ${dayText(card.as_of)}, by intraday prices. A call belongs to the year of its deadline, also when it came true earlier.`}
        </Text>
      </Stack>
    </>
  )
}

/** Each call at its chance by luck, open ones too. */
function CallsByLuck({ year, card }: { readonly year: number; readonly card: YearCardReply }) {
  const calls = [...card.calls, ...card.open]
  if (calls.every(({ luck }) => luck === null)) return null
  return (
    <Stack as="section" gap={2} aria-label="Calls by luck">
      <LargeStrip
        name={String(year)}
        calls={calls.map((call) => ({ ...call, text: `${call.name}: ${call.text}` }))}
      />
      <Text size="small" tone="quiet">
        Each mark is one call, placed by how likely luck alone was to make it right: bold calls on
        the left. <StripLegend />
      </Text>
    </Stack>
  )
}

/** The calls of the year whose deadline is ahead. */
function StillOpen({ asset, card }: { readonly asset: AssetKey; readonly card: YearCardReply }) {
  if (card.open.length === 0) return null
  return (
    <Stack as="section" gap={4}>
      <Stack gap={1}>
        <Text as="h2" size="title">
          Still open
        </Text>
        {card.open.some(({ outcome }) => outcome === 'hit') && (
          <Text tone="quiet">A call that came true early counts from its deadline on.</Text>
        )}
      </Stack>
      <Calls asset={asset} calls={card.open} count={card.tally.open} />
    </Stack>
  )
}

/** The calls that were sent, and of how many they are. */
function Calls({
  asset,
  calls,
  count,
}: {
  readonly asset: AssetKey
  readonly calls: readonly YearCallRow[]
  readonly count: number
}) {
  return (
    <>
      <ul className={css.list}>
        {calls.map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </ul>
      {count > calls.length && (
        <Text tone="quiet">
          {`The first ${showCount(MOST_CALLS)} of ${showCount(count)} calls. `}
          <a href={ASSETS[asset].route}>All {ASSETS[asset].name} calls</a>
        </Text>
      )}
    </>
  )
}

function Facts({ card: { boldest, widest, consensus } }: { readonly card: YearCardReply }) {
  return (
    <Columns gap={4} className={css.facts}>
      <Fact name="Boldest hit">
        {boldest ? (
          <>
            <WhoAndWhat call={boldest} />
            <Text tone="quiet">{luckSentence(boldest)}</Text>
          </>
        ) : (
          <Text tone="quiet">No call came true.</Text>
        )}
      </Fact>
      <Fact name="Widest miss">
        {widest ? (
          <>
            <WhoAndWhat call={widest} />
            <Text tone="quiet">{`${errorText(widest.error)}: the price was at ${showUsd(widest.close)} on ${dayText(widest.deadline)}.`}</Text>
          </>
        ) : (
          <Text tone="quiet">No call missed.</Text>
        )}
      </Fact>
      <Fact name="Loudest consensus">
        {consensus ? (
          <>
            <Text size="lead" strong className={css.what}>
              {consensusLevel(consensus)}
            </Text>
            <Text tone="quiet">
              {`${saidBy(consensus)}: ${cameTrue(consensus)}. `}
              {consensus.by.map(({ slug, name }, i) => (
                <span key={slug}>
                  {i > 0 && ', '}
                  <a href={expertPath({ slug })}>
                    <bdi>{name}</bdi>
                  </a>
                </span>
              ))}
            </Text>
          </>
        ) : (
          <Text tone="quiet">No level was named by three people.</Text>
        )}
      </Fact>
    </Columns>
  )
}

/** `Luck said 7 %: a 1-in-14 call.` */
function luckSentence({ luck }: YearCallRow): string {
  return luck === null ? '' : `Luck said ${showChance(luck)}: ${showBoldness(luck)}.`
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Panel as="section" gap={2} className={css.fact}>
      <Text as="h2" size="small" tone="quiet">
        {name}
      </Text>
      {children}
    </Panel>
  )
}

function WhoAndWhat({ call }: { readonly call: YearCallRow }) {
  return (
    <Text size="lead" strong className={css.what}>
      <a href={expertPath(call)}>
        <bdi>{call.name}</bdi>
      </a>
      {': '}
      <a href={predictionPath(call)}>{call.text}</a>
    </Text>
  )
}

function CallRow({ call }: { readonly call: YearCallRow }) {
  const { luck, error, outcome, made, deadline } = call
  return (
    <li className={css.call}>
      <span className={css.what}>
        <a href={expertPath(call)}>
          <bdi>{call.name}</bdi>
        </a>
        {': '}
        <a href={predictionPath(call)}>{call.text}</a>
      </span>
      <VerdictBadge outcome={outcome} />
      <Text as="span" tone="quiet" size="small" className={css.why}>
        {[
          `Made ${dayText(made)}`,
          `due ${dayText(deadline)}`,
          luck === null ? '' : `luck said ${showChance(luck)}`,
          outcome === 'miss' && error ? errorText(error) : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </li>
  )
}

function dayText(text: string): string {
  const day = readDay(text)
  return day === null ? text : showDay(day)
}
