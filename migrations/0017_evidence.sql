-- Until 22 November 2026, 21:44 UTC, evidence had the shape of the calls: days as texts, levels and windows side by side.
CREATE FUNCTION pg_temp.evidence_point(point jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN jsonb_typeof(point) = 'object'
		THEN (point - 'date') || jsonb_build_object('day', (point->>'date')::date - date '1970-01-01') ELSE 'null' END
$$;--> statement-breakpoint
UPDATE "verdicts" SET "evidence" = jsonb_build_object(
	'mode', "evidence"->'mode',
	'rule', "evidence"->'rule',
	'outcome', "evidence"->'outcome',
	'reason', "evidence"->'reason',
	'day', ("evidence"->>'date')::date - date '1970-01-01',
	'level', jsonb_build_object('min', "evidence"->'level_min', 'max', "evidence"->'level_max'),
	'direction', "evidence"->'direction',
	'reference', pg_temp.evidence_point("evidence"->'reference'),
	'window', jsonb_build_object(
		'from', ("evidence"->>'window_from')::date - date '1970-01-01',
		'to', ("evidence"->>'window_to')::date - date '1970-01-01'
	),
	'bar', pg_temp.evidence_point("evidence"->'bar'),
	'nearest', pg_temp.evidence_point("evidence"->'nearest'),
	'unconfirmed', pg_temp.evidence_point("evidence"->'unconfirmed'),
	'closeOnly', "evidence"->'close_only',
	'someClosesOnly', coalesce("evidence"->'some_closes_only', 'false')
) WHERE "evidence" ? 'window_from';
