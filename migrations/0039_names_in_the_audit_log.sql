ALTER TABLE "audit_log" ADD COLUMN "subject_name" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "subject_asset" text;--> statement-breakpoint
-- Earlier entries get the names of today, those of predictions without their level, with the last day of a month or year.
update audit_log set subject_name = found.name, subject_asset = found.asset
from (
  select 'submission' as kind, id::text as id, asset,
    concat(expert_name, ': ', upper(asset), ' ', price_prediction, ' by ', to_char(target_time, 'DD/MM/YYYY')) as name
  from submissions
  union all
  select 'prediction', p.id, p.asset, concat(i.name, ': ', upper(p.asset), ' by ', to_char(p.target_date, 'DD/MM/YYYY'))
  from predictions p join influencers i on i.id = p.influencer_id
  union all
  select distinct 'goalpost', l.subject_id, p.asset, i.name || ': ' || upper(p.asset)
  from audit_log l join predictions p on p.id = split_part(l.subject_id, ' → ', 1) join influencers i on i.id = p.influencer_id
  where l.subject_kind = 'goalpost'
  union all
  select 'payment', p.id::text, null, concat(to_char(p.sats, 'FM999,999,999'), ' sats for ', coalesce(s.expert_name, i.name, 'the site'))
  from payments p left join submissions s on s.id = p.submission_id
    left join predictions q on q.id = p.prediction_id left join influencers i on i.id = q.influencer_id
  union all
  select 'social post', id::text, null,
    coalesce(nullif(left(coalesce(nullif(x_text, ''), nullif(nostr_text, ''), bluesky_text), 80), ''), 'A post without text')
  from social_posts
  union all
  select 'tweet queue', id::text, null, regexp_replace(url, '^https://', '') from tweet_queue
  union all
  select 'expert', id::text, null, name from influencers
  union all
  select 'reply', r.id::text, p.asset, i.name || ' about ' || coalesce(upper(p.asset), 'their page')
  from replies r join influencers i on i.id = r.influencer_id left join predictions p on p.id = r.prediction_id
  union all
  select 'admin', id::text, null, username from admins
  union all
  select 'report', number::text, null, concat('Report ', number) from reports
) found
where audit_log.subject_kind = found.kind and audit_log.subject_id = found.id;--> statement-breakpoint
update audit_log set subject_asset = split_part(subject_id, ' ', 1), subject_name = concat(
    upper(split_part(subject_id, ' ', 1)),
    regexp_replace(
      regexp_replace(substr(subject_id, length(split_part(subject_id, ' ', 1)) + 1), '^ (\d{4})-(\d\d)-(\d\d)$', ' on \3/\2/\1'),
      '^ (?!on \d)', ' from '))
where subject_kind in ('price source', 'price jump', 'prices') and split_part(subject_id, ' ', 1) in ('btc', 'mstr', 'naka');
