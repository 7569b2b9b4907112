ALTER TABLE "payments" ALTER COLUMN "submission_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "purpose" text DEFAULT 'submission' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "prediction_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "credited_sats" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "comment" text;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_of_prediction" ON "payments" USING btree ("prediction_id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_purpose" CHECK (("payments"."purpose" = 'submission') = ("payments"."submission_id" is not null) and ("payments"."purpose" <> 'boost' or "payments"."prediction_id" is not null));