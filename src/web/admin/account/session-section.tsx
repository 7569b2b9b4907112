import { type z } from 'zod'
import { endSession, signOutEverywhere, type me } from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { forgetSignedIn } from '#web/admin/hints.ts'
import { Section } from '#web/admin/section.tsx'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { agentText } from './agent-text.ts'
import { AccountTable } from './account-table.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { useAccountCall } from './use-account-call.ts'
import { Text } from '#web/ui/text.tsx'

type Sessions = z.infer<typeof me.reply>['sessions']

export function SessionSection({ sessions }: { readonly sessions: Sessions }) {
  const endAll = useAccountCall(() => adminCall(signOutEverywhere), forgetSignedIn)
  const end = useAccountCall((id: string) => adminCall(endSession, { params: { id } }))
  return (
    <Section title="Sessions" ruled>
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
      <Text tone="quiet">This also revokes your tokens for scripts.</Text>
    </Section>
  )
}
