import { useState } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/corrections.ts'
import { type AdminExpert } from '#contracts/corrections.ts'
import { plural } from '#domain/day.ts'
import { useMay } from '#web/admin/hints.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { AdminList, ListTools, Load, useCall, useList } from '#web/admin/kit/list.tsx'
import { PersonField } from '#web/admin/kit/person-field.tsx'
import { AdminPage, Beside, Detail, NewTab, Section } from '#web/admin/kit/screen.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel, Row, Stack, Note } from '#web/ui/primitives.tsx'
import { useParams } from '#web/ui/use-params.ts'

type ExpertDetail = z.infer<typeof calls.oneExpertAdmin.reply>

const COLUMNS: readonly Column<AdminExpert>[] = [
  column.title('Name', ({ name }) => name),
  column.text('Other names', ({ aliases }) => aliases.join(', ')),
  column.text('On X', ({ handles }) => handles.map((one) => `@${one}`).join(' ')),
  column.short('Kind', ({ is_firm: isFirm, firm }) => (isFirm ? 'Firm' : (firm ?? 'Person'))),
  column.number('Predictions', ({ predictions }) => predictions),
]

export function ExpertsView() {
  const list = useList(calls.listExpertsAdmin, { q: 'text' })
  const [, change] = useParams()
  return (
    <AdminPage>
      {/^\d{1,15}$/.test(list.open) ? (
        <>
          <p>
            <Button onClick={() => change({ open: null, into: null })}>Back to the list</Button>
          </p>
          <Expert key={list.open} id={Number(list.open)} />
        </>
      ) : (
        <>
          <Duplicates />
          <ListTools list={list} search="Search people and firms" />
          <AdminList
            label="People"
            list={list}
            columns={COLUMNS}
            idOf={({ id }) => String(id)}
            empty="No people or firms found."
            opens
          />
        </>
      )}
    </AdminPage>
  )
}

/** Opens an entry, perhaps to be merged into another. */
function useOpen() {
  const [, change] = useParams()
  return (id: number, into: number | null = null): void => change({ open: id, into })
}

function Duplicates() {
  const open = useOpen()
  const { data } = useCall(calls.likelyDuplicates, {}, { staleTime: 60_000 })
  const mayMerge = useMay('publish')
  if (!data || data.pairs.length === 0) return null
  return (
    <Section title="May be the same" framed>
      <Stack as="ul" gap={2} size="small">
        {data.pairs.map(({ first, second, why }) => {
          const [from, into] =
            first.predictions < second.predictions ? [first, second] : [second, first]
          return (
            <Row as="li" key={`${String(first.id)} ${String(second.id)}`}>
              <span>
                <bdi>{why}</bdi>{' '}
                <Note as="span">
                  {countText(from)} and {countText(into)}
                </Note>
              </span>
              <Button onClick={() => open(from.id, into.id)}>
                {mayMerge ? 'Check and merge' : 'Check'}
              </Button>
            </Row>
          )
        })}
      </Stack>
    </Section>
  )
}

function Expert({ id }: { readonly id: number }) {
  const open = useOpen()
  const mayCorrect = useMay('publish')
  return (
    <Load route={calls.oneExpertAdmin} input={{ params: { id } }} what="person">
      {(expert) =>
        expert.merged_into !== null ? (
          <Panel>
            <p>
              <bdi>{expert.name}</bdi> has been merged into another person or firm; this address
              leads to that page.
            </p>
            <p>
              <Button onClick={() => open(expert.merged_into ?? id)}>Show the merged person</Button>
            </p>
          </Panel>
        ) : (
          <Stack gap={4}>
            <Detail
              title={<bdi>{expert.name}</bdi>}
              aside={
                <NewTab to={`/experts/${encodeURIComponent(expert.slug)}`}>Public page</NewTab>
              }
              facts={[
                ['On record', countText(expert)],
                ['Earlier addresses', expert.old_slugs.join(', ')],
                // Shown by the form to those who may correct them.
                ['Other names', !mayCorrect && (expert.aliases.join(', ') || 'None')],
                [
                  'On X',
                  !mayCorrect && (expert.handles.map((one) => `@${one}`).join(', ') || 'None'),
                ],
                ['On Nostr', !mayCorrect && (expert.npubs.join(', ') || 'None')],
                ['Kind', !mayCorrect && (expert.is_firm ? 'Firm' : 'Person')],
                ['Speaks for', !mayCorrect && expert.firm],
              ]}
            />
            {mayCorrect && (
              <Beside>
                <Names expert={expert} />
                <MergeForm expert={expert} />
              </Beside>
            )}
          </Stack>
        )
      }
    </Load>
  )
}

