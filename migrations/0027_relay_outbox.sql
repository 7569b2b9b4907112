INSERT INTO "outbox" ("kind", "key", "ref", "lane", "payload", "state", "due", "tries", "last_error", "created_at", "updated_at")
SELECT CASE WHEN e.purpose = 'zap' AND NOT EXISTS (
		SELECT FROM "nostr_deliveries" o JOIN "nostr_events" n ON n.id = o.event_id WHERE o.relay = d.relay AND n.purpose <> 'zap')
	THEN 'zap-relay' ELSE 'relay' END,
	d.event_id || ' ' || d.relay, d.event_id, d.relay,
	jsonb_build_object('purpose', e.purpose) || CASE d.state WHEN 'waiting' THEN '{}' ELSE jsonb_build_object('said', d.state) END,
	CASE WHEN d.state = 'waiting' THEN 'waiting' WHEN d.state IN ('accepted', 'already') THEN 'sent' ELSE 'failed' END,
	CASE WHEN d.state = 'waiting' THEN d.next_try_at END, d.attempts, d.reason, d.updated_at, d.updated_at
FROM "nostr_deliveries" d JOIN "nostr_events" e ON e.id = d.event_id;--> statement-breakpoint
DROP TABLE "nostr_deliveries" CASCADE;
