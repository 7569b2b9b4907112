INSERT INTO "outbox" ("kind", "key", "ref", "lane", "due", "tries", "last_error", "created_at", "updated_at")
SELECT 'stamp', "day" || ' ' || "calendar", "day", "calendar", "next_try_at", least("failures", 4), "last_error", d."made_at", "proof_stamps"."updated_at"
FROM "proof_stamps" JOIN "proof_days" d USING ("day") WHERE "height" IS NULL;--> statement-breakpoint
DELETE FROM "proof_stamps" WHERE "promise" IS NULL;--> statement-breakpoint
DROP INDEX "proof_stamps_due";--> statement-breakpoint
ALTER TABLE "proof_stamps" ALTER COLUMN "promise" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "dismissed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "outbox_ended" ON "outbox" USING btree ("kind","created_at") WHERE "outbox"."due" is null;--> statement-breakpoint
ALTER TABLE "proof_stamps" DROP COLUMN "attempts";--> statement-breakpoint
ALTER TABLE "proof_stamps" DROP COLUMN "failures";--> statement-breakpoint
ALTER TABLE "proof_stamps" DROP COLUMN "next_try_at";--> statement-breakpoint
ALTER TABLE "proof_stamps" DROP COLUMN "updated_at";--> statement-breakpoint
ALTER TABLE "proof_stamps" DROP COLUMN "last_error";
