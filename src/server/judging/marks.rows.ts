import { type AssetKey } from '#domain/asset.ts'
import { sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'

/** By what a change of a prediction is noticed without reading it. */
export type Mark = {
  readonly id: string
  /** Another one when anything of it has changed, its sources and its expert included. */
  readonly mark: number
  /** The numbers of its verdicts in force; null where there is none yet. */
  readonly touch: number | null
  readonly close: number | null
  /** The number of its newest event. */
  readonly event: number
}

/** The marks of all predictions of an asset, in the order they were published. */
export async function marksOf(db: Db, asset: AssetKey): Promise<readonly Mark[]> {
  const result = await db.execute(sql`
    with experts as (
      select i.id, hashtextextended(row(i.name, i.slug, i.score, i.is_firm, n.text)::text, 0) as mark
      from influencers i
      left join influencer_names n on n.influencer_id = i.id and n.kind = 'handle' and n.main
    ), cited as (
      select s.prediction_id, sum(hashtextextended(row(s.*, c.dead_since)::text, 0)) as mark
      from sources s left join source_checks c on c.url = s.url
      where s.prediction_id is not null group by 1
    ), judged as (
      select prediction_id, max(id) filter (where mode = 'touch') as touch, max(id) filter (where mode = 'close') as close
      from verdicts group by 1
    ), happened as (
      select prediction_id, max(id) as event from prediction_events group by 1
    )
    select p.id,
      -- As many bits as a number of JavaScript holds.
      (hashtextextended(row(p.*, e.mark, c.mark)::text, 0) & 9007199254740991)::float8 as mark,
      j.touch::float8, j.close::float8, coalesce(h.event, 0)::float8 as event
    from predictions p
    join experts e on e.id = p.influencer_id
    left join cited c on c.prediction_id = p.id
    left join judged j on j.prediction_id = p.id
    left join happened h on h.prediction_id = p.id
    where p.asset = ${asset}
    order by p.created_at, p.id`)
  return rowsOf(result) as readonly Mark[]
}
