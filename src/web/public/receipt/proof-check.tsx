import { useEffect, useState } from 'react'
import { Text } from '#web/ui/text.tsx'

/** The SHA-256 of a proof of payment, computed here, and whether it is the payment hash. */
export function ProofCheck({
  preimage,
  hash,
}: {
  readonly preimage: string
  readonly hash: string
}) {
  const [found, setFound] = useState<string | null>(null)
  useEffect(() => {
    let isLeft = false
    sha256(preimage).then(
      (text) => !isLeft && setFound(text),
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [preimage])
  // Pages without encryption have no `crypto.subtle`.
  if (found === null) return <code>{`echo -n ${preimage} | xxd -r -p | sha256sum`}</code>
  return (
    <>
      <Text as="code" size="small">
        {found}
      </Text>{' '}
      {found === hash.toLowerCase()
        ? 'Computed in your browser: it is the payment hash.'
        : 'Computed in your browser: it is not the payment hash.'}
    </>
  )
}

async function sha256(hex: string): Promise<string> {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
