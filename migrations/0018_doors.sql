CREATE TABLE "door_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "door_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"door" text NOT NULL,
	"network" text,
	"prefix" text,
	"subject" text,
	"ref" uuid,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "post_reads" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "payment_starts" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "post_reads" CASCADE;--> statement-breakpoint
DROP TABLE "payment_starts" CASCADE;--> statement-breakpoint
DROP INDEX "follow_questions_of_network";--> statement-breakpoint
DROP INDEX "followers_once";--> statement-breakpoint
DROP INDEX "followers_of_network";--> statement-breakpoint
DROP INDEX "replies_of_network";--> statement-breakpoint
DROP INDEX "contact_confirmations_of_network";--> statement-breakpoint
CREATE INDEX "door_entries_at" ON "door_entries" USING btree ("door","at");--> statement-breakpoint
CREATE INDEX "door_entries_of_prefix" ON "door_entries" USING btree ("door","prefix","at");--> statement-breakpoint
ALTER TABLE "follow_questions" DROP COLUMN "network_hash";--> statement-breakpoint
ALTER TABLE "followers" DROP COLUMN "network_hash";--> statement-breakpoint
ALTER TABLE "replies" DROP COLUMN "network_hash";--> statement-breakpoint
ALTER TABLE "reports" DROP COLUMN "network";--> statement-breakpoint
ALTER TABLE "contact_confirmations" DROP COLUMN "network_hash";--> statement-breakpoint
ALTER TABLE "followers" ADD CONSTRAINT "followers_once" UNIQUE NULLS NOT DISTINCT("channel","address_hash","push_auth");