import {
  CALL_COLUMNS,
  CORRECTION_COLUMNS,
  REPORT_COLUMNS,
  DUE_COLUMNS,
  PERSON_COLUMNS,
  SAID_COLUMNS,
  TODAY_COLUMNS,
  YEAR_COLUMNS,
  type DataColumn,
} from '#contracts/data-columns.ts'
import {
  DATA_EXAMPLES,
  LICENCE,
  archiveName,
  LATEST_ARCHIVE,
  SNAPSHOT_FILES,
  SNAPSHOT_TABLES,
  snapshotFolder,
  snapshotPath,
  snapshotsPath,
} from '#contracts/data-files.ts'
import { type SnapshotItem, type SnapshotPage } from '#contracts/open-data.ts'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { showCount } from '#domain/price-text.ts'
import { SITE_NAME } from '#domain/site.ts'
import { publisher, type JsonLd } from '#web/head/json-ld.ts'
import { useSite, type PageProps } from '#web/head/site.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { Prose } from '#web/ui/prose.tsx'
import { showDate } from '#web/ui/show.ts'
import { PagesNav } from './paged-log.tsx'
import css from './pages.module.css'

export function DataPage({ content: { snapshots, sources } }: PageProps<'data'>) {
  const { origin } = useSite()
  const { latest } = snapshots
  const day = latest?.day ?? '2026-11-24'
  return (
    <Prose
      title="The whole record as data"
      lead="Every prediction here, what became of it, and the prices that prove it, as files that anyone may take, cite and check."
    >
      <script
        type="application/ld+json"
        // Inside a script element only `<` needs escaping.
        dangerouslySetInnerHTML={{
          __html: JSON.stringify(dataset(latest, origin)).replaceAll('<', '\\u003c'),
        }}
      />
      <p>
        Once a day the whole record is kept as a snapshot that never changes again: predictions,
        their sources, both verdicts with their evidence, everybody’s scores, and every correction;
        each as CSV and as JSON, and all of them in one archive with checksums. Each list of this
        site is a file, too: put <code>.csv</code> or <code>.json</code> behind its address, or open
        “Download and cite” at its foot.
      </p>
      {latest ? (
        <Newest snapshot={latest} />
      ) : (
        <p>The first snapshot is being made and will be here in a few minutes.</p>
      )}
      {snapshots.total > 0 && <All snapshots={snapshots} />}

      <h2 id="columns">What the columns mean</h2>
      <p>
        The first six are the files of a snapshot, the others the lists of pages. In CSV a column is
        named by its path in the JSON: <code>bar.high</code> is <code>high</code> inside{' '}
        <code>bar</code>.
      </p>
      <div>
        {SNAPSHOT_TABLES.map((table) => (
          <Columns key={table} name={`${table}.csv`} columns={SNAPSHOT_COLUMNS[table]} />
        ))}
        <Columns name="/btc.csv, /experts/….csv, /years/….csv" columns={CALL_COLUMNS} />
        <Columns name="/btc.csv?hby=year" columns={YEAR_COLUMNS} />
        <Columns name="/experts.csv" columns={PERSON_COLUMNS} />
        <Columns name="/years.csv" columns={DUE_COLUMNS} />
        <Columns name="/today.csv" columns={TODAY_COLUMNS} />
        <Columns name="/corrections.csv" columns={CORRECTION_COLUMNS} />
        <Columns name="/reports.csv" columns={REPORT_COLUMNS} />
        <Columns name="/history.csv" columns={SAID_COLUMNS} />
      </div>

      <h2 id="licence">Licence and citation</h2>
      <p>
        {LICENCE.about} <a href={LICENCE.url}>{LICENCE.name}</a>
      </p>
      {latest && (
        <Stack gap={3}>
          <Text size="small">{latest.citation}</Text>
          <Row gap={3}>
            <CopyButton text={latest.citation} label="Copy citation" done="Citation copied" />
          </Row>
        </Stack>
      )}
      <section id="prices">
        <h2>Whose prices these are</h2>
        <p>
          Verdicts are based on prices from these sources. They don’t permit redistribution, so the
          files contain no price series; each verdict has the deciding day and the nearest one.
        </p>
        <ul>
          {sources.map(({ source, title, attribution, licence, terms }) => (
            <li key={source}>
              {terms === null ? title : <a href={terms}>{title}</a>}
              {attribution === title ? '' : ` (${attribution})`}: {licence}.
            </li>
          ))}
        </ul>
      </section>

      <h2 id="calls">Calls for programs</h2>
      <p>
        No key is needed. Other websites may fetch everything that is ours (prices are not). Limit:
        60 files and 240 calls a minute. <a href="/api/docs">All calls</a> have a page of their own,
        where they can be tried out.
      </p>
      <Stack as="ul" gap={2}>
        {DATA_EXAMPLES.map(({ about, path }) => (
          <li key={path}>
            <Note>{about}</Note>
            <Code text={`curl -L '${origin}${path}'`} label={about} />
          </li>
        ))}
      </Stack>

      <h2 id="check">How to check a snapshot</h2>
      <p>
        You don’t have to take our word for it. The checksums show that no file was changed, and the
        rule gives every verdict again from prices of your own.
      </p>
      <Code
        label="How to fetch a snapshot and compare its checksums"
        text={[
          `curl -LO '${origin}${snapshotPath('latest', LATEST_ARCHIVE)}'`,
          `tar -xzf ${LATEST_ARCHIVE}`,
          `cd ${snapshotFolder(day)} && sha256sum -c SHA256SUMS`,
        ].join('\n')}
      />
      <p>
        With the code of this site, offline; <code>--prices</code> may be left out, and the closes
        that the code ships with then decide:
      </p>
      <Code
        label="How to judge a snapshot again"
        text={`npm run cli -- verify ${LATEST_ARCHIVE} --prices btc=prices.csv`}
      />
      <p>
        <a href="/methodology">How verdicts are decided</a> has the rule in words, for those who
        would rather write their own program.
      </p>
    </Prose>
  )
}

