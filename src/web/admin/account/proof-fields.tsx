import { CodeField } from './code-field.tsx'
import { PasswordField } from './password-field.tsx'

export type Proof = { readonly password: string; readonly code?: string }
export const NO_PROOF = { password: '', code: '' }

/** Who changes an account proves who they are: the password and, where an app is set up, its code. */
export function ProofFields({
  asksCode,
  faults,
  value,
  onChange,
}: {
  readonly asksCode: boolean
  readonly faults: Readonly<Record<string, string | undefined>>
  readonly value: typeof NO_PROOF
  readonly onChange: (value: typeof NO_PROOF) => void
}) {
  return (
    <>
      <PasswordField
        fault={faults['password']}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
      />
      {asksCode && (
        <CodeField
          fault={faults['code']}
          value={value.code}
          onChange={(code) => onChange({ ...value, code })}
        />
      )}
    </>
  )
}

/** What is sent of them. */
export function proofOf({ password, code }: typeof NO_PROOF, asksCode: boolean): Proof {
  return { password, ...(asksCode ? { code } : {}) }
}
