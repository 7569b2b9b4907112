import { useState } from 'react'
import { type BoardRow } from '#contracts/board.ts'
import { LEAST_VOTES } from '#domain/scoring/least-votes.ts'
import { expertPath } from '#web/address/addresses.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { showVotes } from '#domain/scoring/figure-text.ts'
import { callsText } from './calls-text.ts'
import css from './others.module.css'
import { Strip } from './strip.tsx'

/** As many as are read without looking for somebody. */
const MOST_AT_FIRST = 12

/** People of whom too few calls are decided: they have no place, and can be found by name. */
export function Others({ others }: { readonly others: readonly BoardRow[] }) {
  const [typed, setTyped] = useState('')
  const wanted = plain(typed)
  const found = others.filter(({ name }) => plain(name).includes(wanted))
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? found : found.slice(0, MOST_AT_FIRST)
  if (others.length === 0) return null
  return (
    <Stack as="section" gap={4}>
      <Text as="h2" size="title">
        Not ranked
      </Text>
      <Text tone="quiet">
        {`Fewer than ${String(LEAST_VOTES)} decided calls say too little about a person. They are listed by name.`}
      </Text>
      <SearchField label="Search people who are not ranked" value={typed} onChange={setTyped} />
      {found.length === 0 ? (
        <Text tone="quiet" role="status">{`There is no “${typed.trim()}” here.`}</Text>
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
              <span className={css.hits}>
                {row.time_is_up.n === 0
                  ? 'none decided'
                  : `${showVotes(row.time_is_up.hits)} of ${showVotes(row.time_is_up.n)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <Row>
          <Button onClick={() => setWhole(true)}>{`Show all ${String(found.length)}`}</Button>
        </Row>
      )}
    </Stack>
  )
}

/** Without case and accents, as people type. */
function plain(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
