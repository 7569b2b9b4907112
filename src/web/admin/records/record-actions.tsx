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
import { OUTCOMES, JUDGE_MODES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { Section } from '#web/admin/kit/detail.tsx'
import { Act, Refused, useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Choice, TextField } from '#web/ui/field.tsx'
import { Columns, Row, Text } from '#web/ui/primitives.tsx'

type Asked = { readonly version: number; readonly reason: string; readonly reports?: number[] }
type Sent = Promise<{ readonly message: string; readonly prediction: AdminPrediction }>

const RULINGS = OUTCOMES.map((one) => [one, outcomeWord(one)] as const)
const MODES: readonly (readonly [JudgeMode | 'both', string])[] = [
  ['both', 'both rules'],
  ...JUDGE_MODES.map((mode) => [mode, `by ${MODE_PRICES[mode]}`] as const),
]

export function RecordActions({
  shown,
  reports,
}: {
  readonly shown: AdminPrediction
  /** The open reports that the change accepts. */
  readonly reports: readonly number[]
}) {
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome>('hit')
  const [mode, setMode] = useState<JudgeMode | 'both'>('both')
  const decision = useDecision()
  const params = { id: shown.prediction.id }
  const isFrozen = shown.frozen_at !== null
  const isByHand = shown.overridden.touch || shown.overridden.close
  const fault = decision.failed?.fields['reason']

  const act = (
    text: string,
    send: (asked: Asked) => Sent,
    undo: ((asked: Asked) => Sent) | null = null,
    isOff = false,
  ) => (
    <Act
      decision={decision}
      disabled={decision.isBusy || isOff}
      send={() =>
        send({
          version: shown.version,
          reason,
          ...(reports.length > 0 && { reports: [...reports] }),
        })
      }
      // The next reason may be typed already.
      done={() => setReason((now) => (now === reason ? '' : now))}
      undo={
        undo === null
          ? undefined
          : ({ prediction }) => undo({ version: prediction.version, reason: 'Undone at once' })
      }
    >
      {text}
    </Act>
  )
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
    <Section title="Decide" label="Decide about this prediction" framed>
      <TextField
        label="Reason"
        name="decision_reason"
        value={reason}
        hint="Public: it is shown in the history."
        fault={fault}
        onChange={setReason}
      />
      {fault === undefined && <Refused decision={decision} />}
      <Row>
        {shown.withdrawn_at === null ? act('Withdraw', withdraw, restore) : act('Restore', restore)}
        {isFrozen ? act('Unfreeze', thaw) : act('Freeze', freeze, thaw)}
      </Row>
      <Text tone="quiet" size="small">
        Withdrawn: removed from all lists, figures and charts; its page stays and says why. Frozen:
        its verdicts stay as they are, whatever prices come.
      </Text>
      <Columns gap={3}>
        <Choice
          label="Set the verdict to"
          name="outcome"
          value={outcome}
          options={RULINGS}
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
      </Columns>
      <Row>
        {act('Set verdict', override, isByHand ? null : lift(mode), isFrozen)}
        {isByHand && act('Let the rule decide again', lift('both'), null, isFrozen)}
      </Row>
      {isFrozen && (
        <Text tone="quiet" size="small">
          It is frozen: unfreeze it before changing its verdicts.
        </Text>
      )}
    </Section>
  )
}
