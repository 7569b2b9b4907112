CREATE TABLE "revision_decisions" (
	"earlier_id" text NOT NULL,
	"later_id" text NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"username" text NOT NULL,
	CONSTRAINT "revision_decisions_earlier_id_later_id_pk" PRIMARY KEY("earlier_id","later_id"),
	CONSTRAINT "revision_decisions_state" CHECK ("state" in ('confirmed', 'cut'))
);
--> statement-breakpoint
ALTER TABLE "revision_decisions" ADD CONSTRAINT "revision_decisions_earlier_id_predictions_id_fk" FOREIGN KEY ("earlier_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revision_decisions" ADD CONSTRAINT "revision_decisions_later_id_predictions_id_fk" FOREIGN KEY ("later_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;