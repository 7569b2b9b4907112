import { useState } from 'react'
import { type QueuedReply } from '#contracts/replies.ts'
import { REPLY_WAY_WORDS, REPLY_WITHIN_DAYS } from '#domain/reply.ts'
import { useMay } from '#web/api/role.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Text } from '#web/ui/text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import css from './replies.module.css'
import { useDecisions } from './use-replies.ts'

const DAY_MS = 86_400_000

/** A reply with what proves its author, and what can be decided about it. Its text cannot be changed. */
export function ReplyCard({ row, now }: { readonly row: QueuedReply; readonly now: number }) {
  const mayDecide = useMay('publish')
  const day = Math.max(1, Math.ceil((now - Date.parse(row.received_at)) / DAY_MS))
  return (
    <Panel as="li" aria-label={`Reply by ${row.name}`}>
      <Row gap={3} align="baseline" justify="between">
        <Text as="h2" size="lead">
          <a href={row.path} target="_blank">
            {row.about}
          </a>
        </Text>
        <Row as="span" gap={2}>
          {row.state === 'waiting' && (
            <Tag tone={row.is_overdue ? 'bad' : 'wait'}>
              {row.is_overdue
                ? `Overdue since ${showDate(row.answer_by)}`
                : `Day ${String(day)} of ${String(REPLY_WITHIN_DAYS)}, answer by ${showDate(row.answer_by)}`}
            </Tag>
          )}
          {row.is_proven && <Tag tone="good">Proof checked</Tag>}
        </Row>
      </Row>
      {row.text === '' ? (
        <Text tone="quiet">Its text was deleted when it was withdrawn.</Text>
      ) : (
        <p className={css.words} dir="auto">
          {row.text}
        </p>
      )}
      {row.link !== null && (
        <p className={css.words}>
          <a href={row.link} target="_blank" rel="nofollow noopener noreferrer">
            {row.link}
          </a>
        </p>
      )}
      <Stack gap={1}>
        <Text size="small" strong>
          By <bdi>{row.name}</bdi>, {REPLY_WAY_WORDS[row.way]}
        </Text>
        {row.evidence.map((sentence) => (
          <Text key={sentence} size="small" className={css.words} dir="auto">
            {sentence}
          </Text>
        ))}
        {row.evidence_url !== null && (
          <Text size="small" className={css.words}>
            <a href={row.evidence_url} target="_blank" rel="nofollow noopener noreferrer">
              {row.evidence_url}
            </a>
          </Text>
        )}
      </Stack>
      <Text tone="quiet" size="small">
        {historyOf(row)}
      </Text>
      {mayDecide && (row.state === 'waiting' || row.state === 'published') && (
        <Decision row={row} />
      )}
    </Panel>
  )
}

function historyOf(row: QueuedReply): string {
  return [
    `Came ${showMoment(row.received_at)}.`,
    row.published_at && `Published ${showMoment(row.published_at)}.`,
    row.note && `Note: ${row.note}`,
    row.ended_at &&
      `${row.state === 'withdrawn' ? 'Withdrawn by its author' : 'Declined'} ${showMoment(row.ended_at)}.`,
    row.reason && `Reason: ${row.reason}`,
    row.decided_by && `Decided by ${row.decided_by}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function Decision({ row }: { readonly row: QueuedReply }) {
  const { publish, decline, loadAgain } = useDecisions()
  const toasts = useToasts()
  const [note, setNote] = useState('')
  const [reason, setReason] = useState('')
  const [isDeclining, setDeclining] = useState(false)
  const change = useChange({ onFailed: ({ status }) => status === 409 && void loadAgain() })
  const isWaiting = row.state === 'waiting'
  const label = isWaiting ? 'Decline' : 'Take down'
  const run = (work: () => Promise<string>) =>
    void change.run(async () => toasts.done(await work()))
  return (
    <Stack gap={3} role="group" aria-label={`Decide about the reply by ${row.name}`}>
      {isWaiting && !isDeclining && row.way !== 'nostr' && (
        <TextField
          label="How you made sure who wrote it"
          name="note"
          value={note}
          optional={row.is_proven || row.way === 'email'}
          maxLength={1_000}
          fault={change.faults['note']}
          onChange={setNote}
        />
      )}
      {isDeclining && (
        <TextField
          label="Reason, which its author reads"
          name="reason"
          rows={2}
          value={reason}
          maxLength={1_000}
          fault={change.faults['reason']}
          onChange={setReason}
        />
      )}
      <Row>
        {isWaiting && !isDeclining && (
          <Button
            look="primary"
            disabled={change.isBusy}
            onClick={() => run(() => publish(row, note))}
          >
            Publish
          </Button>
        )}
        {isDeclining ? (
          <>
            <Button
              tone="bad"
              disabled={change.isBusy}
              onClick={() => run(() => decline(row, reason))}
            >
              {label}
            </Button>
            <Button onClick={() => setDeclining(false)}>Back</Button>
          </>
        ) : (
          <Button onClick={() => setDeclining(true)}>{label}…</Button>
        )}
      </Row>
      {Object.keys(change.faults).length === 0 && <ChangeFailure change={change} />}
    </Stack>
  )
}
