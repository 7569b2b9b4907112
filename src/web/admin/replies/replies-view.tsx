import { useState } from 'react'
import { REPLY_STATES, REPLY_WITHIN_DAYS, type ReplyState } from '#domain/reply.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { useMay } from '#web/api/role.ts'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { EnterReply } from './enter-reply.tsx'
import { ReplyCard } from './reply-card.tsx'
import { useReplies } from './use-replies.ts'

const SIZE = 50

const NAMES: Readonly<Record<ReplyState, string>> = {
  waiting: 'Waiting',
  published: 'Published',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
}

/** Replies of people to the record about them: those that wait, oldest first, and what was decided. */
export function RepliesView() {
  const [now] = useState(() => Date.now())
  const [param, change] = useParams()
  const state = REPLY_STATES.find((one) => one === param('state')) ?? 'waiting'
  const query = useReplies(state, pageOf(param('page')))
  const counts = query.data?.counts
  const mayEnter = useMay('publish')
  return (
    <AdminPage title="Replies">
      <Text tone="quiet" size="small">
        The same for everyone: a reply is shown as it is, or declined with a reason; its text is
        never edited. The page promises an answer within {REPLY_WITHIN_DAYS} days. Decline only what
        the law does not allow, what is by someone else, and what is no reply.
      </Text>
      {counts !== undefined && counts.overdue > 0 && (
        <Text tone="bad" role="status">
          {counts.overdue === 1
            ? '1 reply is overdue.'
            : `${String(counts.overdue)} replies are overdue.`}
        </Text>
      )}
      <Row role="group" aria-label="Replies by state">
        {REPLY_STATES.map((one) => (
          <Chip
            key={one}
            pressed={one === state}
            count={counts?.[one] ?? null}
            onPress={() => change({ state: one === 'waiting' ? null : one, page: null })}
          >
            {NAMES[one]}
          </Chip>
        ))}
      </Row>
      <Loaded query={query} loading="Loading replies..." failed="The replies could not be loaded.">
        {({ total, rows }) =>
          rows.length === 0 ? (
            <Notice title={state === 'waiting' ? 'No replies wait.' : 'No such replies.'} />
          ) : (
            <>
              <Stack as="ul" gap={4} aria-label="Replies">
                {rows.map((row) => (
                  <ReplyCard key={row.id} row={row} now={now} />
                ))}
              </Stack>
              <AddressPager label="Pages of replies" size={SIZE} total={total} />
            </>
          )
        }
      </Loaded>
      {mayEnter && <EnterReply />}
    </AdminPage>
  )
}
