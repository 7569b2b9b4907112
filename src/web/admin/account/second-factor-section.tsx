import { useState } from 'react'
import {
  confirmSecondFactor,
  dropSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Section } from '#web/admin/section.tsx'
import { AccountForm } from './account-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import css from './account.module.css'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './password-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useAccountCall } from './use-account-call.ts'
import { Row } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'

/** As few recovery codes as ask for new ones. */
const FEW_CODES = 3

/** Codes of an authenticator app (TOTP), and those for a lost one. */
export function SecondFactorSection({
  isOn,
  codesLeft,
}: {
  readonly isOn: boolean
  readonly codesLeft: number
}) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Section title="Second factor" ruled>
      <Text tone="quiet">
        {isOn
          ? `On: signing in with the password also asks for a code from your authenticator app. Recovery codes left: ${String(codesLeft)}.`
          : 'Off. With it, signing in with the password also asks for a code from an authenticator app. All other sessions end when you turn it on; all tokens too, if you have no passkey yet.'}
      </Text>
      {isOn && codesLeft <= FEW_CODES && codes === null && (
        <Callout tone="wait">
          {codesLeft === 0 ? 'No recovery codes are left.' : 'Few recovery codes are left.'} Make
          new ones, or a lost authenticator keeps you out.
        </Callout>
      )}
      {codes && <RecoveryCodes codes={codes} />}
      {isOn ? <Change onCodes={setCodes} /> : <SetUp onCodes={setCodes} />}
    </Section>
  )
}

type Given = { readonly onCodes: (codes: readonly string[] | null) => void }

function SetUp({ onCodes }: Given) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null)
  const start = useAccountCall(
    async (body: { password: string }) => {
      const { secret, uri } = await adminCall(startSecondFactor, { body })
      setStarted({ secret, uri })
      return {}
    },
    () => setPassword(''),
  )
  const confirm = useAccountCall(
    (body: { code: string }) => adminCall(confirmSecondFactor, { body }),
    ({ recovery_codes: made }) => onCodes(made),
  )
  if (!started) {
    return (
      <AccountForm
        onSubmit={() => {
          onCodes(null)
          start.run({ password })
        }}
      >
        <PasswordField fault={start.faults['password']} value={password} onChange={setPassword} />
        <Button type="submit" disabled={start.isBusy}>
          Set it up
        </Button>
      </AccountForm>
    )
  }
  return (
    <AccountForm onSubmit={() => confirm.run({ code })}>
      <div className={css.qr}>
        <QrCode text={started.uri} label="The secret for your authenticator app" />
      </div>
      <Text tone="quiet">Scan the code, or enter this key:</Text>
      <p className={css.code}>{started.secret}</p>
      <CodeField
        hint="Enter the code to turn it on."
        fault={confirm.faults['code']}
        value={code}
        onChange={setCode}
      />
      <Row gap={3} align="end">
        <Button look="primary" type="submit" disabled={confirm.isBusy}>
          Turn it on
        </Button>
        <Button onClick={() => setStarted(null)}>Cancel</Button>
      </Row>
    </AccountForm>
  )
}

type Proof = { readonly password: string; readonly code: string }

function Change({ onCodes }: Given) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const forget = (): void => {
    setPassword('')
    setCode('')
  }
  const drop = useAccountCall(
    (body: Proof) => adminCall(dropSecondFactor, { body }),
    () => onCodes(null),
  )
  const renew = useAccountCall(
    (body: Proof) => adminCall(renewRecoveryCodes, { body }),
    ({ recovery_codes: made }) => {
      forget()
      onCodes(made)
    },
  )
  const isBusy = drop.isBusy || renew.isBusy
  const faults = { ...renew.faults, ...drop.faults }
  return (
    <AccountForm onSubmit={(button) => (button === 'codes' ? renew : drop).run({ password, code })}>
      <PasswordField fault={faults['password']} value={password} onChange={setPassword} />
      <CodeField fault={faults['code']} value={code} onChange={setCode} />
      <Row gap={3} align="end">
        <Button type="submit" disabled={isBusy}>
          Turn it off
        </Button>
        <Button type="submit" value="codes" disabled={isBusy}>
          Make new recovery codes
        </Button>
      </Row>
    </AccountForm>
  )
}
