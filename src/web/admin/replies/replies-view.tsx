import { useState } from 'react'
import * as calls from '#contracts/replies.ts'
import { type QueuedReply } from '#contracts/replies.ts'
import { REPLY_STATES, REPLY_WAY_WORDS, REPLY_WITHIN_DAYS, type ReplyState } from '#domain/reply.ts'
import { useMay } from '#web/admin/hints.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { AdminList, FilterChips, useList } from '#web/admin/kit/list.tsx'
import { AdminPage, Detail, NewTab, Words } from '#web/admin/kit/screen.tsx'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { showDate, momentOr } from '#web/ui/show.ts'
import { Away } from '#web/ui/source-link.tsx'

const NAMES: Readonly<Record<ReplyState, string>> = {
  waiting: 'Waiting',
  published: 'Published',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
}

const COLUMNS: readonly Column<QueuedReply>[] = [
  column.title('By', ({ name }) => name),
  column.text('About', ({ path, about }) => <NewTab to={path}>{about}</NewTab>),
  column.text('Words', ({ text }) => (
    <Text clip={2} dir="auto">
      {text}
    </Text>
  )),
  column.moment('Received', ({ received_at: at }) => at),
  column.text('State', (row) =>
    row.state === 'waiting' ? (
      <Tag tone={row.is_overdue ? 'bad' : 'wait'}>
        {row.is_overdue ? 'Overdue since' : 'Answer by'} {showDate(row.answer_by)}
      </Tag>
    ) : (
      NAMES[row.state]
    ),
  ),
]

/** Replies of people to their record: pending ones first, oldest first, then decided ones. */
export function RepliesView() {
  const list = useList(calls.listReplies, { state: REPLY_STATES })
  const { state } = list.values
  const counts = list.query.data?.counts
  return (
    <AdminPage>
      <Note>
        A reply is shown as it is, or declined with a reason; its text is never edited. The page
        promises an answer within {REPLY_WITHIN_DAYS} days. Decline only what is unlawful, not
        written by this person, or not a reply.
      </Note>
      {counts !== undefined && counts.overdue > 0 && (
        <Text tone="bad" role="status">
          {counts.overdue === 1
            ? '1 reply is overdue.'
            : `${String(counts.overdue)} replies are overdue.`}
        </Text>
      )}
      <FilterChips label="Replies by state" name="state" names={NAMES} list={list} />
      <AdminList
        label="Replies"
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => id}
        empty={state === 'waiting' ? 'No replies waiting.' : 'No such replies.'}
        renderDetail={(row) => <Reply row={row} />}
      />
      {useMay('publish') && <EnterReply />}
    </AdminPage>
  )
}

function Reply({ row }: { readonly row: QueuedReply }) {
  const { id, state, way } = row
  const [isDeclining, setDeclining] = useState(false)
  const mayDecide = useMay('publish') && (state === 'waiting' || state === 'published')
  const decline = state === 'waiting' ? 'Decline' : 'Take down'
  return (
    <Detail
      title={
        <>
          By <bdi>{row.name}</bdi>, {REPLY_WAY_WORDS[way]}
        </>
      }
      aside={row.is_proven && <Tag tone="good">Proof checked</Tag>}
      facts={[
        ['Link', row.link && <Away to={row.link}>{row.link}</Away>],
        ['Evidence', row.evidence.join(' ')],
        ['Proof', row.evidence_url && <Away to={row.evidence_url}>{row.evidence_url}</Away>],
        ['Published', momentOr('', row.published_at)],
        [NAMES[state], momentOr('', row.ended_at)],
        ['Note', row.note],
        ['Reason', row.reason],
        ['Decided by', row.decided_by],
      ]}
    >
      {row.text === '' ? (
        <Text tone="quiet">Its text was deleted when it was withdrawn.</Text>
      ) : (
        <Words>{row.text}</Words>
      )}
      {mayDecide && state === 'waiting' && !isDeclining && (
        <AdminForm
          label={`Publish the reply by ${row.name}`}
          route={calls.publishReply}
          params={{ id }}
          start={{ note: '' }}
          fields={{
            note: way !== 'nostr' && {
              label: 'How you verified the author',
              optional: row.is_proven || way === 'email',
              maxLength: 1_000,
            },
          }}
          send="Publish"
          sending="Publishing..."
        />
      )}
      {mayDecide &&
        (isDeclining ? (
          <AdminForm
            label={`${decline} the reply by ${row.name}`}
            route={calls.declineReply}
            params={{ id }}
            start={{ reason: '' }}
            fields={{
              reason: { label: 'Reason, shown to the author', rows: 2, maxLength: 1_000 },
            }}
            send={decline}
            sending="Sending..."
            tone="bad"
            onDone={() => setDeclining(false)}
            onCancel={() => setDeclining(false)}
          />
        ) : (
          <Row>
            <Button onClick={() => setDeclining(true)}>{decline}…</Button>
          </Row>
        ))}
    </Detail>
  )
}

function EnterReply() {
  const [entered, setEntered] = useState<string | null>(null)
  return (
    <Fold title="Enter a reply that came by email">
      <Stack gap={3}>
        <AdminForm
          label="Enter a reply"
          route={calls.enterReply}
          start={{ page: '', text: '', link: '', note: '' }}
          fields={{
            page: { label: 'Address of the prediction or person' },
            text: { label: 'The reply, word for word', rows: 5 },
            link: { label: 'Link', optional: true },
            note: {
              label: 'How its author proved who they are',
              hint: 'It stays with the reply and is not public.',
            },
          }}
          send="Enter"
          onDone={({ own }) => setEntered(own)}
        />
        {entered !== null && (
          <>
            <Words>{entered}</Words>
            <Row>
              <CopyButton text={entered} label="Copy link" done="Link copied" />
            </Row>
          </>
        )}
      </Stack>
    </Fold>
  )
}
