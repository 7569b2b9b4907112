CREATE TABLE "influencer_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"influencer_id" bigint NOT NULL,
	"replaced_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_settlements" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"username" text NOT NULL,
	"note" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(regexp_replace(normalize(lower(coalesce(expert_name, '') || ' ' || coalesce(twitter_handle, '') || ' ' || coalesce(nostr_npub, '') || ' ' || coalesce(price_prediction, '') || ' ' || coalesce(regexp_replace(price_prediction, '[^0-9-]', '', 'g'), '') || ' ' || coalesce(source_url, '') || ' ' || coalesce(notes, '') || ' ' || coalesce(submitter_email, '')), NFKD), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))) STORED;--> statement-breakpoint
ALTER TABLE "influencer_slugs" ADD CONSTRAINT "influencer_slugs_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_settlements" ADD CONSTRAINT "payment_settlements_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "influencer_slugs_of" ON "influencer_slugs" USING btree ("influencer_id");--> statement-breakpoint
CREATE INDEX "submissions_search" ON "submissions" USING gin ("search");--> statement-breakpoint
CREATE INDEX "submissions_decided" ON "submissions" USING btree ("decided_at") WHERE "submissions"."decided_at" is not null;--> statement-breakpoint
CREATE INDEX "submissions_status_by_submitted" ON "submissions" USING btree ("asset","status","created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_submitted" ON "submissions" USING btree ("asset","created_at","id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE INDEX "submissions_status_by_target" ON "submissions" USING btree ("asset","status","target_time","id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_target" ON "submissions" USING btree ("asset","target_time","id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE INDEX "submissions_status_by_expert" ON "submissions" USING btree ("asset","status",lower("expert_name"),"id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_expert" ON "submissions" USING btree ("asset",lower("expert_name"),"id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE INDEX "submissions_status_by_paid" ON "submissions" USING btree ("asset","status","paid_sats","id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_paid" ON "submissions" USING btree ("asset","paid_sats","id") WHERE "submissions"."status" <> 'unpaid';