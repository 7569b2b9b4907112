import { type ReactNode } from 'react'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { type useNarrowed } from '#web/api/use-narrowed.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Note, Row, Stack, Text } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'

type Paged = { readonly page: number; readonly pages: number }

/** A public log: heading, filters and one page of entries; the previous page stays while the next is loaded. */
export function PagedLog<Entry extends { readonly number: number }>({
  of,
  title,
  lead,
  children,
  filters,
  log: { visible, state, retry },
  count,
  addressOf,
  entry,
}: {
  /** `corrections` */
  readonly of: string
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
  readonly filters: ReactNode
  readonly log: ReturnType<typeof useNarrowed<Paged & { readonly rows: readonly Entry[] }>>
  readonly count: string
  readonly addressOf: (page: number) => string
  readonly entry: (row: Entry) => ReactNode
}) {
  return (
    <Stack as="article" gap={6}>
      <Stack as="header" gap={3}>
        <h1>{title}</h1>
        <Text tone="quiet" size="lead">
          {lead}
        </Text>
        {children}
      </Stack>
      <Stack gap={1} className="taps">
        {filters}
      </Stack>
      {state === 'failed' && (
        <Notice
          alert
          title={`These ${of} could not be loaded`}
          text="You still see the previous selection."
          onRetry={retry}
        />
      )}
      <Stack gap={4} aria-busy={state === 'loading'} className="dims">
        <Text role="status">{count}</Text>
        {visible.rows.length > 0 && <ol>{visible.rows.map(entry)}</ol>}
        <PagesNav of={of} at={visible} addressOf={addressOf} />
      </Stack>
    </Stack>
  )
}

/** A dated entry of a public log. */
export function LogEntry({
  id,
  at,
  tag,
  asset,
  title,
  children,
}: {
  readonly id?: string
  readonly at: string
  readonly tag: ReactNode
  readonly asset: AssetKey
  readonly title: ReactNode
  readonly children: ReactNode
}) {
  return (
    <li className="dated" id={id}>
      <Note as="time" dateTime={at}>
        {showDate(at)}
      </Note>
      <Stack gap={1}>
        <Row gap={3}>
          {tag}
          <Note as="span">{ASSETS[asset].symbol}</Note>
        </Row>
        <Text strong>{title}</Text>
        {children}
      </Stack>
    </li>
  )
}

/** Links to narrower views; null for the address of the current one. */
export function FilterLinks({
  label,
  about,
  links,
}: {
  readonly label: string
  readonly about?: ReactNode
  readonly links: readonly (readonly [text: string, address: string, isCurrent: boolean])[]
}) {
  return (
    <Row as="nav" gap={4} tight aria-label={label}>
      {about}
      {links.map(([text, address, isCurrent]) => (
        <a key={text} href={address} aria-current={isCurrent ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </Row>
  )
}

/**
 * Links to the previous and next page.
 *
 * @param isLoaded reloads the document instead of only changing the address
 */
export function PagesNav({
  of,
  at: { page, pages },
  addressOf,
  isLoaded = false,
}: {
  readonly of: string
  readonly at: Paged
  readonly addressOf: (page: number) => string
  readonly isLoaded?: boolean
}) {
  if (pages <= 1) return null
  const target = isLoaded ? '_self' : undefined
  return (
    <Row as="nav" gap={4} aria-label={`Pages of ${of}`} className="taps">
      {page > 1 && (
        <a href={addressOf(page - 1)} target={target}>
          Newer
        </a>
      )}
      <span>{`Page ${showCount(page)} of ${showCount(pages)}`}</span>
      {page < pages && (
        <a href={addressOf(page + 1)} target={target}>
          Older
        </a>
      )}
    </Row>
  )
}
