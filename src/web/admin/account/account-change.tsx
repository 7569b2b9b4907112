import { useState } from 'react'
import {
  changeRole,
  disableAccount,
  enableAccount,
  makePasswordLink,
  type Account,
  type PasswordLink,
} from '#contracts/accounts.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { AccountForm } from './account-form.tsx'
import { NO_PROOF, ProofFields, proofOf, type Proof } from './proof-fields.tsx'
import { useAccountCall } from './use-account-call.ts'

/** What can be changed of the account of another person. */
export type Change = 'link' | 'role' | 'disable' | 'enable'

const WORDS: Readonly<Record<Change, { title: string; text: string; button: string }>> = {
  link: {
    title: 'New password',
    text: 'You get a link to send, by which they choose another password. Until then they cannot sign in: the old password, all sessions, tokens and passkeys end now.',
    button: 'Make the link',
  },
  role: {
    title: 'Change the role',
    text: 'It holds from their next click on, also for their tokens.',
    button: 'Change the role',
  },
  disable: {
    title: 'Disable the account',
    text: 'They cannot sign in any more; all sessions, tokens and passkeys end. What they did stays on record, and you can enable the account again.',
    button: 'Disable',
  },
  enable: {
    title: 'Enable the account',
    text: 'They can sign in again with the password they had.',
    button: 'Enable',
  },
}

/** Says what a change does to a person, and asks for the password of who makes it. */
export function AccountChange({
  account,
  change,
  asksCode,
  onLink,
  onClose,
}: {
  readonly account: Account
  readonly change: Change
  readonly asksCode: boolean
  readonly onLink: (username: string, link: PasswordLink) => void
  readonly onClose: () => void
}) {
  const [proof, setProof] = useState(NO_PROOF)
  const [dropsFactor, setDropsFactor] = useState(false)
  const { username } = account
  const params = { id: account.id }
  const make: Readonly<Record<Change, (body: Proof) => Promise<{ message: string }>>> = {
    async link(body) {
      const given = { ...body, drop_second_factor: dropsFactor }
      const reply = await adminCall(makePasswordLink, { params, body: given })
      onLink(username, reply.link)
      return reply
    },
    role: (body) =>
      adminCall(changeRole, { params, body: { ...body, role: otherRole(account.role) } }),
    disable: (body) => adminCall(disableAccount, { params, body }),
    enable: (body) => adminCall(enableAccount, { params, body }),
  }
  const { run, isBusy, faults } = useAccountCall(make[change], onClose)
  const { title, text, button } = WORDS[change]
  return (
    <Dialog title={title} onClose={onClose}>
      <AccountForm onSubmit={() => run(proofOf(proof, asksCode))}>
        <Text>
          <b>
            <bdi>{username}</bdi>
          </b>
          {change === 'role' && `: ${account.role} → ${otherRole(account.role)}`}
        </Text>
        <Text tone="quiet">{text}</Text>
        {change === 'link' && account.second_factor && (
          <Tick
            label="Remove the authenticator app as well: it is lost"
            checked={dropsFactor}
            onChange={setDropsFactor}
          />
        )}
        <ProofFields asksCode={asksCode} faults={faults} value={proof} onChange={setProof} />
        <Row gap={3} align="end">
          <Button look="primary" type="submit" disabled={isBusy}>
            {button}
          </Button>
          <DialogClose render={<Button />}>Cancel</DialogClose>
        </Row>
      </AccountForm>
    </Dialog>
  )
}

function otherRole(role: Account['role']): Account['role'] {
  return role === 'administrator' ? 'reviewer' : 'administrator'
}
