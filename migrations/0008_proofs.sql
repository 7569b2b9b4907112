CREATE TABLE "proof_days" (
	"day" text PRIMARY KEY NOT NULL,
	"root" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_leaves" (
	"event_id" text PRIMARY KEY NOT NULL,
	"day" text NOT NULL,
	"place" integer NOT NULL,
	"sha256" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_stamps" (
	"day" text NOT NULL,
	"calendar" text NOT NULL,
	"promise" "bytea",
	"attested" "bytea",
	"height" integer,
	"block_hash" text,
	"block_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"last_error" text,
	CONSTRAINT "proof_stamps_day_calendar_pk" PRIMARY KEY("day","calendar"),
	CONSTRAINT "proof_stamps_attested" CHECK (("proof_stamps"."attested" is null) = ("proof_stamps"."height" is null)),
	CONSTRAINT "proof_stamps_checked" CHECK ("proof_stamps"."block_hash" is null or "proof_stamps"."height" is not null)
);
--> statement-breakpoint
ALTER TABLE "proof_leaves" ADD CONSTRAINT "proof_leaves_event_id_nostr_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."nostr_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proof_leaves" ADD CONSTRAINT "proof_leaves_day_proof_days_day_fk" FOREIGN KEY ("day") REFERENCES "public"."proof_days"("day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proof_stamps" ADD CONSTRAINT "proof_stamps_day_proof_days_day_fk" FOREIGN KEY ("day") REFERENCES "public"."proof_days"("day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "proof_leaves_of" ON "proof_leaves" USING btree ("day","place");--> statement-breakpoint
CREATE INDEX "proof_stamps_due" ON "proof_stamps" USING btree ("next_try_at") WHERE "proof_stamps"."block_hash" is null;