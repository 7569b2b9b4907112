CREATE TABLE "nostr_deliveries" (
	"event_id" text NOT NULL,
	"relay" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"reason" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "nostr_deliveries_event_id_relay_pk" PRIMARY KEY("event_id","relay"),
	CONSTRAINT "nostr_deliveries_state" CHECK ("nostr_deliveries"."state" in ('waiting', 'accepted', 'already', 'refused', 'given-up', 'replaced'))
);
--> statement-breakpoint
CREATE TABLE "nostr_events" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"ref" text,
	"event" jsonb NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "nostr_events_ref_unique" UNIQUE("ref")
);
--> statement-breakpoint
CREATE TABLE "record_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "record_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text NOT NULL,
	"pubkey" text NOT NULL,
	"kind" integer NOT NULL,
	"d" text NOT NULL,
	"prediction_id" text NOT NULL,
	"mode" text,
	"verdict_id" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "record_events_eventId_unique" UNIQUE("event_id")
);
--> statement-breakpoint
ALTER TABLE "nostr_deliveries" ADD CONSTRAINT "nostr_deliveries_event_id_nostr_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."nostr_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_events" ADD CONSTRAINT "record_events_event_id_nostr_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."nostr_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_events" ADD CONSTRAINT "record_events_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_events" ADD CONSTRAINT "record_events_verdict_id_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "nostr_deliveries_due" ON "nostr_deliveries" USING btree ("relay","next_try_at") WHERE "nostr_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "record_events_of" ON "record_events" USING btree ("prediction_id","id");--> statement-breakpoint
CREATE INDEX "record_events_in_force" ON "record_events" USING btree ("pubkey","kind","d","id");--> statement-breakpoint
CREATE UNIQUE INDEX "record_events_verdict" ON "record_events" USING btree ("pubkey","verdict_id");