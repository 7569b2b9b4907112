import { useState } from 'react'
import { type Priced } from '#contracts/page.ts'
import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { classNames, Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import css from './asset-picker.module.css'

const REFRESHED = {
  going: 'Refreshing…',
  done: 'Prices and predictions are up to date.',
  failed: 'The site cannot be reached. What you see may be out of date.',
} as const

/** The menu on phones: assets, pages about the site, refresh and theme. */
export function AssetPicker({
  current,
  priced,
  onRefresh,
  onClose,
}: {
  readonly current: AssetKey | null
  readonly priced: Priced
  /** Returns whether it succeeded; null if nothing can be refreshed. */
  readonly onRefresh: (() => Promise<boolean>) | null
  readonly onClose: () => void
}) {
  const [refreshed, setRefreshed] = useState<keyof typeof REFRESHED | null>(null)
  return (
    <Dialog title="Select Asset" onClose={onClose}>
      <Stack as="ul" gap={2}>
        {Object.values(ASSETS).map((asset) => (
          <li key={asset.key}>
            <a
              className={classNames(buttonClass('plain'), css.asset)}
              href={asset.route}
              aria-current={asset.key === current ? 'page' : undefined}
            >
              {asset.pickerLabel}
              {!priced[asset.key] && (
                <Note as="span" className="regular">
                  Coming Soon
                </Note>
              )}
            </a>
          </li>
        ))}
      </Stack>
      <Row as="nav" gap={6} tight className={`${css.more} taps`} aria-label="Pages">
        <a href="/">Home</a>
        <a href="/today">Today</a>
        <a href="/experts">Experts</a>
        <a href="/history">History</a>
        <a href="/methodology">How verdicts are decided</a>
      </Row>
      <Row gap={3} fill>
        {onRefresh && (
          <Button
            disabled={refreshed === 'going'}
            onClick={() => {
              setRefreshed('going')
              void onRefresh().then((worked) => setRefreshed(worked ? 'done' : 'failed'))
            }}
          >
            <Icon name="refresh" size={18} /> Refresh
          </Button>
        )}
        <ThemeSwitch isNamed />
        <DialogClose className={buttonClass('plain')}>Cancel</DialogClose>
      </Row>
      <Text
        role="status"
        tone={refreshed === 'failed' ? 'bad' : 'quiet'}
        size="small"
        className={`${css.refreshed} one-line`}
      >
        {refreshed && REFRESHED[refreshed]}
      </Text>
    </Dialog>
  )
}
