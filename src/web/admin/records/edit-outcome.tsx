import { type z } from 'zod'
import { type dryRunEdit } from '#contracts/corrections.ts'
import { MODE_PRICES, outcomeWord } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { Panel, Stack } from '#web/ui/stack.tsx'

/** What an edit would change, and what would become of the verdicts. */
export function EditOutcome({ run }: { readonly run: z.infer<typeof dryRunEdit.reply> }) {
  return (
    <Panel tone="wait" gap={2} size="small" role="status">
      <Stack as="ul" gap={2} size="small">
        {run.changes.map((one) => (
          <li key={one.field}>
            <b>{one.label}</b>: <bdi>{one.before}</bdi> → <bdi>{one.after}</bdi>
          </li>
        ))}
      </Stack>
      {run.rejudged &&
        JUDGE_MODES.map((mode) => {
          const [was, is] = [run.before?.[mode].outcome, run.after?.[mode].outcome]
          if (!was || !is) return null
          return (
            <p key={mode}>
              By {MODE_PRICES[mode]}: {outcomeWord(was)} →{' '}
              <b>{was === is ? `stays ${outcomeWord(is)}` : outcomeWord(is)}</b>.{' '}
              {run.sentences?.[mode]}
            </p>
          )
        })}
      {run.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Panel>
  )
}
