import { type ReactNode } from 'react'
import { hedgehogPath } from '#contracts/paths.ts'
import { MOST_CALLS, yearPath, type YearCallRow, type YearCardReply } from '#contracts/year.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { chanceText, showChance } from '#domain/scoring/odds-text.ts'
import { asWellText } from '#domain/scoring/score-text.ts'
import {
  cameTrue,
  consensusLevel,
  errorText,
  peopleAndCalls,
  yearRest,
} from '#domain/scoring/year-card.ts'
import { expertPath, predictionPath, yearPicturePath } from '#web/address/addresses.ts'
import { useSite, type ContentOf, type PageProps } from '#web/head/site.ts'
import { CallsByLuck } from '#web/public/experts/strip.tsx'
import { ShareButtons } from '#web/public/predictions/share-buttons.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel, Row, Stack, Section, Text, Note, Tiles } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { useFresh } from './use-fresh.ts'

export function YearPage({ content: initial }: PageProps<'year'>) {
  const content = useFresh(initial)
  const { origin } = useSite()
  const { asset, year, card } = content
  const isDecided = card !== null && card.tally.n > 0
  return (
    <Stack as="article" gap={8}>
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
      {card && (
        <>
          {isDecided && <Facts card={card} />}
          <CallsByLuck
            name={String(year)}
            calls={[...card.calls, ...card.open].map((call) => ({
              ...call,
              text: `${call.name}: ${call.text}`,
            }))}
          />
          {isDecided && (
            <Section gap={4} title="The calls, boldest first">
              <Calls asset={asset} calls={card.calls} count={card.tally.n} />
            </Section>
          )}
          <StillOpen asset={asset} card={card} />
        </>
      )}
      {card && isDecided && (
        <Stack as="section" gap={3}>
          <Row gap={3} className="taps">
            <ShareButtons url={origin + yearPath(asset, year)} text={card.finding} />
            <a href={yearPicturePath(asset, year, card.as_of)} download>
              Picture as PNG
            </a>
            <a href={yearPicturePath(asset, year, card.as_of, 'svg')} download>
              as SVG
            </a>
          </Row>
          <Note>
            {`As of ${showDate(card.as_of)}, by intraday prices. A call belongs to the year of its deadline, even if it came true earlier.`}
          </Note>
        </Stack>
      )}
    </Stack>
  )
}

function Places({ content: { asset, year, place } }: { readonly content: ContentOf<'year'> }) {
  const { before, after, assets } = place
  return (
    <Row as="nav" gap={4} justify="between" className="taps" aria-label="Years and assets">
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
  const { levels } = card
  return (
    <>
      <h1 className="title">{card.finding}</h1>
      <Text tone="quiet" className="measure">
        {levels &&
          `The levels named run from ${showUsd(levels.low)} to ${showUsd(levels.high)}, half of them above ${showUsd(levels.median)}. `}
        {[rest, price].filter(Boolean).join(' ')}
        {card.replayed !== null &&
          ` Luck alone does as well in ${asWellText(card.replayed)}. Calls on one price succeed or fail together; this figure takes that into account.`}{' '}
        <a href="/methodology#luck">How luck is computed</a> ·{' '}
        <a href={`${hedgehogPath(asset)}?year=${String(card.tally.year)}`}>
          Calls made in {card.tally.year}
        </a>
      </Text>
    </>
  )
}

/** `Bitcoin went from $94,420 to $87,508, between $76,272 and $124,753 (closes).` */
function priceText(asset: AssetKey, { price, so_far, tally }: YearCardReply): string {
  if (!price) return ''
  const { first, last, low, high, day } = price
  const when = so_far
    ? `From the start of ${String(tally.year)} to ${showDate(day)}`
    : `In ${String(tally.year)}`
  return `${when} ${ASSETS[asset].name} went from ${showUsd(first)} to ${showUsd(last)}, with closes between ${showUsd(low)} and ${showUsd(high)}.`
}

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
      <ul className="ruled">
        {calls.map((call) => {
          const { luck, error, outcome, made, deadline } = call
          const note = [
            `Made ${showDate(made)}`,
            `due ${showDate(deadline)}`,
            luck !== null && `${showChance(luck)} chance`,
            outcome === 'miss' && error && errorText(error),
          ]
          return (
            <li key={call.id} className="beside plain-links">
              <span className="semibold">
                <a href={expertPath(call)}>
                  <bdi>{call.name}</bdi>
                </a>
                {': '}
                <a href={predictionPath(call)}>{call.text}</a>
              </span>
              <VerdictBadge outcome={outcome} />
              <Note as="span">{note.filter(Boolean).join(' · ')}</Note>
            </li>
          )
        })}
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
    <Tiles gap={4} least="third">
      <Fact name="Boldest hit">
        {boldest ? (
          <>
            <WhoAndWhat call={boldest} />
            <Text tone="quiet">{boldest.luck !== null && `${chanceText(boldest.luck)}.`}</Text>
          </>
        ) : (
          <Text tone="quiet">No call came true.</Text>
        )}
      </Fact>
      <Fact name="Widest miss">
        {widest ? (
          <>
            <WhoAndWhat call={widest} />
            <Text tone="quiet">{`${errorText(widest.error)}: the price was at ${showUsd(widest.close)} on ${showDate(widest.deadline)}.`}</Text>
          </>
        ) : (
          <Text tone="quiet">No call missed.</Text>
        )}
      </Fact>
      <Fact name="Loudest consensus">
        {consensus ? (
          <>
            <Text size="lead" strong>
              {consensusLevel(consensus)}
            </Text>
            <Text tone="quiet">
              {`${peopleAndCalls(consensus)}: ${cameTrue(consensus)}. `}
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
          <Text tone="quiet">No three people named the same level.</Text>
        )}
      </Fact>
    </Tiles>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Panel as="section" gap={2} className="plain-links">
      <Note as="h2">{name}</Note>
      {children}
    </Panel>
  )
}

function WhoAndWhat({ call }: { readonly call: YearCallRow }) {
  return (
    <Text size="lead" strong>
      <a href={expertPath(call)}>
        <bdi>{call.name}</bdi>
      </a>
      {': '}
      <a href={predictionPath(call)}>{call.text}</a>
    </Text>
  )
}
