import { or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { sourceOfRow } from '#contracts/prediction-wire.ts'
import { SourceRow } from '#contracts/predictions.ts'
import { type Source } from '#domain/claim/source.ts'
import { sources } from '#server/database/schema/sources.ts'
import { type Db, insertMany } from '#server/kit/db.ts'

/** Owner of the sources; those of a prediction and of its submission are separate. */
export type SourceOwner = { readonly predictionId: string } | { readonly submissionId: string }

// Raw SQL with qualified columns: drizzle omits table names in single-table queries.

function sourceRowsOf(owner: string): SQL {
  return sql.raw(`(select coalesce(json_agg(json_build_object(
    'kind', s.kind, 'url', s.url, 'date', s.date,
    'archived_url', s.archived_url, 'quotation', s.quotation, 'speaker', s.speaker,
    'dead_since', (select to_char(c.dead_since at time zone 'UTC', 'YYYY-MM-DD') from source_checks c where c.url = s.url)
  ) order by s.position), '[]') from sources s where ${owner})`)
}

function sourcesOf(owner: string): SQL<readonly Source[]> {
  const read = (value: unknown) => z.array(SourceRow).parse(value).map(sourceOfRow)
  return sql`${sourceRowsOf(owner)}`.mapWith(read)
}

/** Sources of each selected submission in the API's format, best first. */
export const sourceRowsOfSubmission = (): SQL => sourceRowsOf('s.submission_id = submissions.id')

/** The sources of each selected submission, best first. */
export const sourcesOfSubmission = () => sourcesOf('s.submission_id = submissions.id')

/** The sources of each selected prediction, best first. */
export const sourcesOfPrediction = () => sourcesOf('s.prediction_id = predictions.id')

/** The address of the best source of each selected submission. */
export function sourceUrlOfSubmission(): SQL {
  return sql`(select s.url from sources s where s.submission_id = submissions.id and s.position = 0)`
}

/**
 * Replaces all sources of these owners. Call it in the transaction that writes them.
 * @param owners each once; `list` best first
 */
export async function replaceSources(
  tx: Db,
  owners: readonly (SourceOwner & { readonly list: readonly Source[] })[],
): Promise<void> {
  const of = owners.map((owner) => ({ predictionId: null, submissionId: null, ...owner }))
  const predictionIds = of.flatMap(({ predictionId }) => predictionId ?? [])
  const submissionIds = of.flatMap(({ submissionId }) => submissionId ?? [])
  await tx
    .delete(sources)
    .where(
      or(
        sql`${sources.predictionId} = any(${sql.param(predictionIds)}::text[])`,
        sql`${sources.submissionId} = any(${sql.param(submissionIds)}::uuid[])`,
      ),
    )
  await insertMany(
    tx,
    sources,
    of.flatMap(({ list, predictionId, submissionId }) =>
      list.map(({ kind, url, date, archivedUrl, quotation }, position) => ({
        predictionId,
        submissionId,
        position,
        kind,
        url,
        date,
        archivedUrl,
        quotation: quotation?.text ?? null,
        speaker: quotation?.speaker ?? null,
      })),
    ),
  )
}
