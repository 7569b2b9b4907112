CREATE TABLE "dismissed_proposals" (
	"event_id" bigint PRIMARY KEY NOT NULL,
	"dismissed_by" bigint NOT NULL,
	"dismissed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "social_posts" DROP CONSTRAINT "social_posts_kind";--> statement-breakpoint
ALTER TABLE "social_posts" ADD COLUMN "event_id" bigint;--> statement-breakpoint
ALTER TABLE "social_posts" ADD COLUMN "left_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "dismissed_proposals" ADD CONSTRAINT "dismissed_proposals_event_id_prediction_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."prediction_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dismissed_proposals" ADD CONSTRAINT "dismissed_proposals_dismissed_by_admins_id_fk" FOREIGN KEY ("dismissed_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_event_id_prediction_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."prediction_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prediction_events_at" ON "prediction_events" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "social_posts_of_event" ON "social_posts" USING btree ("event_id") WHERE "social_posts"."state" <> 'cancelled';--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_kind" CHECK ("kind" in ('manual', 'prediction', 'verdict', 'correction'));