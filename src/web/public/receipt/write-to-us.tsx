import { useSite } from '#web/head/site.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Whom to ask about a payment; the address of the receipt says which one is meant. */
export function WriteToUs({ path }: { readonly path: string }) {
  return (
    <Stack as="section" align="start" ruled>
      <Text as="h2" size="title">
        Something wrong?
      </Text>
      <Address path={path} />
    </Stack>
  )
}

function Address({ path }: { readonly path: string }) {
  const { origin, contacts } = useSite()
  const { email, nostr, social } = contacts
  if (email !== null) {
    const [subject, body] = ['A receipt', `${origin}${path}`].map(encodeURIComponent)
    return (
      <p>
        Write to <a href={`mailto:${email}?subject=${subject ?? ''}&body=${body ?? ''}`}>{email}</a>{' '}
        with the address of this receipt.
      </p>
    )
  }
  const profile = nostr ?? social
  return profile === null ? (
    <p>
      The operator of this site has given no address to write to yet. Keep the address of this
      receipt: it proves what was paid.
    </p>
  ) : (
    <p>
      Write to{' '}
      <a href={profile} rel="noopener">
        {nostr === null ? 'the profile of this site' : 'this site over Nostr'}
      </a>{' '}
      in private, with the address of this receipt: anyone with it can read this page.
    </p>
  )
}
