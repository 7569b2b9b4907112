import { type PasswordLink } from '#contracts/accounts.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { Panel, Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './account.module.css'

/** A link by which a person chooses their password, the one time that it is shown. */
export function LinkNote({
  username,
  link,
}: {
  readonly username: string
  readonly link: PasswordLink
}) {
  const address = `${window.location.origin}${link.path}`
  return (
    <Panel tone="wait" role="status">
      <Text strong>
        Send this link to <bdi>{username}</bdi>
      </Text>
      <p className={css.code}>{address}</p>
      <Row gap={3}>
        <CopyButton text={address} label="Copy the link" done="Copied" />
        <Text tone="quiet" size="small">
          It opens once, until {showMoment(link.expires_at)}, and won&apos;t be shown again.
        </Text>
      </Row>
    </Panel>
  )
}
