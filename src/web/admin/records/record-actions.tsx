import { useState } from 'react'
import {
  freezePublished,
  liftOverride,
  overrideVerdict,
  restorePublished,
  thawPublished,
  withdrawPublished,
  type AdminPrediction,
} from '#contracts/corrections.ts'
import { MODE_PRICES, outcomeWord } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { Choice } from '#web/ui/choice.tsx'
import css from '#web/ui/admin-page.module.css'
import { TextField } from '#web/ui/text-field.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { Panel, Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

type Asked = { readonly version: number; readonly reason: string; readonly reports?: number[] }
type Sent = Promise<{ readonly message: string; readonly prediction: AdminPrediction }>

const OUTCOMES: readonly (readonly [Outcome, string])[] = (
  ['hit', 'miss', 'pending', 'void'] as const
).map((one) => [one, outcomeWord(one)])
const MODES: readonly (readonly [JudgeMode | 'both', string])[] = [
  ['both', 'both rules'],
  ...JUDGE_MODES.map((mode) => [mode, `by ${MODE_PRICES[mode]}`] as const),
]

/** Withdrawing, freezing and deciding by hand, each with its reason; what has just been done can be undone. */
export function RecordActions({
  shown,
  reports,
  onSaved,
  onReload,
}: {
  readonly shown: AdminPrediction
  /** The open reports that the change accepts. */
  readonly reports: readonly number[]
  readonly onSaved: (now: AdminPrediction) => void
  readonly onReload: () => Promise<AdminPrediction | null>
}) {
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome>('hit')
  const [mode, setMode] = useState<JudgeMode | 'both'>('both')
  const change = useChange()
  const toasts = useToasts()
  const params = { id: shown.prediction.id }
  const isFrozen = shown.frozen_at !== null
  const isWithdrawn = shown.withdrawn_at !== null
  const isByHand = shown.overridden.touch || shown.overridden.close

  function act(send: (asked: Asked) => Sent, undo?: (asked: Asked) => Sent): void {
    void change.run(async () => {
      const { message, prediction } = await send({
        version: shown.version,
        reason,
        ...(reports.length > 0 && { reports: [...reports] }),
      })
      setReason('')
      onSaved(prediction)
      if (!undo) return toasts.done(message)
      toasts.undoable(message, () => {
        undo({ version: prediction.version, reason: 'Undone at once' }).then(
          (undone) => onSaved(undone.prediction),
          (error: unknown) => toasts.failed(sentenceOf(error)),
        )
      })
    })
  }

  const withdraw = (body: Asked): Sent => adminCall(withdrawPublished, { params, body })
  const restore = (body: Asked): Sent => adminCall(restorePublished, { params, body })
  const freeze = (body: Asked): Sent => adminCall(freezePublished, { params, body })
  const thaw = (body: Asked): Sent => adminCall(thawPublished, { params, body })
  const override = (body: Asked): Sent =>
    adminCall(overrideVerdict, { params, body: { ...body, mode, outcome } })
  const lift =
    (of: JudgeMode | 'both') =>
    (body: Asked): Sent =>
      adminCall(liftOverride, { params, body: { ...body, mode: of } })

  return (
    <Panel as="section" aria-label="Decide about this prediction">
      <Text as="h2" size="lead">
        Decide
      </Text>
      <TextField
        label="Reason"
        name="decision_reason"
        value={reason}
        hint="Public: it is shown in the history."
        fault={change.faults['reason']}
        onChange={setReason}
      />
      <ChangeFailure change={change} onTakeTheirs={() => void onReload()} />
      <Row>
        {isWithdrawn ? (
          <Button disabled={change.isBusy} onClick={() => act(restore)}>
            Restore
          </Button>
        ) : (
          <Button disabled={change.isBusy} onClick={() => act(withdraw, restore)}>
            Withdraw
          </Button>
        )}
        {isFrozen ? (
          <Button disabled={change.isBusy} onClick={() => act(thaw)}>
            Unfreeze
          </Button>
        ) : (
          <Button disabled={change.isBusy} onClick={() => act(freeze, thaw)}>
            Freeze
          </Button>
        )}
      </Row>
      <Text tone="quiet" size="small">
        Withdrawn: removed from all lists, figures and charts; its page stays and says why. Frozen:
        its verdicts stay as they are, whatever prices come.
      </Text>
      <div className={css.form}>
        <Choice
          label="Set the verdict to"
          name="outcome"
          value={outcome}
          options={OUTCOMES}
          disabled={isFrozen}
          onChange={setOutcome}
        />
        <Choice
          label="for"
          name="mode"
          value={mode}
          options={MODES}
          disabled={isFrozen}
          onChange={setMode}
        />
      </div>
      <Row>
        <Button
          disabled={change.isBusy || isFrozen}
          onClick={() => act(override, isByHand ? undefined : lift(mode))}
        >
          Set by hand
        </Button>
        {isByHand && (
          <Button disabled={change.isBusy || isFrozen} onClick={() => act(lift('both'))}>
            Let the rule decide again
          </Button>
        )}
      </Row>
      {isFrozen && (
        <Text tone="quiet" size="small">
          It is frozen: unfreeze it before changing its verdicts.
        </Text>
      )}
    </Panel>
  )
}
