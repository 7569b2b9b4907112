import { useState, type SubmitEvent } from 'react'
import { type z } from 'zod'
import { editExpert, type AdminExpert, type oneExpertAdmin } from '#contracts/people.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { useMay } from '#web/api/role.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { countText, useExpert, useRefresh } from './calls.ts'
import { MergeForm } from './merge-form.tsx'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

type Shown = z.infer<typeof oneExpertAdmin.reply>

/** One person or firm: names, handles, keys, and whom they may be merged into. */
export function ExpertView({
  id,
  into,
  onBack,
  onOpen,
}: {
  readonly id: number
  /** The person to merge with, suggested. */
  readonly into: number | null
  readonly onBack: () => void
  readonly onOpen: (id: number) => void
}) {
  const query = useExpert(id)
  const mayCorrect = useMay('publish')
  return (
    <>
      <p>
        <Button onClick={onBack}>Back to the list</Button>
      </p>
      <Loaded query={query} loading="Loading..." failed="This person could not be loaded.">
        {(shown) =>
          shown.merged_into === null ? (
            <>
              <Row gap={4} align="baseline" justify="between">
                <Text as="h2" size="title">
                  <bdi>{shown.name}</bdi>
                </Text>
                <Text tone="quiet" size="small">
                  {countText(shown)} ·{' '}
                  <a href={`/experts/${encodeURIComponent(shown.slug)}`} target="_blank">
                    Its page
                  </a>
                  {shown.old_slugs.length > 0 && ` · also at ${shown.old_slugs.join(', ')}`}
                </Text>
              </Row>
              {mayCorrect ? (
                <Stack gap={4} className={css.two}>
                  <EditForm
                    key={shown.version}
                    shown={shown}
                    onReload={async () => (await query.refetch()).data ?? null}
                  />
                  <MergeForm shown={shown} into={into} onMerged={onOpen} />
                </Stack>
              ) : (
                <Names shown={shown} />
              )}
            </>
          ) : (
            <Panel>
              <p>
                <bdi>{shown.name}</bdi> has been merged into another person or firm; this address
                leads to that page.
              </p>
              <p>
                <Button onClick={() => shown.merged_into !== null && onOpen(shown.merged_into)}>
                  Show who it is now
                </Button>
              </p>
            </Panel>
          )
        }
      </Loaded>
    </>
  )
}

/** What is known of a person, for those who may not change it. */
function Names({ shown }: { readonly shown: AdminExpert }) {
  const { aliases, handles, npubs, is_firm: isFirm } = shown
  return (
    <Facts size="small">
      <Fact name="Other names">{aliases.length > 0 ? aliases.join(', ') : 'None'}</Fact>
      <Fact name="On X">
        {handles.length > 0 ? handles.map((one) => `@${one}`).join(', ') : 'None'}
      </Fact>
      <Fact name="On Nostr">{npubs.length > 0 ? npubs.join(', ') : 'None'}</Fact>
      <Fact name="Kind">{isFirm ? 'Firm' : 'Person'}</Fact>
    </Facts>
  )
}

function EditForm({
  shown,
  onReload,
}: {
  readonly shown: Shown
  readonly onReload: () => Promise<Shown | null>
}) {
  const [name, setName] = useState(shown.name)
  const [aliases, setAliases] = useState(shown.aliases.join('\n'))
  const [handles, setHandles] = useState(shown.handles.map((one) => `@${one}`).join('\n'))
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const [npubs, setNpubs] = useState(shown.npubs.join('\n'))
  const [isFirm, setFirm] = useState(shown.is_firm)
  const [reason, setReason] = useState('')
  const change = useChange()
  const toasts = useToasts()
  const refresh = useRefresh()
  const { faults } = change

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    void change.run(async () => {
      const { message } = await adminCall(editExpert, {
        params: { id: shown.id },
        body: {
          version: shown.version,
          name,
          aliases: linesOf(aliases),
          handles: linesOf(handles),
          confirm_handles: [...confirmed],
          npubs: linesOf(npubs),
          is_firm: isFirm,
          reason,
        },
      })
      toasts.done(message)
      refresh()
    })
  }

  return (
    <Panel as="form" onSubmit={submit} noValidate aria-label="Names, handles and keys">
      <Text as="h3" size="lead">
        Names, handles and keys
      </Text>
      <TextField
        label="Name"
        name="name"
        value={name}
        fault={faults['name']}
        hint={
          name.trim() === shown.name
            ? null
            : `The page gets a new address; the old one leads to it, and “${shown.name}” stays known.`
        }
        onChange={setName}
      />
      <TextField
        label="Other names, one a line"
        name="aliases"
        rows={3}
        optional
        value={aliases}
        fault={faults['aliases']}
        onChange={setAliases}
      />
      <TextField
        label="Handles on X, one a line; the first is shown"
        name="handles"
        rows={2}
        optional
        value={handles}
        fault={faults['handles']}
        onChange={setHandles}
      />
      {shown.unconfirmed_handles.map((handle) => (
        <Tick
          key={handle}
          label={`@${handle}, which a submission named, is theirs: a post by it counts as theirs`}
          className={css.beside}
          checked={confirmed.includes(handle)}
          onChange={(is) =>
            setConfirmed((before) =>
              is ? [...before, handle] : before.filter((one) => one !== handle),
            )
          }
        />
      ))}
      <TextField
        label="Confirmed Nostr keys (npub), one a line"
        name="npubs"
        rows={2}
        optional
        value={npubs}
        fault={faults['npubs']}
        hint="Only keys that are known to be theirs: a reply signed with one counts as theirs, and visitors can follow it."
        onChange={setNpubs}
      />
      {shown.named_npubs.map(({ npub, prediction_id: id }) => (
        <Text key={npub} tone="quiet" className={css.small}>
          Named in a submission, not confirmed: {npub} (
          <a href={`/predictions/${encodeURIComponent(id)}`} target="_blank">
            its prediction
          </a>
          )
        </Text>
      ))}
      <Tick
        label="A firm, not a person"
        className={css.beside}
        checked={isFirm}
        onChange={setFirm}
      />
      <TextField
        label="Reason"
        name="reason"
        optional
        value={reason}
        hint="For the audit log."
        onChange={setReason}
      />
      <ChangeFailure change={change} onTakeTheirs={() => void onReload()} />
      <Row>
        <Button look="primary" type="submit" disabled={change.isBusy}>
          {change.isBusy ? 'Saving...' : 'Save'}
        </Button>
      </Row>
    </Panel>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
