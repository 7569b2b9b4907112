import { useContext, useSyncExternalStore, useRef, useState } from 'react'
import {
  citationOf,
  LICENCE,
  viewFile,
  VIEW_TITLES,
  EMBED_THEMES,
  embedCode,
  embedHeight,
  embedPath,
  type EmbedTheme,
} from '#contracts/data-files.ts'
import { PAST_PARAM, readPastDay } from '#contracts/paths.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { yearPath } from '#contracts/year.ts'
import { ASSETS } from '#domain/asset.ts'
import { headline } from '#domain/claim/prediction.ts'
import { showDayInWords, type Day } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { expertPath, hedgehogPicturePath, predictionPath } from '#web/address/addresses.ts'
import { MOVED_ON, PlaceContext, usePath, WRITTEN } from '#web/address/location.ts'
import { useSite, type PageContent } from '#web/head/site.ts'
import { Segments } from '#web/ui/chip.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { onWindow } from '#web/ui/hooks.ts'
import { classNames, Row, Stack, Text, Note } from '#web/ui/primitives.tsx'

/** Files, pictures, citation and link of the page with its current filters; null for pages without any. */
export function DownloadAndCite({ content }: { readonly content: PageContent }) {
  const { origin, today } = useSite()
  const path = usePath()
  const drawn = useContext(PlaceContext)
  const search = withoutTracking(
    useSyncExternalStore(
      followSearch,
      () => window.location.search.slice(1),
      () => drawn.search,
    ),
  )
  const [theme, setTheme] = useState<EmbedTheme | null>(null)
  const panel = useRef<HTMLElement>(null)
  const offer = offerOf(content, search, today)
  if (!offer) return null
  const embed = offer.isWithdrawn ? null : embedPath(path, search, theme)
  const code =
    embed &&
    embedCode({
      src: origin + embed,
      title: offer.title,
      width: '100%',
      height: embedHeight(path),
    })
  const url = `${origin}${path}${search === '' ? '' : `?${search}`}`
  const citation = citationOf({
    title: offer.title,
    day: showDayInWords(offer.asOf ?? today),
    rule: RULE_VERSION,
    url,
  })
  const files = [
    ['CSV', viewFile(path, search, 'csv')],
    ['JSON', viewFile(path, search, 'json')],
    ['About the data (JSON)', viewFile(path, search, 'metadata.json')],
    ['PNG', offer.picture && `${offer.picture}.png`],
    ['SVG', offer.picture && `${offer.picture}.svg`],
  ] as const
  return (
    <details
      className={classNames('apart', content.page === 'asset' && 'container', 'by-screen')}
      key={path}
      data-page={content.page}
    >
      <summary className="inset-y semibold">Download and cite</summary>
      <Stack gap={3}>
        <Row as="ul" gap={4} className="taps">
          {files.map(
            ([name, file]) =>
              file && (
                <li key={name}>
                  <a href={file} download={name.startsWith('About') ? undefined : ''}>
                    {name}
                  </a>
                </li>
              ),
          )}
        </Row>
        <Text size="small" className="measure">
          {citation}
        </Text>
        <Row gap={3}>
          <CopyButton text={citation} label="Copy citation" done="Citation copied" />
          <CopyButton text={url} label="Copy link" done="Link copied" />
        </Row>
        {embed !== null && code !== null && (
          <Stack gap={2} role="group" aria-label="Embed">
            <Text>Embed this view in another page:</Text>
            <code className="inset block card small" ref={panel}>
              {code}
            </code>
            <Row gap={3}>
              <Segments
                label="Theme of the embed"
                options={[
                  [null, 'As the reader’s device'],
                  ...EMBED_THEMES.map((one) => [one, THEME_NAMES[one]] as const),
                ]}
                value={theme}
                onChoose={setTheme}
              />
              <CopyButton text={code} label="Copy code" done="Code copied" element={panel} />
              <a href={embed} target="_blank" rel="noopener">
                Preview
              </a>
            </Row>
          </Stack>
        )}
        <Note>
          {LICENCE.about} <a href={LICENCE.url}>{LICENCE.name}</a>
        </Note>
      </Stack>
    </details>
  )
}

/** A query without the tracking parameters that networks append to links. */
function withoutTracking(search: string): string {
  return search
    .split('&')
    .filter((part) => !/^(?:utm_\w+|fbclid|gclid|ref)=/.test(part))
    .join('&')
}

const followSearch = (notify: () => void) => onWindow(['popstate', MOVED_ON, WRITTEN], notify)

type Offer = {
  readonly title: string
  /** Today for null. */
  readonly asOf?: Day | null
  /** Address of its picture without extension. */
  readonly picture?: string | null
  readonly isWithdrawn?: boolean
}

function offerOf(content: PageContent, search: string, today: Day): Offer | null {
  switch (content.page) {
    case 'asset':
      return {
        title: VIEW_TITLES.asset(ASSETS[content.asset].name),
        asOf: pastDay(search, today),
        picture: hedgehogPicturePath(content.asset, null).replace(/\.png$/, ''),
      }
    case 'today':
    case 'corrections':
    case 'reports':
    case 'years':
      return { title: VIEW_TITLES[content.page] }
    case 'hedgehog':
      return {
        title: VIEW_TITLES.said(ASSETS[content.asset].name),
        picture: hedgehogPicturePath(content.asset, null).replace(/\.png$/, ''),
      }
    case 'experts':
      return { title: VIEW_TITLES.board, picture: '/experts/picture' }
    case 'expert':
      return {
        title: VIEW_TITLES.person(content.expert.name),
        picture: `${expertPath(content.expert)}/picture`,
      }
    case 'year':
      return {
        title: VIEW_TITLES.year(ASSETS[content.asset].name, content.year),
        picture: content.card && `${yearPath(content.asset, content.year)}/picture`,
      }
    case 'prediction': {
      const prediction = predictionOfRow(content.prediction)
      return (
        prediction && {
          // Direction marks around names are for display only.
          title: headline(prediction).replaceAll(/[\u2066-\u2069]/g, ''),
          isWithdrawn: content.withdrawn !== null,
          picture: content.withdrawn ? null : `${predictionPath(prediction)}/picture`,
        }
      )
    }
    case 'report':
    case 'landing':
    case 'data':
    case 'methodology':
    case 'about':
    case 'terms':
    case 'receipt':
    case 'confirm':
    case 'following':
    case 'missing':
    case 'unavailable':
      return null
  }
}

/** The past day of a dashboard; null for today. */
function pastDay(search: string, today: Day): Day | null {
  const day = readPastDay(new URLSearchParams(search).get(PAST_PARAM))
  return day !== null && day < today ? day : null
}

const THEME_NAMES = { light: 'Light', dark: 'Dark' } as const
