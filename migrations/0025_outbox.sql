CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"ref" text NOT NULL,
	"lane" text NOT NULL,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"due" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"claim" bigint DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outbox_once" UNIQUE("kind","key"),
	CONSTRAINT "outbox_state" CHECK ("state" in ('waiting', 'sending', 'sent', 'failed', 'unknown'))
);
--> statement-breakpoint
CREATE INDEX "outbox_of" ON "outbox" USING btree ("kind","ref");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("kind","lane","due") WHERE "outbox"."due" is not null;--> statement-breakpoint
-- Messages keep their numbers, by which bounced mails name them.
INSERT INTO "outbox" ("id", "kind", "key", "ref", "lane", "state", "due", "tries", "last_error", "created_at", "updated_at")
OVERRIDING SYSTEM VALUE
SELECT m.id, 'follow-news', f.id || ' before ' || m.id, f.id, f.channel, m.status,
	CASE WHEN m.status IN ('waiting', 'sending') THEN m.next_try_at END, m.attempts, m.last_error, m.created_at,
	coalesce(m.sent_at, m.next_try_at)
FROM "follow_messages" m JOIN "followers" f ON f.id = m.follower_id;--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('outbox', 'id'), coalesce(max(id), 0) + 1, false) FROM "follow_messages";--> statement-breakpoint
INSERT INTO "outbox" ("kind", "key", "ref", "lane", "state", "due", "tries", "last_error", "created_at", "updated_at")
SELECT 'follow-question', id, id, 'email', status, CASE WHEN status IN ('waiting', 'sending') THEN next_try_at END,
	attempts, last_error, created_at, next_try_at
FROM "follow_questions";--> statement-breakpoint
-- One that was being paid for may have been: it has a mark.
INSERT INTO "outbox" ("kind", "key", "ref", "lane", "payload", "state", "due", "tries", "asked_at", "last_error", "created_at", "updated_at")
SELECT 'notice', submission_id || ' ' || event, submission_id, 'notice', jsonb_build_object('event', event, 'sats', sats), status,
	CASE WHEN status IN ('waiting', 'sending') THEN next_try_at END, attempts,
	CASE WHEN sats > 0 AND status = 'sending' THEN created_at END, last_error, created_at, coalesce(sent_at, next_try_at)
FROM "notices" ORDER BY id;
