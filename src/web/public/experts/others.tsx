import { useState } from 'react'
import { MOST_SHOWN, plainName, type BoardRow } from '#contracts/board.ts'
import { showCount } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/least-calls.ts'
import { expertPath } from '#web/address/addresses.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { cameTrueText } from '#domain/scoring/figure-text.ts'
import { callsText } from './calls-text.ts'
import css from './others.module.css'
import { Strip } from './strip.tsx'

/** As many as are read without looking for somebody. */
const MOST_AT_FIRST = 12

/** People of whom too few calls are decided; they can be found by name. */
export function Others({
  others,
  count,
  ranked,
  find,
  onFind,
}: {
  /** All of them, or of many the first that were looked for. */
  readonly others: readonly BoardRow[]
  readonly count: number
  /** Those who are listed above. */
  readonly ranked: readonly BoardRow[]
  readonly find: string
  readonly onFind: (part: string) => void
}) {
  const wanted = plainName(find)
  const found = others.filter(({ name }) => plainName(name).includes(wanted))
  const above = ranked.filter(({ name }) => plainName(name).includes(wanted))
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? found : found.slice(0, MOST_AT_FIRST)
  const isCut = others.length === MOST_SHOWN && others.length < count
  if (count === 0) return null
  return (
    <Stack as="section" gap={4}>
      <Text as="h2" size="title">
        Too few decided calls
      </Text>
      <Text tone="quiet">
        {`Fewer than ${String(LEAST_CALLS)} decided calls say too little about a person. They are listed by name.`}
      </Text>
      <SearchField label="Search people with few decided calls" value={find} onChange={onFind} />
      {found.length === 0 ? (
        <Text tone="quiet" role="status">
          {above.length > 0
            ? `Listed above: ${above.map(({ name }) => name).join(', ')}.`
            : `There is no “${find.trim()}” here.`}
        </Text>
      ) : (
        <ul className={css.list}>
          {shown.map((row) => (
            <li key={row.slug} className={css.person}>
              <span>
                <a href={expertPath(row)}>
                  <bdi>{row.name}</bdi>
                </a>
                <small>{callsText(row)}</small>
              </span>
              <Strip name={row.name} calls={row.calls} />
              <span className={css.hits}>{cameTrueText(row.time_is_up)}</span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <Row>
          <Button onClick={() => setWhole(true)}>
            {`Show ${isCut ? 'the first' : 'all'} ${String(found.length)}`}
          </Button>
        </Row>
      )}
      {isCut && (
        <Text tone="quiet" size="small">
          {`${showCount(count)} people have too few decided calls. Search for a name to see others than these.`}
        </Text>
      )}
    </Stack>
  )
}
