INSERT INTO "outbox" ("kind", "key", "ref", "lane", "payload", "state", "due", "tries", "asked_at", "last_error", "created_at", "updated_at")
SELECT 'post', post_id || ' ' || network, post_id, network,
	jsonb_strip_nulls(jsonb_build_object('remoteId', remote_id, 'fault', fault, 'event', event, 'relays', relays, 'finishedAt', finished_at)),
	CASE r.state WHEN 'posted' THEN 'sent' ELSE r.state END, next_try_at, attempts, posting_at, error,
	p.created_at, coalesce(finished_at, p.updated_at)
FROM "social_results" r JOIN "social_posts" p ON p.id = r.post_id;--> statement-breakpoint
DROP TABLE "social_results" CASCADE;
