CREATE TABLE "notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"submission_id" uuid NOT NULL,
	"event" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"sats" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "notices_status" CHECK ("status" in ('waiting', 'sending', 'sent', 'failed', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"submission_id" uuid NOT NULL,
	"checking_hash" text NOT NULL,
	"idempotency_hash" text,
	"fingerprint" text,
	"status" text NOT NULL,
	"sats" integer NOT NULL,
	"wallet" text NOT NULL,
	"wallet_ref" text,
	"network" text NOT NULL,
	"bolt11" text,
	"payment_hash" text,
	"expires_at" timestamp with time zone,
	"wallet_expires_at" timestamp with time zone,
	"received_msat" bigint,
	"settled_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"next_look_at" timestamp with time zone,
	"last_look_at" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payments_checkingHash_unique" UNIQUE("checking_hash"),
	CONSTRAINT "payments_idempotencyHash_unique" UNIQUE("idempotency_hash"),
	CONSTRAINT "payments_paymentHash_unique" UNIQUE("payment_hash"),
	CONSTRAINT "payments_status" CHECK ("status" in ('creating', 'pending', 'expired', 'cancelled', 'paid', 'paid_late', 'overpaid', 'failed')),
	CONSTRAINT "payments_sats" CHECK ("payments"."sats" > 0),
	CONSTRAINT "payments_invoice" CHECK ("payments"."status" in ('creating', 'failed') or ("payments"."bolt11" is not null and "payments"."payment_hash" is not null and "payments"."expires_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"receipt_hash" text,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"asset" text NOT NULL,
	"expert_name" text NOT NULL,
	"twitter_handle" text,
	"nostr_npub" text,
	"prediction_type" text NOT NULL,
	"price_prediction" text NOT NULL,
	"price_target" double precision,
	"price_min" double precision,
	"price_max" double precision,
	"target_time" date NOT NULL,
	"prediction_made" date,
	"source_url" text,
	"notes" text DEFAULT '' NOT NULL,
	"submitter_email" text,
	"prediction_outcome" text DEFAULT 'pending' NOT NULL,
	"admin_comment" text,
	"existing_influencer_id" bigint,
	"ai_metadata" jsonb,
	"prediction_id" text,
	"paid_sats" integer DEFAULT 0 NOT NULL,
	"payment_id" uuid,
	"paid_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"contact_kind" text,
	"contact_address" text,
	"unsubscribed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "submissions_receiptHash_unique" UNIQUE("receipt_hash"),
	CONSTRAINT "submissions_paymentId_unique" UNIQUE("payment_id"),
	CONSTRAINT "submissions_status" CHECK ("status" in ('unpaid', 'pending', 'approved', 'rejected')),
	CONSTRAINT "submissions_paid" CHECK ("submissions"."origin" <> 'visitor' or ("submissions"."status" = 'unpaid') = ("submissions"."payment_id" is null)),
	CONSTRAINT "submissions_contact" CHECK (("submissions"."contact_kind" is null) = ("submissions"."contact_address" is null))
);
--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_existing_influencer_id_influencers_id_fk" FOREIGN KEY ("existing_influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notices_once" ON "notices" USING btree ("submission_id","event");--> statement-breakpoint
CREATE INDEX "notices_to_send" ON "notices" USING btree ("next_try_at") WHERE "notices"."status" in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "payments_of_submission" ON "payments" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "payments_created" ON "payments" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "payments_to_look_at" ON "payments" USING btree ("next_look_at") WHERE "payments"."next_look_at" is not null;--> statement-breakpoint
CREATE INDEX "submissions_in_review" ON "submissions" USING btree ("status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "submissions_of_prediction" ON "submissions" USING btree ("prediction_id");