const lines = (text: string | boolean | undefined): string[] =>
  String(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function Names({ expert }: { readonly expert: ExpertDetail }) {
  const unconfirmed = expert.unconfirmed_handles
  const start: Readonly<Record<string, string | boolean>> & { readonly is_firm: boolean } = {
    name: expert.name,
    aliases: expert.aliases.join('\n'),
    handles: expert.handles.map((one) => `@${one}`).join('\n'),
    ...Object.fromEntries(unconfirmed.map((one) => [`@${one}`, false])),
    npubs: expert.npubs.join('\n'),
    is_firm: expert.is_firm,
    firm: expert.firm ?? '',
    reason: '',
  }
  return (
    <Section title="Names, handles and keys" framed>
      <AdminForm
        label="Names, handles and keys"
        route={calls.editExpert}
        params={{ id: expert.id }}
        start={start}
        fields={(values) => ({
          name: {
            label: 'Name',
            hint:
              String(values['name']).trim() !== expert.name &&
              `The page gets a new address; the old one leads to it, and “${expert.name}” stays known.`,
          },
          aliases: { label: 'Other names, one a line', rows: 3, optional: true },
          handles: {
            label: 'Handles on X, one a line; the first is shown',
            rows: 2,
            optional: true,
          },
          ...Object.fromEntries(
            unconfirmed.map((one) => [
              `@${one}`,
              { label: `@${one}, named in a submission, is confirmed as theirs` },
            ]),
          ),
          npubs: {
            label: 'Confirmed Nostr keys (npub), one a line',
            rows: 2,
            optional: true,
            hint: 'Only keys that are known to be theirs: a reply signed with one counts as theirs, and visitors can follow it.',
          },
          is_firm: { label: 'A firm, not a person' },
          firm: values.is_firm ? false : { label: 'Firm they speak for', optional: true },
          reason: { label: 'Reason', optional: true, hint: 'For the audit log.' },
        })}
        body={(values) => ({
          version: expert.version,
          name: String(values['name']),
          aliases: lines(values['aliases']),
          handles: lines(values['handles']),
          confirm_handles: unconfirmed.filter((one) => values[`@${one}`] === true),
          npubs: lines(values['npubs']),
          is_firm: values.is_firm,
          ...(values.is_firm ? {} : { firm: String(values['firm']) }),
          reason: String(values['reason']),
        })}
        send="Save"
      >
        {expert.named_npubs.map(({ npub, prediction_id: id }) => (
          <Note key={npub}>
            Named in a submission, not confirmed: {npub} (
            <NewTab to={`/predictions/${encodeURIComponent(id)}`}>its prediction</NewTab>)
          </Note>
        ))}
      </AdminForm>
    </Section>
  )
}

const countText = ({ predictions }: Pick<AdminExpert, 'predictions'>): string =>
  plural(predictions, 'prediction')

function MergeForm({ expert }: { readonly expert: AdminExpert }) {
  const open = useOpen()
  const [param] = useParams()
  const [into, setInto] = useState(Number(param('into')) || null)
  return (
    <Section title="Same as another entry on record?" framed>
      <PersonField
        label="Search whom to merge into"
        name="into"
        value={into}
        except={expert.id}
        placeholder="Name or handle"
        onChoose={setInto}
      />
      {into !== null && into !== expert.id && (
        <Load
          key={into}
          route={calls.oneExpertAdmin}
          input={{ params: { id: into } }}
          what="person"
        >
          {(target) => (
            <Panel tone="wait" gap={2} size="small">
              <p>
                All {countText(expert)} of <b>{expert.name}</b> go to <b>{target.name}</b> (
                {countText(target)} now), with all names and handles. The page of {expert.name}{' '}
                leads there from now on. This cannot be undone.
              </p>
              <AdminForm
                label="Merge"
                route={calls.mergeExpert}
                params={{ id: expert.id }}
                start={{ reason: '' }}
                fields={{
                  reason: {
                    label: 'Reason',
                    optional: true,
                    hint: 'Public: it is shown in the history of each prediction.',
                  },
                }}
                body={({ reason }) => ({ version: expert.version, into, reason })}
                send={`Merge into ${target.name}`}
                sending="Merging..."
                onDone={() => open(into)}
              />
            </Panel>
          )}
        </Load>
      )}
    </Section>
  )
}
