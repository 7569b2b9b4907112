import { Dialog } from '#web/ui/dialog.tsx'
import css from './keys-dialog.module.css'
import { DETAIL_KEYS, LIST_KEYS } from './use-keys.ts'
import { Stack } from '#web/ui/stack.tsx'

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
    <section>
      <h3 className={css.title}>{title}</h3>
      <Stack as="dl" gap={2}>
        {keys.map(([key, text]) => (
          <div key={key} className={css.key}>
            <dt>
              <kbd className={css.cap}>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </Stack>
    </section>
  )
}
