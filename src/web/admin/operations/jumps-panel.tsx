import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerJump, listJumps } from '#contracts/operations.ts'
import { ASSETS } from '#domain/asset.ts'
import { showUsd } from '#domain/price-text.ts'
import { type z } from 'zod'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

type Jump = z.infer<typeof listJumps.reply>['jumps'][number]

const REFRESH_MS = 20_000

/** Closes that jumped without an explanation: held back until an administrator decides about them. */
export function JumpsPanel() {
  const query = useQuery({
    queryKey: ['price-jumps'],
    queryFn: ({ signal }) => adminCall(listJumps, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Price jumps" gap={4}>
      <Loaded query={query} loading="Loading jumps..." failed="The jumps could not be loaded.">
        {({ jumps }) => {
          const open = jumps.filter(({ answer }) => answer === null)
          const answered = jumps.filter(({ answer }) => answer !== null)
          return (
            <>
              {open.length === 0 && (
                <Text tone="quiet" size="small">
                  No price jumps to review.
                </Text>
              )}
              {open.map((jump) => (
                <Open key={`${jump.asset} ${jump.date}`} jump={jump} />
              ))}
              {answered.length > 0 && (
                <Stack as="ul" gap={2} size="small" aria-label="Answered">
                  {answered.map((jump) => (
                    <li key={`${jump.asset} ${jump.date}`}>
                      {jumpText(jump)} <b>{jump.answer}</b>
                      {jump.answered_at !== null && `, ${showMoment(jump.answered_at)}`}
                    </li>
                  ))}
                </Stack>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Open({ jump }: { readonly jump: Jump }) {
  const [ratio, setRatio] = useState(jump.looks_like_split?.toString() ?? '')
  const [note, setNote] = useState('')
  const change = useChange()
  const client = useQueryClient()
  const toasts = useToasts()

  function answer(said: 'real' | 'split' | 'wrong'): void {
    void change.run(async () => {
      const body = {
        asset: jump.asset,
        date: jump.date,
        answer: said,
        note,
        ...(said === 'split' && Number(ratio) > 0 ? { ratio: Number(ratio) } : {}),
      }
      toasts.done((await adminCall(answerJump, { body })).message)
      await client.invalidateQueries({ queryKey: ['price-jumps'] })
    })
  }

  return (
    <Panel tone="wait" gap={2} size="small">
      <p>
        <b>{jumpText(jump)}</b>
      </p>
      <p>Its prices are held back, and predictions that need them stay pending.</p>
      <div className={css.form}>
        <TextField
          label="Split into how many"
          name="ratio"
          value={ratio}
          decimal
          optional
          fault={change.faults['ratio']}
          onChange={setRatio}
        />
        <TextField label="Note" name="note" value={note} optional onChange={setNote} />
      </div>
      <ChangeFailure change={change} />
      <Row>
        <Button disabled={change.isBusy} onClick={() => answer('real')}>
          It was real
        </Button>
        <Button disabled={change.isBusy} onClick={() => answer('split')}>
          It was a split
        </Button>
        <Button disabled={change.isBusy} onClick={() => answer('wrong')}>
          The price is wrong
        </Button>
      </Row>
    </Panel>
  )
}

function jumpText(jump: Jump): string {
  return `${ASSETS[jump.asset].symbol} on ${showDate(jump.date)}: ${showUsd(jump.after)} after ${showUsd(jump.before)} on ${showDate(jump.before_date)} (${jump.sources}).`
}
