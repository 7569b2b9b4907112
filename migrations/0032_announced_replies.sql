ALTER TABLE "replies" ADD COLUMN "announced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What was published before has its news already.
UPDATE "replies" SET "announced" = true WHERE "published_at" < now() - interval '3 days';
