import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChange } from '#web/ui/use-change.ts'
import css from './replies.module.css'
import { useDecisions } from './use-replies.ts'

const EMPTY = { page: '', text: '', link: '', note: '' } as const
type Form = { readonly [Field in keyof typeof EMPTY]: string }

/** A reply that came by e-mail, entered on behalf of its author. */
export function EnterReply() {
  const [form, setForm] = useState<Form>(EMPTY)
  const [entered, setEntered] = useState<{ message: string; own: string } | null>(null)
  const { enter } = useDecisions()
  const change = useChange()
  const field = (name: keyof Form, label: string) => ({
    label,
    name,
    value: form[name],
    fault: change.faults[name],
    onChange: (value: string) => setForm((now) => ({ ...now, [name]: value })),
  })
  return (
    <Fold title="Enter a reply that came by e-mail">
      <Stack gap={3}>
        <TextField {...field('page', 'Address of the prediction or person')} />
        <TextField {...field('text', 'The reply, word for word')} rows={5} />
        <TextField {...field('link', 'Link')} optional />
        <TextField
          {...field('note', 'How its author proved who they are')}
          hint="It stays with the reply and is not public."
        />
        <Row>
          <Button
            look="primary"
            disabled={change.isBusy}
            onClick={() =>
              void change.run(async () => {
                setEntered(await enter(form))
                setForm(EMPTY)
              })
            }
          >
            Enter
          </Button>
        </Row>
        {change.said !== null && Object.keys(change.faults).length === 0 && (
          <p role="alert">{change.said}</p>
        )}
        {entered && (
          <Stack gap={2}>
            <p role="status">{entered.message}</p>
            <Text size="small" className={css.words}>
              {entered.own}
            </Text>
            <Row>
              <CopyButton text={entered.own} label="Copy link" done="Link copied" />
            </Row>
          </Stack>
        )}
      </Stack>
    </Fold>
  )
}
