import { CopyButton } from '#web/ui/copy-button.tsx'
import css from './account.module.css'
import { Stack, Tiles } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The codes for a lost authenticator, the one time that they are shown. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <Stack align="start" className={css.codes} role="status">
      <Text tone="quiet">
        Keep these recovery codes in a safe place. Each signs you in once if you lose your
        authenticator. They won&apos;t be shown again.
      </Text>
      <Tiles as="ul" gap={1} className={css.code} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Tiles>
      <CopyButton text={codes.join('\n')} label="Copy all" done="Copied" />
    </Stack>
  )
}
