ALTER TABLE "reports" DROP CONSTRAINT "reports_state";--> statement-breakpoint
ALTER TABLE "reports" DROP CONSTRAINT "reports_decided";--> statement-breakpoint
UPDATE "reports" SET "state" = 'open' WHERE "state" = 'unpaid';--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_state" CHECK ("state" in ('open', 'accepted', 'declined'));--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_decided" CHECK (("reports"."state" = 'open') = ("reports"."decided_at" is null));