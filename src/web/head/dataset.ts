import { LICENCE } from '#contracts/open-data.paths.ts'
import { type SnapshotItem } from '#contracts/snapshots.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { publisher, type JsonLd } from './json-ld.ts'

/**
 * The record as a data set of schema.org. Its page alone has it, in its body, so that no other page loads this.
 *
 * @param latest the newest snapshot; null before the first
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
