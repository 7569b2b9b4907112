import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { isGraveWarning, type SubmissionRow } from '#contracts/review.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Panel, Row, Stack, Tiles } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { approveBody, NEW_APPROVAL } from './approve-form.tsx'
import css from './approve-all-dialog.module.css'
import { dryRunQuery, submissionQuery, type Detail, type DryRun } from './calls.ts'
import { PublicBlock } from './public-preview.tsx'
import { titleOf } from './row-texts.ts'
import { type Decisions } from './use-decisions.ts'

/** What would become of one: how it goes public, or why it is left to a closer look. */
type Looked =
  | { readonly detail: Detail; readonly run: DryRun; readonly against: string | null }
  | { readonly against: string }

/** So many are asked about side by side. */
const AT_ONCE = 3

/** Approves all submissions of a page without flags, after one look at each as it will be public. */
export function ApproveAllDialog({
  rows: given,
  decisions,
  onClose,
}: {
  readonly rows: readonly SubmissionRow[]
  readonly decisions: Decisions
  readonly onClose: () => void
}) {
  // Those that are looked at stay; what comes in meanwhile waits for the next time.
  const [rows] = useState(given)
  const looks = useLooks(rows)
  const isComplete = looks !== null
  const looked = looks ?? NOTHING
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [state, setState] = useState<'looking' | 'approving' | 'done'>('looking')
  const send = useRef<HTMLButtonElement>(null)
  const items = rows.flatMap((row) => {
    const one = looked.get(row.id)
    if (!one || !('run' in one) || one.against !== null) return []
    const body = {
      ...approveBody(NEW_APPROVAL, one.detail),
      version: one.detail.submission.version,
    }
    return [{ row, body, run: one.run }]
  })
  const left = rows.filter(({ id }) => looked.get(id)?.against != null)
  useEffect(() => {
    if (!isComplete) return
    const frame = requestAnimationFrame(() => send.current?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [isComplete])

  async function approve(): Promise<void> {
    if (state !== 'looking' || !isComplete || items.length === 0) return
    setState('approving')
    const failed = new Map<string, string | null>()
    await decisions.approveAll(items, (id, fault) => {
      failed.set(id, fault)
      setOutcomes(new Map(failed))
    })
    setState('done')
    if ([...failed.values()].every((fault) => fault === null)) onClose()
  }

  const approved = [...outcomes.values()].filter((fault) => fault === null).length
  return (
    <Dialog title={`Approve ${countText(rows.length)} without flags`} size="wide" onClose={onClose}>
      <Stack gap={4}>
        <Text tone="quiet">This is how they go public, without a text.</Text>
        {left.length > 0 && (
          <Callout as="div" tone="wait">
            <p>Left out, to be opened one by one:</p>
            <ul>
              {left.map((row) => (
                <li key={row.id}>
                  <bdi>{titleOf(row)}</bdi>. {looked.get(row.id)?.against}
                </li>
              ))}
            </ul>
          </Callout>
        )}
        <Tiles as="ul" least="20rem" aria-label="As they go public">
          {items.map(({ row, run }) => (
            <Item key={row.id} run={run} outcome={outcomes.get(row.id)} />
          ))}
        </Tiles>
        <Row fill gap={3} justify="end" className={css.buttons}>
          <Text as="span" tone="quiet" role="status">
            {state === 'looking'
              ? isComplete
                ? ''
                : `Putting ${String(rows.length)} together…`
              : `${String(approved)} of ${String(items.length)} approved`}
          </Text>
          <DialogClose render={<Button />}>{state === 'done' ? 'Close' : 'Cancel'}</DialogClose>
          {state !== 'done' && (
            <Button
              ref={send}
              look="primary"
              aria-disabled={!isComplete || items.length === 0 || state === 'approving'}
              onClick={() => void approve()}
            >
              {state === 'approving' ? 'Approving...' : `Approve ${countText(items.length)}`}
            </Button>
          )}
        </Row>
      </Stack>
    </Dialog>
  )
}

const NOTHING: ReadonlyMap<string, Looked> = new Map()

const countText = (count: number): string => (count === 1 ? 'the one' : `the ${String(count)}`)

function Item({
  run,
  outcome,
}: {
  readonly run: DryRun
  /** Null once it is approved, a sentence where it was not; undefined before. */
  readonly outcome: string | null | undefined
}) {
  const prediction = run.prediction && predictionOfRow(run.prediction)
  if (!prediction) return null
  return (
    <Panel as="li" size="small" gap={2}>
      <Row justify="end">
        {outcome === null && <Text tone="good">Approved</Text>}
        <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
      </Row>
      <PublicBlock prediction={prediction} />
      {outcome != null && (
        <Callout tone="bad" role="alert">
          {outcome}
        </Callout>
      )}
    </Panel>
  )
}

/** Asks of each what approving it would publish, and what the server says against it. */
function useLooks(rows: readonly SubmissionRow[]): ReadonlyMap<string, Looked> | null {
  const client = useQueryClient()
  const look = async (row: SubmissionRow): Promise<Looked> => {
    try {
      const detail = await client.fetchQuery(submissionQuery(row.id))
      const run = await client.fetchQuery(dryRunQuery(row.id, approveBody(NEW_APPROVAL, detail)))
      const fault = Object.values(run.fields)[0]
      const warning = run.warnings.find((one) => isGraveWarning(one) || run.influencer?.is_new)
      return { detail, run, against: fault ?? warning?.message ?? null }
    } catch (error) {
      return { against: sentenceOf(error) }
    }
  }
  const { data } = useQuery({
    queryKey: ['looks', rows.map(({ id }) => id)],
    queryFn: async () => {
      const found = new Map<string, Looked>()
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = rows.slice(at, at + AT_ONCE)
        // oxlint-disable-next-line no-await-in-loop -- a few at a time
        const pairs = await Promise.all(some.map(async (row) => [row.id, await look(row)] as const))
        for (const [id, one] of pairs) found.set(id, one)
      }
      return found
    },
    // What is looked at is what is approved: it stays as it was seen.
    staleTime: Infinity,
    gcTime: 0,
  })
  return data ?? null
}