function Newest({ snapshot: { day, archive, files } }: { readonly snapshot: SnapshotItem }) {
  const rows = (table: string): number =>
    files.find(({ name }) => name === `${table}.csv`)?.rows ?? 0
  return (
    <section>
      <h2 id="newest">{`Newest snapshot: ${showDate(day)}`}</h2>
      <p>
        <a href={snapshotPath(day, archive.name)} download="">
          {archive.name}
        </a>
        {`, ${sizeText(archive.bytes)}, with ${showCount(rows('predictions'))} predictions and ${showCount(rows('verdicts'))} verdicts.`}
      </p>
      <Note>SHA-256 {archive.sha256}</Note>
      <div {...scrolling('Files of the newest snapshot')}>
        <table className="flush lined nowrap">
          <caption className="aside-voice">Files of the newest snapshot</caption>
          <thead>
            <tr>
              <th scope="col">Table</th>
              <th scope="col" className="at-end">
                Rows
              </th>
              <th scope="col">CSV</th>
              <th scope="col">JSON</th>
            </tr>
          </thead>
          <tbody>
            {SNAPSHOT_TABLES.map((table) => (
              <tr key={table}>
                <th scope="row">{table}</th>
                <td className="at-end">{showCount(rows(table))}</td>
                {['csv', 'json'].map((ending) => {
                  const file = files.find(({ name }) => name === `${table}.${ending}`)
                  return (
                    <td key={ending}>
                      {file && (
                        <a
                          href={snapshotPath(day, file.name)}
                          aria-label={`${file.name}, ${sizeText(file.bytes)}`}
                        >
                          {sizeText(file.bytes)}
                        </a>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Row gap={4}>
        {['metadata.json', 'SHA256SUMS'].map((name) => (
          <SnapshotFile key={name} day={day} name={name} />
        ))}
      </Row>
    </section>
  )
}

function SnapshotFile({ day, name }: Record<'day' | 'name', string>) {
  // The checksum list has no extension, so without `download` it would be opened as a page.
  const download = name.includes('.') ? undefined : name
  return (
    <a href={snapshotPath(day, name)} download={download}>
      {name}
    </a>
  )
}

function All({ snapshots }: { readonly snapshots: SnapshotPage }) {
  const { total, rows } = snapshots
  return (
    <section>
      <h2 id="all">{total === 1 ? 'All snapshots' : `All ${showCount(total)} snapshots`}</h2>
      {rows.length === 0 && <p>There are no older snapshots.</p>}
      <Stack as="ul" gap={2}>
        {rows.map(({ day, bytes, sha256, predictions }) => (
          <li key={day}>
            <Fold
              title={`${showDate(day)}: ${showCount(predictions)} predictions, ${sizeText(bytes)}`}
            >
              <Stack gap={3}>
                <Stack as="ul" gap={2}>
                  {[archiveName(day), ...SNAPSHOT_FILES].map((name) => (
                    <li key={name}>
                      <SnapshotFile day={day} name={name} />
                    </li>
                  ))}
                </Stack>
                <Note>SHA-256 of the archive: {sha256}</Note>
              </Stack>
            </Fold>
          </li>
        ))}
      </Stack>
      <PagesNav of="snapshots" at={snapshots} addressOf={snapshotsPath} isLoaded />
    </section>
  )
}

function Columns({
  name,
  columns,
}: {
  readonly name: string
  readonly columns: readonly DataColumn[]
}) {
  return (
    <Fold title={`${name} (${String(columns.length)} columns)`}>
      <Stack as="dl" gap={3}>
        {columns.map((column) => (
          <div key={column.name}>
            <dt>
              <code>{column.name}</code> <Note as="span">{KINDS[column.kind]}</Note>
            </dt>
            <dd>{column.about}</dd>
          </div>
        ))}
      </Stack>
    </Fold>
  )
}

const KINDS: Readonly<Record<DataColumn['kind'], string>> = {
  text: 'text',
  day: 'day, as 2026-10-01',
  moment: 'moment in UTC, as 2026-10-01T12:00:00.000Z',
  usd: 'US dollars',
  share: 'share: 0.5 is 50%',
  number: 'number',
  'yes-no': 'true or false',
}

/** Focusable if wider than a phone, so that arrow keys can scroll it. */
function scrolling(label: string) {
  return { className: 'scrolls', role: 'region', 'aria-label': label, tabIndex: 0 }
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div {...scrolling(label)}>
      <pre className={`${css.code} inset card small`}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

/** `239 kB`, `1.2 MB` */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${String(bytes)} bytes`
  return bytes < 999_500
    ? `${String(Math.round(bytes / 1_000))} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`
}

/**
 * The record as a schema.org Dataset.
 *
 * @param latest null before the first snapshot
 */
export function dataset(latest: SnapshotItem | null, origin: string): JsonLd {
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: `${SITE_NAME}: public price predictions and what became of them`,
    description:
      'Price predictions that named people and firms made in public for Bitcoin, MSTR and NAKA, with their sources, the verdicts of a published rule, the prices that prove them, and everybody’s scores compared with luck.',
    url: `${origin}/data`,
    license: LICENCE.url,
    isAccessibleForFree: true,
    creator: publisher(origin),
    ...(latest && {
      dateModified: latest.made,
      version: latest.day,
      citation: latest.citation,
      distribution: [
        { ...download(latest.archive, latest.archive.url), encodingFormat: 'application/gzip' },
        ...latest.files
          .filter(({ rows }) => rows !== null)
          .map((file) => ({
            ...download(file, file.url),
            encodingFormat: file.name.endsWith('.csv') ? 'text/csv' : 'application/json',
          })),
      ],
    }),
  }
}

function download(
  { name, bytes, sha256 }: SnapshotItem['archive'],
  url: string,
): { readonly [key: string]: string } {
  return {
    '@type': 'DataDownload',
    name,
    contentUrl: url,
    contentSize: `${String(bytes)} B`,
    sha256,
  }
}
