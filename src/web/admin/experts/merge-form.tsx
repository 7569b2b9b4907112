import { useState } from 'react'
import { mergeExpert, type AdminExpert } from '#contracts/people.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import css from '#web/ui/admin-page.module.css'
import { SearchBox } from '#web/ui/search-box.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { countText, useExpert, useExperts, useRefresh } from './calls.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const MOST_SHOWN = 6

/** Moves everything to another person or firm. It cannot be undone, so it first says exactly what will happen. */
export function MergeForm({
  shown,
  into: suggested,
  onMerged,
}: {
  readonly shown: AdminExpert
  readonly into: number | null
  readonly onMerged: (into: number) => void
}) {
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState(suggested)
  return (
    <Panel as="section" aria-label="Merge">
      <Text as="h3" size="lead">
        Same as another entry on record?
      </Text>
      <SearchBox label="Search whom to merge into" value={q} onSearch={setQ} />
      {q !== '' && <Found q={q} without={shown.id} onChoose={(one) => setChosen(one.id)} />}
      {chosen !== null && chosen !== shown.id && (
        <Confirm key={chosen} shown={shown} into={chosen} onMerged={onMerged} />
      )}
    </Panel>
  )
}

function Found({
  q,
  without,
  onChoose,
}: {
  readonly q: string
  readonly without: number
  readonly onChoose: (one: AdminExpert) => void
}) {
  const { data, error } = useExperts(q, 1)
  if (error) return <Text tone="bad">The search failed. Please try again.</Text>
  if (!data)
    return (
      <Text tone="quiet" size="small">
        Searching...
      </Text>
    )
  const rows = data.rows.filter(({ id }) => id !== without).slice(0, MOST_SHOWN)
  if (rows.length === 0)
    return (
      <Text tone="quiet" size="small">
        No other people or firms found.
      </Text>
    )
  return (
    <Stack as="ul" gap={2} size="small">
      {rows.map((row) => (
        <li key={row.id}>
          <button type="button" className={css.rowButton} dir="auto" onClick={() => onChoose(row)}>
            {row.name}
          </button>{' '}
          <Text as="span" tone="quiet" size="small">
            {countText(row)}
          </Text>
        </li>
      ))}
    </Stack>
  )
}

function Confirm({
  shown,
  into,
  onMerged,
}: {
  readonly shown: AdminExpert
  readonly into: number
  readonly onMerged: (into: number) => void
}) {
  const { data: target } = useExpert(into)
  const [reason, setReason] = useState('')
  const change = useChange()
  const toasts = useToasts()
  const refresh = useRefresh()
  if (!target)
    return (
      <Text tone="quiet" size="small">
        Loading...
      </Text>
    )
  return (
    <Panel tone="wait" gap={2} size="small">
      <p>
        All {countText(shown)} of <b>{shown.name}</b> go to <b>{target.name}</b> (
        {countText(target)} now), with all names and handles. The page of {shown.name} leads there
        from now on. This cannot be undone.
      </p>
      <TextField
        label="Reason"
        name="merge_reason"
        optional
        value={reason}
        hint="Public: it is shown in the history of each prediction."
        onChange={setReason}
      />
      <ChangeFailure change={change} />
      <Row>
        <Button
          disabled={change.isBusy}
          onClick={() => {
            void change.run(async () => {
              const { message } = await adminCall(mergeExpert, {
                params: { id: shown.id },
                body: { version: shown.version, into, reason },
              })
              toasts.done(message)
              refresh()
              onMerged(into)
            })
          }}
        >
          Merge into {target.name}
        </Button>
      </Row>
    </Panel>
  )
}
