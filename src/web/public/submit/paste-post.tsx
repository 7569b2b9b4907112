import { useRef, useState } from 'react'
import { emptyForm, type SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { MESSAGES } from '#domain/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Panel, Stack } from '#web/ui/primitives.tsx'
import { type Pasted } from './read-pasted.ts'
import { type SubmissionFormApi } from './use-submission-form.ts'

/** Length of the longest possible post. */
const MOST_TEXT = 25_000
/** Fields that keep what the visitor wrote; a post only fills them when they are empty. */
const BESIDE = ['source_url', 'twitter_handle', 'notes'] as const
const FILLED = [...BESIDE, 'target_time', 'prediction_made'] as const

export function PastePost({
  asset,
  form,
  today,
}: {
  readonly asset: AssetKey
  readonly form: SubmissionFormApi
  readonly today: Day
}) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [posted, setPosted] = useState('')
  const [fault, setFault] = useState<string>()
  const [pasted, setPasted] = useState<Pasted | null>(null)
  /** Values filled in from the last post; removed with it unless edited since. */
  const filled = useRef<Partial<SubmissionForm>>({})

  async function read(): Promise<void> {
    setPasted(null)
    if (text.trim() === '') {
      setFault('Please paste the text of the post.')
      return
    }
    try {
      // The parser is large, and most people fill in the form by hand.
      const { languageOf, readPasted } = await import('./read-pasted.ts')
      const language = await languageOf(text)
      const found = readPasted({ text, posted, asset, today, language })
      if (found.found) fill(found.fields)
      else if (found.isLinkAlone) return setFault(found.why)
      setPasted(found)
    } catch {
      setFault('The post could not be read at the moment. Please fill in the form by hand.')
    }
  }

  function fill(fields: Partial<SubmissionForm>): void {
    const empty = emptyForm(asset)
    const before = form.now()
    const stale = FILLED.filter((name) => before[name] === filled.current[name])
    const fresh = { ...before, ...Object.fromEntries(stale.map((name) => [name, empty[name]])) }
    const taken = Object.fromEntries(
      Object.entries(fields).filter(([name]) => {
        const beside = BESIDE.find((one) => one === name)
        return beside === undefined || fresh[beside].trim() === ''
      }),
    )
    filled.current = taken
    form.show({})
    form.set({ ...fresh, ...taken })
  }

  return (
    <Stack>
      <p>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Paste a post
        </Button>
      </p>
      {isOpen && (
        <Panel size="small">
          <TextField
            label="Text of the post"
            hint="With its link, if you have it. It is read on this device and fills in the form."
            fault={fault}
            rows={4}
            maxLength={MOST_TEXT}
            value={text}
            onChange={(next) => {
              const isSecret = holdsSecretKey(next)
              setFault(isSecret ? MESSAGES.secretKey : undefined)
              if (isSecret) return
              setText(next)
              // The result belongs to an earlier text.
              setPasted(null)
            }}
          />
          <DateField
            label="Day it was posted"
            optional
            hint="Needed to read words such as “by year end”."
            max={isoDay(today)}
            value={posted}
            onChange={setPosted}
          />
          <p>
            <Button onClick={() => void read()}>Read the post</Button>
          </p>
          <div role="status">
            {pasted && !pasted.found && (
              <p>
                <strong>No testable prediction here.</strong> {pasted.why}
              </p>
            )}
            {pasted?.found && (
              <>
                <p>
                  <strong>The form is filled in.</strong> Please compare it with the words:
                </p>
                <ul className="bullets">
                  {pasted.read.map(({ name, value, words }) => (
                    <li key={name}>
                      {name} <b>{value}</b> from <q>{words}</q>
                    </li>
                  ))}
                </ul>
                {pasted.cautions.map((one) => (
                  <p key={one}>{one}</p>
                ))}
              </>
            )}
          </div>
        </Panel>
      )}
    </Stack>
  )
}
