import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type z } from 'zod'
import {
  changeSocialSettings,
  type socialSettings,
  type SocialSettings,
} from '#contracts/publishing.ts'
import { NETWORKS_OF_POSTS } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { Tick } from '#web/ui/tick.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import css from './auto-settings.module.css'
import { useSocialSettings } from './calls.ts'
import { networkName } from './outcomes.ts'
import { Panel, Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const MOST_A_DAY = 50

/** Whether the server posts verdicts automatically: off until an administrator turns it on. */
export function AutoSettings() {
  return (
    <Loaded
      query={useSocialSettings()}
      loading="Loading the settings..."
      failed="The settings could not be loaded."
    >
      {(stored) => <SettingsForm key={stored.changed_at} stored={stored} />}
    </Loaded>
  )
}

function SettingsForm({ stored }: { readonly stored: z.infer<typeof socialSettings.reply> }) {
  const [settings, setSettings] = useState<SocialSettings>({
    auto_verdicts: stored.auto_verdicts,
    auto_networks: stored.auto_networks,
    auto_with_link: stored.auto_with_link,
    auto_daily_cap: stored.auto_daily_cap,
  })
  const client = useQueryClient()
  const toasts = useToasts()
  const change = useChange({ onFailed: ({ message }) => toasts.failed(message) })
  const save = (): void =>
    void change.run(async () => {
      const saved = await adminCall(changeSocialSettings, { body: settings })
      client.setQueryData(['social', 'settings'], saved)
      toasts.done(
        saved.auto_verdicts
          ? 'The server now posts new verdicts automatically.'
          : 'The server no longer posts automatically.',
      )
    })
  const { auto_networks: networks, auto_daily_cap: cap } = settings
  const isCapWrong = !Number.isInteger(cap) || cap < 1 || cap > MOST_A_DAY
  const set = (part: Partial<SocialSettings>): void => setSettings({ ...settings, ...part })
  return (
    <Panel
      as="form"
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Tick
        label="Post verdicts automatically"
        className={css.main}
        checked={settings.auto_verdicts}
        onChange={(auto_verdicts) => set({ auto_verdicts })}
      />
      <Text tone="quiet">
        Each new hit or miss is posted once, in the words of “Text from data”. Verdicts from before
        it was turned on are not posted.
      </Text>
      <Row as="fieldset" gap={6}>
        <legend>Where</legend>
        {NETWORKS_OF_POSTS.map((network) => (
          <Tick
            key={network}
            label={networkName(network)}
            checked={networks.includes(network)}
            onChange={(isOn) =>
              set({
                auto_networks: NETWORKS_OF_POSTS.filter((one) =>
                  one === network ? isOn : networks.includes(one),
                ),
              })
            }
          />
        ))}
        <Tick
          label="With a link on X, which costs more"
          checked={settings.auto_with_link}
          onChange={(auto_with_link) => set({ auto_with_link })}
        />
      </Row>
      <Row>
        <Field
          label="At most in 24 hours"
          fault={isCapWrong ? `A whole number from 1 to ${String(MOST_A_DAY)}, please.` : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={MOST_A_DAY}
              value={Number.isNaN(cap) ? '' : cap}
              onChange={(event) => set({ auto_daily_cap: event.target.valueAsNumber })}
            />
          )}
        </Field>
      </Row>
      <Row gap={3}>
        <Button type="submit" disabled={change.isBusy || isCapWrong || networks.length === 0}>
          {change.isBusy ? 'Saving…' : 'Save'}
        </Button>
        {networks.length === 0 && (
          <Text as="span" tone="quiet">
            Please choose where.
          </Text>
        )}
        {stored.changed_at !== null && (
          <Text as="span" tone="quiet">
            Last changed {showMoment(stored.changed_at)}
            {stored.changed_by !== null && ` by ${stored.changed_by}`}
          </Text>
        )}
      </Row>
    </Panel>
  )
}
