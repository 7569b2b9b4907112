CREATE TABLE "extraction_decisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extraction_decisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"extraction_id" bigint NOT NULL,
	"submission_id" uuid NOT NULL,
	"draft" jsonb NOT NULL,
	"final" jsonb NOT NULL,
	"differences" jsonb NOT NULL,
	"admin" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "extraction_decisions_submissionId_unique" UNIQUE("submission_id")
);
--> statement-breakpoint
CREATE TABLE "extractions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extractions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"post_id" text,
	"result" jsonb NOT NULL,
	"method" text NOT NULL,
	"model" text,
	"cost_usd" double precision,
	"duration_ms" integer NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" text PRIMARY KEY NOT NULL,
	"fetched_at" timestamp with time zone NOT NULL,
	"source" text NOT NULL,
	"content" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tweet_queue" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tweet_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"url" text NOT NULL,
	"post_id" text NOT NULL,
	"status" text NOT NULL,
	"step" text NOT NULL,
	"wanted_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expert_name" text,
	"extraction_id" bigint,
	"error_message" text,
	"created_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "tweet_queue_status" CHECK ("status" in ('pending', 'processing', 'completed', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "extraction_decisions" ADD CONSTRAINT "extraction_decisions_extraction_id_extractions_id_fk" FOREIGN KEY ("extraction_id") REFERENCES "public"."extractions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extraction_decisions" ADD CONSTRAINT "extraction_decisions_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tweet_queue" ADD CONSTRAINT "tweet_queue_extraction_id_extractions_id_fk" FOREIGN KEY ("extraction_id") REFERENCES "public"."extractions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "extraction_decisions_of" ON "extraction_decisions" USING btree ("extraction_id");--> statement-breakpoint
CREATE INDEX "extractions_of_post" ON "extractions" USING btree ("post_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tweet_queue_once" ON "tweet_queue" USING btree ("post_id") WHERE "tweet_queue"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tweet_queue_to_do" ON "tweet_queue" USING btree ("status") WHERE "tweet_queue"."deleted_at" is null and "tweet_queue"."status" in ('pending', 'processing');