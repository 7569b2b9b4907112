import { useId, useRef, useState, type ComponentType } from 'react'
import { Link, useLocation } from 'wouter'
import { type SubmissionRow } from '#contracts/review.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { useLayout } from '#web/ui/layout.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import css from './dashboard.module.css'
import { DASHBOARDS } from './dashboards.ts'
import { DetailDialog } from './detail-dialog.tsx'
import { type DetailLinks } from './detail-links.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { FIRST_PAGE, isStatusTab, useListView } from './list-view.ts'
import { type Mode } from './submission-list.tsx'
import { SubmissionsPanel, type PanelControls } from './submissions-panel.tsx'
import { UndoList } from './undo-list.tsx'
import { choicesOf, StatusButtons, StatusTabs } from './status-filter.tsx'
import { useSubmissionCounts } from './calls.ts'
import { Panel, Row, Tiles } from '#web/ui/stack.tsx'

/** A tool that is a further tab of a dashboard. */
export type Tool = {
  readonly key: string
  readonly name: string
  readonly Screen: ComponentType
}

/** The submissions of an asset, for review (administrator-tools.md §2). */
export function Dashboard({
  asset: assetKey,
  others,
  tools,
  links,
}: {
  readonly asset: AssetKey
  /** The other dashboards. */
  readonly others: readonly { readonly to: string; readonly name: string }[]
  readonly tools: readonly Tool[]
  readonly links: DetailLinks
}) {
  const asset = ASSETS[assetKey]
  const rules = DASHBOARDS[assetKey]
  const [view, change] = useListView()
  const [mode, setMode] = useState<Mode>('view')
  const [showsKeys, setShowsKeys] = useState(false)
  const [path] = useLocation()
  const layout = useLayout()
  const panelId = useId()
  const controls = useRef<PanelControls>(null)

  const tool = tools.find(({ key }) => key === view.tab)
  const counts = useSubmissionCounts(assetKey, tool === undefined)
  const tab = isStatusTab(view.tab) ? view.tab : 'pending'
  const choose = (key: string): void => change({ tab: key, ...FIRST_PAGE, open: null })
  const choices = choicesOf(counts)
  const toolChoices = tools.map(({ key, name }) => ({ key, name, count: null }))

  function open(row: SubmissionRow, wanted: Mode): void {
    setMode(wanted)
    change({ open: row.id })
  }

  function step(by: 1 | -1): void {
    const row = view.open === null ? null : controls.current?.beside(view.open, by)
    if (!row) return
    setMode('view')
    change({ open: row.id }, 'replace')
  }

  return (
    <AdminPage
      title={`${rules.name} submissions`}
      aside={
        <Row as="nav" aria-label="Other dashboards">
          {others.map(({ to, name }) => (
            <Link key={to} to={to} className={buttonClass('plain', 'small')}>
              {name}
            </Link>
          ))}
          <Button size="small" className="by-keyboard" onClick={() => setShowsKeys(true)}>
            Keys <kbd>?</kbd>
          </Button>
        </Row>
      }
      width="full"
    >
      {rules.instructions.length > 0 && (
        <Panel as="details" size="small" className={css.box} open={layout !== 'phone'}>
          <summary>How to review {asset.symbol} submissions</summary>
          <Tiles as="ul" gap={2} least="16rem">
            {rules.instructions.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </Tiles>
        </Panel>
      )}
      {rules.filters === 'tabs' ? (
        <StatusTabs
          choices={[...choices, ...toolChoices]}
          chosen={tool?.key ?? tab}
          panelId={panelId}
          onChoose={choose}
        />
      ) : (
        <StatusButtons choices={choices} chosen={tab} onChoose={choose} />
      )}
      <div
        id={panelId}
        role={rules.filters === 'tabs' ? 'tabpanel' : undefined}
        aria-label={tool?.name ?? `${tab} submissions`}
      >
        {tool ? (
          <tool.Screen />
        ) : (
          <SubmissionsPanel
            ref={controls}
            asset={assetKey}
            view={{ ...view, tab }}
            onChange={change}
            onOpen={open}
            onShowKeys={() => setShowsKeys(true)}
            isCovered={view.open !== null || showsKeys}
          />
        )}
      </div>
      {view.open !== null && (
        <DetailDialog
          id={view.open}
          start={mode}
          addressOf={(id) => `${path}?open=${id}`}
          links={links}
          onStep={step}
          onShowKeys={() => setShowsKeys(true)}
          onClose={() => change({ open: null }, 'replace')}
        />
      )}
      <UndoList />
      {showsKeys && <KeysDialog onClose={() => setShowsKeys(false)} />}
    </AdminPage>
  )
}
