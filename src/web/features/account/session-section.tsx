import { type z } from 'zod'
import { endSession, signOutEverywhere, type me } from '#contracts/sign-in.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { agentText } from './agent-text.ts'
import { AccountTable } from './account-table.tsx'
import css from './account.module.css'
import { showMoment } from '#web/ui/show-moment.ts'
import { useAccountCall } from './use-account-call.ts'

type Sessions = z.infer<typeof me.reply>['sessions']

export function SessionSection({
  sessions,
  onSignedOut,
}: {
  readonly sessions: Sessions
  readonly onSignedOut: () => void
}) {
  const endAll = useAccountCall(() => adminCall(signOutEverywhere), onSignedOut)
  const end = useAccountCall((id: string) => adminCall(endSession, { params: { id } }))
  return (
    <section className={css.section} aria-labelledby="sessions-title">
      <h2 className={css.title} id="sessions-title">
        Sessions
      </h2>
      <AccountTable label="Sessions" heads={['Browser', 'Address', 'By', 'Since', 'Last used']}>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td title={session.agent}>{agentText(session.agent)}</td>
            <td className={table.nowrap}>{session.address}</td>
            <td className={table.nowrap}>{session.how}</td>
            <td className={table.nowrap}>{showMoment(session.created_at)}</td>
            <td className={table.nowrap}>{showMoment(session.seen_at)}</td>
            <td className={table.nowrap}>
              {session.current ? (
                'This one'
              ) : (
                <Button disabled={end.isBusy} onClick={() => end.run(session.id)}>
                  Sign out
                </Button>
              )}
            </td>
          </tr>
        ))}
      </AccountTable>
      <Button disabled={endAll.isBusy} onClick={() => endAll.run(undefined)}>
        Sign out everywhere
      </Button>
    </section>
  )
}
