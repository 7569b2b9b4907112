import { showCount } from '#domain/price-text.ts'
import { Row } from '#web/ui/primitives.tsx'

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
  readonly at: { readonly page: number; readonly pages: number }
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
