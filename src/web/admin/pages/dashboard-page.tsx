import { Tabs } from '@base-ui/react/tabs'
import { lazy, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { searchSubmissions } from '#contracts/review.ts'
import { ASSETS, assetOfPath, type AssetKey } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { addressOfDashboard } from '#web/admin/addresses.ts'
import { useMay } from '#web/admin/hints.ts'
import { useCall } from '#web/admin/kit/list.tsx'
import { AdminPage } from '#web/admin/kit/screen.tsx'
import { useKeys } from '#web/admin/kit/use-keys.ts'
import { REFRESH_MS, useDecisions } from '#web/admin/review/calls.ts'
import { DASHBOARDS, KEYS, STATUS_NAMES, STATUS_TABS } from '#web/admin/review/dashboards.tsx'
import { Submissions, type Approving } from '#web/admin/review/submissions.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { useIsPhone } from '#web/ui/layout.tsx'
import { Panel, Row, Stack, Tiles, Text } from '#web/ui/primitives.tsx'
import { useParams } from '#web/ui/use-params.ts'
import kit from '#web/admin/kit/kit.module.css'

const PROGRESS_MS = 1_000

/** Further tabs of the Bitcoin dashboard (administrator-tools.md §2). */
const TOOLS = [
  {
    key: 'posts',
    name: 'X Posts',
    Screen: lazy(async () => ({
      default: (await import('#web/admin/social/publisher.tsx')).PostsTool,
    })),
  },
  {
    key: 'extraction',
    name: 'Tweet Extraction',
    Screen: lazy(async () => ({
      default: (await import('#web/admin/extract/extractor.tsx')).Extractor,
    })),
  },
]

export function DashboardPage() {
  const { key: asset } = assetOfPath(useLocation()[0])
  return <Dashboard key={asset} asset={asset} />
}

/** Submissions of an asset, for review (administrator-tools.md §2). */
function Dashboard({ asset }: { readonly asset: AssetKey }) {
  const { hasTabs, instructions } = DASHBOARDS[asset]
  const mayPost = useMay('publish')
  const tools = TOOLS.filter(({ key }) => asset === 'btc' && (mayPost || key !== 'posts'))
  const others = [
    // If the composer is not a tab, link to it with this asset selected.
    ...(asset !== 'btc' && mayPost ? [[`/admin/publish?asset=${asset}`, 'Publish'] as const] : []),
    ...Object.values(ASSETS)
      .filter(({ key }) => key !== asset)
      .map(({ key }) => [addressOfDashboard(key), DASHBOARDS[key].name] as const),
  ]
  const [param, change] = useParams()
  const [showsKeys, setShowsKeys] = useState(false)
  const isPhone = useIsPhone()
  const decisions = useDecisions()
  const [approving, setApproving] = useState<Approving | null>(null)
  const tool = tools.find(({ key }) => key === param('tab'))
  const status = STATUS_TABS.find((one) => one === param('tab')) ?? 'pending'
  const counted = { asset, status: 'pending', size: 1 } as const
  const counts = useCall(searchSubmissions, { query: counted }, { refetchInterval: REFRESH_MS })
  const choices = [
    ...STATUS_TABS.map((key) => ({
      key,
      name: STATUS_NAMES[key],
      count: counts.data?.counts[key] ?? null,
    })),
    ...tools.map((one) => ({ key: one.key, name: one.name, count: null })),
  ]
  const choose = (key: string): void =>
    change({ tab: key === 'pending' ? null : key, after: null, before: null, open: null })

  useKeys(!showsKeys, { '?': () => setShowsKeys(true) })

  async function approveAll(chosen: Approving): Promise<void> {
    setApproving(chosen)
    await decisions.approveAll(chosen.rows)
    setApproving(null)
  }

  const progress = approving && <Progress approving={approving} />
  const list = (
    <Submissions
      key={status}
      {...{ asset, status, decisions }}
      isCovered={showsKeys}
      onApproveAll={approving ? null : (chosen) => void approveAll(chosen)}
    />
  )
  return (
    <AdminPage
      aside={
        <Row as="nav" aria-label="Other dashboards">
          {others.map(([to, name]) => (
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
      {instructions.length > 0 && (
        <Panel as="details" size="small" className="pad" open={!isPhone}>
          <summary className="semibold">How to review {ASSETS[asset].symbol} submissions</summary>
          <Tiles as="ul" gap={6} least="16rem" className="bullets muted">
            {instructions.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </Tiles>
        </Panel>
      )}
      {hasTabs ? (
        <Tabs.Root
          render={<Stack gap={4} />}
          value={tool?.key ?? status}
          onValueChange={(key) => choose(String(key))}
        >
          <Tabs.List
            className={`${kit.tabs} scrolls ruled-bottom`}
            aria-label="Submissions by status"
            activateOnFocus
          >
            {choices.map(({ key, name, count }) => (
              <Tabs.Tab key={key} value={key} className={kit.tab}>
                {name} {count !== null && <span className="regular">{showCount(count)}</span>}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {progress}
          <Tabs.Panel value={tool?.key ?? status}>{tool ? <tool.Screen /> : list}</Tabs.Panel>
        </Tabs.Root>
      ) : (
        <>
          <Row role="group" aria-label="Submissions by status">
            {choices
              .toSorted((a, b) => Number(b.key === 'all') - Number(a.key === 'all'))
              .map(({ key, name, count }) => (
                <Chip key={key} pressed={key === status} count={count} onPress={() => choose(key)}>
                  {name}
                </Chip>
              ))}
          </Row>
          {progress}
          {list}
        </>
      )}
      {showsKeys && (
        <Dialog title="Keys" onClose={() => setShowsKeys(false)}>
          <Stack gap={6} role="region" aria-label="All keys" tabIndex={0}>
            {Object.entries(KEYS).map(([title, keys]) => (
              <Stack key={title} as="section" gap={2}>
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
            ))}
          </Stack>
        </Dialog>
      )}
    </AdminPage>
  )
}

function Progress({ approving: { rows, query } }: { readonly approving: Approving }) {
  const { data } = useCall(searchSubmissions, { query }, { refetchInterval: PROGRESS_MS })
  const left = new Set((data?.rows ?? rows).map(({ id }) => id))
  const done = rows.filter(({ id }) => !left.has(id)).length
  return (
    <Text role="status" tone="quiet">
      Approving {rows.length}: {done} done. You can go on working.
    </Text>
  )
}
