CREATE TABLE "social_accounts" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"handle" text,
	"checked_at" timestamp with time zone,
	"error" text,
	"limits" jsonb,
	"limits_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "social_pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"networks" text[] NOT NULL,
	"x_text" text DEFAULT '' NOT NULL,
	"nostr_text" text DEFAULT '' NOT NULL,
	"pictures" jsonb NOT NULL,
	"scheduled_at" timestamp with time zone,
	"zone" text,
	"submission_id" uuid,
	"prediction_id" text,
	"verdict_id" bigint,
	"is_automatic" boolean DEFAULT false NOT NULL,
	"idempotency_hash" text,
	"fingerprint" text,
	"approval" text,
	"approval_error" text,
	"created_by" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "social_posts_idempotencyHash_unique" UNIQUE("idempotency_hash"),
	CONSTRAINT "social_posts_state" CHECK ("state" in ('draft', 'scheduled', 'sending', 'done', 'missed', 'cancelled')),
	CONSTRAINT "social_posts_kind" CHECK ("kind" in ('manual', 'prediction', 'verdict')),
	CONSTRAINT "social_posts_time" CHECK ("social_posts"."state" in ('draft', 'cancelled') or "social_posts"."scheduled_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "social_results" (
	"post_id" uuid NOT NULL,
	"network" text NOT NULL,
	"state" text NOT NULL,
	"lease" uuid,
	"next_try_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"posting_at" timestamp with time zone,
	"remote_id" text,
	"error" text,
	"fault" text,
	"event" jsonb,
	"relays" jsonb,
	"finished_at" timestamp with time zone,
	CONSTRAINT "social_results_post_id_network_pk" PRIMARY KEY("post_id","network"),
	CONSTRAINT "social_results_state" CHECK ("state" in ('waiting', 'sending', 'posted', 'failed', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "social_settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"auto_verdicts" boolean NOT NULL,
	"auto_networks" text[] NOT NULL,
	"auto_with_link" boolean NOT NULL,
	"auto_daily_cap" integer NOT NULL,
	"changed_by" bigint NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "social_settings_one" CHECK ("id" = 1)
);
--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_verdict_id_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_created_by_admins_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_results" ADD CONSTRAINT "social_results_post_id_social_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."social_posts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_settings" ADD CONSTRAINT "social_settings_changed_by_admins_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "social_posts_due" ON "social_posts" USING btree ("scheduled_at") WHERE "social_posts"."state" = 'scheduled';--> statement-breakpoint
CREATE INDEX "social_posts_newest" ON "social_posts" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "social_posts_of_verdict" ON "social_posts" USING btree ("verdict_id") WHERE "social_posts"."is_automatic";--> statement-breakpoint
CREATE INDEX "social_results_due" ON "social_results" USING btree ("next_try_at") WHERE "social_results"."next_try_at" is not null;