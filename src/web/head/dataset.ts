import { LICENCE } from '#contracts/data-files.ts'
import { type SnapshotItem } from '#contracts/open-data.ts'
import { SITE_NAME } from '#domain/site.ts'
import { publisher, type JsonLd } from './json-ld.ts'

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
