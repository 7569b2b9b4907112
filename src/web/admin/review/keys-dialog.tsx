import { Dialog } from '#web/ui/dialog.tsx'
import { DETAIL_KEYS, LIST_KEYS } from './keys.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Text } from '#web/ui/text.tsx'

/** The list of keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <Stack gap={6}>
        <Keys title="In a list" keys={LIST_KEYS} />
        <Keys title="In an opened submission" keys={DETAIL_KEYS} />
      </Stack>
    </Dialog>
  )
}

function Keys({
  title,
  keys,
}: {
  readonly title: string
  readonly keys: readonly (readonly [string, string])[]
}) {
  return (
    <Stack as="section" gap={2}>
      <Text as="h3" size="base">
        {title}
      </Text>
      <Facts>
        {keys.map(([key, text]) => (
          <Fact key={key} name={<kbd>{key}</kbd>}>
            {text}
          </Fact>
        ))}
      </Facts>
    </Stack>
  )
}
