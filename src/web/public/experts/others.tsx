import { useState } from 'react'
import { BOARD_ROWS, plainName, type BoardRow } from '#contracts/board.ts'
import { plural, readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/call-filter.ts'
import { ofText } from '#domain/scoring/score-text.ts'
import { expertPath } from '#web/address/addresses.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/field.tsx'
import { Row, Section, Text, Note } from '#web/ui/primitives.tsx'
import { Strip } from './strip.tsx'

const MOST_AT_FIRST = 12

export function Others({
  others,
  count,
  ranked,
  find,
  onFind,
}: {
  readonly others: readonly BoardRow[]
  readonly count: number
  readonly ranked: readonly BoardRow[]
  readonly find: string
  readonly onFind: (part: string) => void
}) {
  const search = plainName(find)
  const found = others.filter(({ name }) => plainName(name).includes(search))
  const above = ranked.filter(({ name }) => plainName(name).includes(search))
  const [isWhole, setWhole] = useState(false)
  const visible = isWhole ? found : found.slice(0, MOST_AT_FIRST)
  const isCut = others.length === BOARD_ROWS.others && others.length < count
  if (count === 0) return null
  return (
    <Section gap={4} title="Too few comparable calls">
      <Text tone="quiet">
        {`Fewer than ${String(LEAST_CALLS)} comparable calls say too little about a person: decided ones of no more than two years. They are listed by name.`}
      </Text>
      <SearchField label="Search people with few comparable calls" value={find} onChange={onFind} />
      {found.length === 0 ? (
        <Text tone="quiet" role="status">
          {above.length > 0
            ? `Listed above: ${above.map(({ name }) => name).join(', ')}.`
            : `There is no “${find.trim()}” here.`}
        </Text>
      ) : (
        <ul className="ruled drawn-rows plain-links">
          {visible.map((row) => (
            <li key={row.slug}>
              <span>
                <a className="semibold" href={expertPath(row)}>
                  <bdi>{row.name}</bdi>
                </a>
                <small>{callsText(row)}</small>
              </span>
              <Strip row={row} />
              <span className="at-end">
                {row.time_is_up.n === 0 ? 'open' : ofText(row.time_is_up)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {visible.length < found.length && (
        <Row>
          <Button onClick={() => setWhole(true)}>
            {`Show ${isCut ? 'the first' : 'all'} ${String(found.length)}`}
          </Button>
        </Row>
      )}
      {isCut && (
        <Note>
          {`${showCount(count)} people have too few comparable calls. Search for a name to see others than these.`}
        </Note>
      )}
    </Section>
  )
}

/** `8 calls, last 08/11/2025` */
function callsText({ call_count: calls, last_call: last }: BoardRow): string {
  const count = plural(calls, 'call')
  const day = readDay(last)
  return day === null ? count : `${count}, last ${showDay(day)}`
}
