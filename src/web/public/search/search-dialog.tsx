import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { LONGEST_SEARCH, MOST_FOUND, search, type SearchReply } from '#contracts/search.ts'
import { plural } from '#domain/day.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { call, sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SearchField } from '#web/ui/field.tsx'
import { useAnswer, useRested } from '#web/ui/hooks.ts'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'
import { keepEarlyKeys, takeEarlyKeys } from './search-keys.ts'
import css from './search-dialog.module.css'

const REST_MS = 150

export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  // The query for which all results are loaded.
  const [wholeOf, setWholeOf] = useState<string | null>(null)
  const { found, error, refetch } = useSearch(typed.trim(), wholeOf === typed.trim())
  const rows = found?.groups.flatMap((group) => group.found) ?? []
  const total = found?.groups.reduce((sum, group) => sum + group.total, 0) ?? 0
  const [at, setAt] = useState({ q: '', row: 0 })
  // New results start at the first row.
  const chosen = at.q === found?.q ? Math.min(at.row, rows.length - 1) : 0
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  // The query when Enter was pressed during loading; its first result opens on arrival.
  const entered = useRef<string | null>(null)
  const isThere = found !== null && found.q === typed.trim()
  useEffect(() => {
    if (!isThere || entered.current !== found.q) return
    entered.current = null
    document.getElementById(`${list}-0`)?.click()
  }, [isThere, found, list])

  // Until the field has the focus.
  const stopKeeping = useRef<(() => void) | null>(null)
  useLayoutEffect(() => {
    const stop = keepEarlyKeys()
    stopKeeping.current = stop
    return stop
  }, [])

  function onFocus(): void {
    stopKeeping.current?.()
    const early = takeEarlyKeys()
    if (early === '') return
    const text = early.replaceAll('\n', '')
    setTyped(text)
    if (early.includes('\n')) entered.current = text.trim()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = stepTo(event.key, chosen, rows.length)
    if (row !== null) {
      event.preventDefault()
      setAt({ q: found?.q ?? '', row })
      document.getElementById(`${list}-${String(row)}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      // If the list belongs to an earlier query, wait for the current one.
      if (isThere) document.getElementById(`${list}-${String(chosen)}`)?.click()
      else entered.current = typed.trim()
    }
  }

  return (
    <Dialog title="Search" size="step" onClose={onClose}>
      <Stack gap={4} className={css.search} data-first>
        <SearchField
          label="Person, level, year or page"
          value={typed}
          onChange={(next) => {
            entered.current = null
            setTyped(next)
          }}
          field={{
            ref: input,
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': rows.length > 0,
            'aria-controls': list,
            'aria-activedescendant': rows.length > 0 ? `${list}-${String(chosen)}` : undefined,
            onFocus,
            onKeyDown,
          }}
        />
        {typed.trim() === '' && <Note>For example saylor, 150k, 2026 or planb 2021.</Note>}
        {error !== null && (
          <Row gap={4} role="alert">
            <Text>{sentenceOf(error)}</Text>
            <Button onClick={() => void refetch()}>Try again</Button>
          </Row>
        )}
        <Results
          id={list}
          groups={found?.groups ?? []}
          chosen={chosen}
          onPoint={(row) => setAt({ q: found?.q ?? '', row })}
          onWhole={() => {
            setWholeOf(typed.trim())
            input.current?.focus()
          }}
        />
        <Note role="status">
          {found && `${total === 0 ? 'Nothing found' : plural(total, 'result')} for “${found.q}”.`}
        </Note>
      </Stack>
    </Dialog>
  )
}

function useSearch(typed: string, isWhole: boolean) {
  const q = useRested(typed, REST_MS)
  const key = q === '' ? null : JSON.stringify([q, isWhole])
  const { data, error, refetch } = useAnswer(key, async (signal) => {
    // Longer texts are truncated.
    const query = { q: q.slice(0, LONGEST_SEARCH), ...(isWhole && { most: MOST_FOUND }) }
    return { q, ...(await call(search, { query, signal })) }
  })
  return typed === ''
    ? { found: null, error: null, refetch }
    : { found: data ?? null, error, refetch }
}

function stepTo(key: string, from: number, rows: number): number | null {
  if (rows === 0) return null
  if (key === 'ArrowDown') return (from + 1) % rows
  if (key === 'ArrowUp') return (from + rows - 1) % rows
  return null
}

function Results({
  id,
  groups,
  chosen,
  onPoint,
  onWhole,
}: {
  readonly id: string
  readonly groups: SearchReply['groups']
  readonly chosen: number
  readonly onPoint: (row: number) => void
  readonly onWhole: () => void
}) {
  const firsts = groups.map((_, i) =>
    groups.slice(0, i).reduce((sum, group) => sum + group.found.length, 0),
  )
  const isCut = groups.some(({ total, found }) => found.length < Math.min(total, MOST_FOUND))
  return (
    <Stack align="start">
      <div id={id} role="listbox" aria-label="Results" className="full">
        {groups.map(({ title, total, found }, i) => (
          <div key={title} role="group" aria-labelledby={`${id}-of-${String(i)}`}>
            <div id={`${id}-of-${String(i)}`} className={`${css.title} muted small semibold`}>
              {title}
              {total > found.length && ` (${String(found.length)} of ${String(total)})`}
            </div>
            {found.map((row, j) => {
              const at = (firsts[i] ?? 0) + j
              return (
                <a
                  key={row.path}
                  id={`${id}-${String(at)}`}
                  role="option"
                  aria-selected={at === chosen}
                  tabIndex={-1}
                  className={`${css.row} unlined tap`}
                  href={row.path}
                  onPointerMove={() => onPoint(at)}
                >
                  <span dir="auto">{row.title}</span>
                  <Note as="span">
                    {row.outcome && (
                      <span className="outcome" data-outcome={row.outcome}>
                        <VerdictSign outcome={row.outcome} /> {outcomeWord(row.outcome)}
                      </span>
                    )}{' '}
                    {row.text}
                  </Note>
                </a>
              )
            })}
          </div>
        ))}
      </div>
      {isCut && <Button onClick={onWhole}>Show all results</Button>}
    </Stack>
  )
}
