CREATE TABLE "record_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"prices" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "predictions_of_asset";--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "touch_verdict" bigint;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "touch_outcome" text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "touch_reason" text;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "touch_day" date;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "close_verdict" bigint;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "close_outcome" text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "close_reason" text;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "close_day" date;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "touch_luck" double precision;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "close_luck" double precision;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "search" text DEFAULT '' NOT NULL;--> statement-breakpoint
INSERT INTO "record_state" SELECT 1, started, started FROM (SELECT (extract(epoch FROM now()) * 1000)::bigint AS started) now;--> statement-breakpoint
UPDATE "predictions" SET "touch_verdict" = v."id", "touch_outcome" = v."outcome", "touch_reason" = v."reason", "touch_day" = v."day"
FROM (SELECT DISTINCT ON ("prediction_id") * FROM "verdicts" WHERE "mode" = 'touch' ORDER BY "prediction_id", "id" DESC) v
WHERE v."prediction_id" = "predictions"."id";--> statement-breakpoint
UPDATE "predictions" SET "close_verdict" = v."id", "close_outcome" = v."outcome", "close_reason" = v."reason", "close_day" = v."day"
FROM (SELECT DISTINCT ON ("prediction_id") * FROM "verdicts" WHERE "mode" = 'close' ORDER BY "prediction_id", "id" DESC) v
WHERE v."prediction_id" = "predictions"."id";--> statement-breakpoint
CREATE INDEX "predictions_newest" ON "predictions" USING btree ("asset","made" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"id") WHERE "predictions"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "predictions_supported" ON "predictions" USING btree ("asset","vote_score" DESC NULLS FIRST,"made" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"id") WHERE "predictions"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "predictions_due" ON "predictions" USING btree ("asset","target_date","id");--> statement-breakpoint
CREATE INDEX "predictions_touched" ON "predictions" USING btree ("asset","touch_outcome","made" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "predictions_closed" ON "predictions" USING btree ("asset","close_outcome","made" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "predictions_words" ON "predictions" USING gin (array_to_tsvector(string_to_array("search", ' ')));