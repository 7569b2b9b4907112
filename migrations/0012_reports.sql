CREATE TABLE "report_corrections" (
	"report" bigint NOT NULL,
	"event" bigint NOT NULL,
	CONSTRAINT "report_corrections_report_event_pk" PRIMARY KEY("report","event")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reports_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"prediction_id" text NOT NULL,
	"kind" text NOT NULL,
	"explanation" text NOT NULL,
	"source" text,
	"other_id" text,
	"state" text DEFAULT 'open' NOT NULL,
	"reported_at" timestamp with time zone NOT NULL,
	"last_event" bigint NOT NULL,
	"network" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"decline_reason" text,
	"answer" text,
	"withheld" boolean DEFAULT false NOT NULL,
	CONSTRAINT "reports_kind" CHECK ("kind" in ('words', 'date', 'person', 'price', 'rule', 'double', 'other')),
	CONSTRAINT "reports_state" CHECK ("state" in ('unpaid', 'open', 'accepted', 'declined')),
	CONSTRAINT "reports_other" CHECK (("reports"."kind" = 'double') = ("reports"."other_id" is not null)),
	CONSTRAINT "reports_decided" CHECK (("reports"."state" in ('unpaid', 'open')) = ("reports"."decided_at" is null)),
	CONSTRAINT "reports_declined" CHECK (("reports"."state" = 'declined') = ("reports"."decline_reason" is not null))
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_purpose";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "report_number" bigint;--> statement-breakpoint
ALTER TABLE "report_corrections" ADD CONSTRAINT "report_corrections_report_reports_number_fk" FOREIGN KEY ("report") REFERENCES "public"."reports"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_corrections" ADD CONSTRAINT "report_corrections_event_prediction_events_id_fk" FOREIGN KEY ("event") REFERENCES "public"."prediction_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_other_id_predictions_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_corrections_of_event" ON "report_corrections" USING btree ("event");--> statement-breakpoint
CREATE INDEX "reports_of_prediction" ON "reports" USING btree ("prediction_id","state");--> statement-breakpoint
CREATE INDEX "reports_of_state" ON "reports" USING btree ("state","number");--> statement-breakpoint
CREATE INDEX "reports_recent" ON "reports" USING btree ("reported_at");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_report_number_reports_number_fk" FOREIGN KEY ("report_number") REFERENCES "public"."reports"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_of_report" ON "payments" USING btree ("report_number");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_purpose" CHECK (("payments"."purpose" = 'submission') = ("payments"."submission_id" is not null) and ("payments"."purpose" = 'report') = ("payments"."report_number" is not null) and ("payments"."purpose" <> 'boost' or "payments"."prediction_id" is not null));