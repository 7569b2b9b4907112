CREATE TABLE "admin_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"admin_id" bigint NOT NULL,
	"how" text NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "admin_sessions_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "admin_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"admin_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "admin_tokens_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "admins" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"role" text NOT NULL,
	"username" text NOT NULL,
	"folded" text NOT NULL,
	"password_hash" text NOT NULL,
	"totp_secret" text,
	"totp_pending" text,
	"totp_last_step" bigint DEFAULT 0 NOT NULL,
	"recovery_codes" text[] DEFAULT '{}' NOT NULL,
	"from_environment" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "admins_folded_unique" UNIQUE("folded"),
	CONSTRAINT "admins_role" CHECK ("role" in ('administrator', 'reviewer'))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"admin_id" bigint,
	"username" text NOT NULL,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text,
	"before" jsonb,
	"after" jsonb,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"admin_id" bigint,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"admin_id" bigint NOT NULL,
	"name" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_tries" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"not_before" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"asked_by" bigint,
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
	"auto_since" timestamp with time zone,
	"changed_by" bigint NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "social_settings_one" CHECK ("id" = 1)
);
--> statement-breakpoint
CREATE TABLE "contact_confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"submission_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"network_hash" text,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "contact_confirmations_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
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
	"wallet_print" text,
	"wallet_ref" text,
	"network" text NOT NULL,
	"bolt11" text,
	"payment_hash" text,
	"preimage" text,
	"expires_at" timestamp with time zone,
	"wallet_expires_at" timestamp with time zone,
	"watch_until" timestamp with time zone,
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
CREATE TABLE "refused_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "removed_unpaid" (
	"day" date PRIMARY KEY NOT NULL,
	"submissions" integer NOT NULL,
	"invoices" integer NOT NULL,
	"sats" bigint NOT NULL
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
	"made_precision" text DEFAULT 'day' NOT NULL,
	"source_url" text,
	"notes" text DEFAULT '' NOT NULL,
	"submitter_email" text,
	"prediction_outcome" text DEFAULT 'pending' NOT NULL,
	"admin_comment" text,
	"existing_influencer_id" bigint,
	"new_influencer" boolean DEFAULT false NOT NULL,
	"ai_metadata" jsonb,
	"prediction_id" text,
	"paid_sats" integer DEFAULT 0 NOT NULL,
	"payment_id" uuid,
	"paid_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"version" integer DEFAULT 0 NOT NULL,
	"contact_kind" text,
	"contact_address" text,
	"contact_confirmed_at" timestamp with time zone,
	"unsubscribed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(regexp_replace(normalize(lower(coalesce(expert_name, '') || ' ' || coalesce(twitter_handle, '') || ' ' || coalesce(nostr_npub, '') || ' ' || coalesce(price_prediction, '') || ' ' || coalesce(regexp_replace(price_prediction, '[^0-9-]', '', 'g'), '') || ' ' || coalesce(source_url, '') || ' ' || coalesce(notes, '') || ' ' || coalesce(submitter_email, '')), NFKD), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))) STORED,
	CONSTRAINT "submissions_receiptHash_unique" UNIQUE("receipt_hash"),
	CONSTRAINT "submissions_paymentId_unique" UNIQUE("payment_id"),
	CONSTRAINT "submissions_status" CHECK ("status" in ('unpaid', 'pending', 'approved', 'rejected')),
	CONSTRAINT "submissions_made_precision" CHECK ("made_precision" in ('day', 'month', 'year')),
	CONSTRAINT "submissions_paid" CHECK ("submissions"."origin" <> 'visitor' or ("submissions"."status" = 'unpaid') = ("submissions"."payment_id" is null)),
	CONSTRAINT "submissions_contact" CHECK (("submissions"."contact_kind" is null) = ("submissions"."contact_address" is null))
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"key" text PRIMARY KEY NOT NULL,
	"symbol" text NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bars" (
	"asset" text NOT NULL,
	"day" date NOT NULL,
	"source" text NOT NULL,
	"open" double precision,
	"high" double precision,
	"low" double precision,
	"close" double precision NOT NULL,
	"state" text DEFAULT 'final' NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bars_asset_day_source_pk" PRIMARY KEY("asset","day","source"),
	CONSTRAINT "bars_state" CHECK ("state" in ('moving', 'alone', 'waiting', 'final')),
	CONSTRAINT "bars_close_positive" CHECK ("bars"."close" > 0),
	CONSTRAINT "bars_high_and_low" CHECK (("bars"."high" is null) = ("bars"."low" is null)),
	CONSTRAINT "bars_order" CHECK ("bars"."low" is null or ("bars"."low" > 0 and "bars"."low" <= "bars"."high"))
);
--> statement-breakpoint
CREATE TABLE "corporate_actions" (
	"asset" text NOT NULL,
	"day" date NOT NULL,
	"ratio" double precision NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "corporate_actions_asset_day_pk" PRIMARY KEY("asset","day"),
	CONSTRAINT "corporate_actions_ratio" CHECK ("corporate_actions"."ratio" > 0)
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "influencer_names" (
	"kind" text NOT NULL,
	"folded" text NOT NULL,
	"text" text NOT NULL,
	"influencer_id" bigint NOT NULL,
	"main" boolean DEFAULT false NOT NULL,
	CONSTRAINT "influencer_names_kind_folded_influencer_id_pk" PRIMARY KEY("kind","folded","influencer_id")
);
--> statement-breakpoint
CREATE TABLE "influencers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "influencers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"is_firm" boolean DEFAULT false NOT NULL,
	"score" double precision DEFAULT 0 NOT NULL,
	"merged_into" bigint,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "influencers_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "prediction_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prediction_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"prediction_id" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"verdict_id" bigint
);
--> statement-breakpoint
CREATE TABLE "predictions" (
	"id" text PRIMARY KEY NOT NULL,
	"asset" text NOT NULL,
	"influencer_id" bigint NOT NULL,
	"type" text NOT NULL,
	"price_target" double precision,
	"price_min" double precision,
	"price_max" double precision,
	"made" date NOT NULL,
	"made_precision" text NOT NULL,
	"start_date" date,
	"target_date" date NOT NULL,
	"target_precision" text NOT NULL,
	"deadline_assumed" boolean DEFAULT false NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"source_url" text,
	"remarks" text,
	"chart_value" double precision,
	"exclude_from_chart" boolean DEFAULT false NOT NULL,
	"vote_score" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"frozen_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "predictions_dates" CHECK ("predictions"."target_date" > "predictions"."made")
);
--> statement-breakpoint
CREATE TABLE "price_questions" (
	"asset" text NOT NULL,
	"day" date NOT NULL,
	"sources" text NOT NULL,
	"before_day" date NOT NULL,
	"before_usd" double precision NOT NULL,
	"after_usd" double precision NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answer" text,
	"answered_at" timestamp with time zone,
	CONSTRAINT "price_questions_asset_day_pk" PRIMARY KEY("asset","day")
);
--> statement-breakpoint
CREATE TABLE "price_sources" (
	"asset" text NOT NULL,
	"source" text NOT NULL,
	"asked_through" date,
	"last_success_at" timestamp with time zone,
	"last_error" text,
	"last_error_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_run_at" timestamp with time zone,
	"not_before" timestamp with time zone,
	CONSTRAINT "price_sources_asset_source_pk" PRIMARY KEY("asset","source")
);
--> statement-breakpoint
CREATE TABLE "verdicts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "verdicts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"prediction_id" text NOT NULL,
	"mode" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text NOT NULL,
	"day" date,
	"rule" integer NOT NULL,
	"evidence" jsonb NOT NULL,
	"change" text NOT NULL,
	"computed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD CONSTRAINT "admin_sessions_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_tokens" ADD CONSTRAINT "admin_tokens_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "influencer_slugs" ADD CONSTRAINT "influencer_slugs_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_settlements" ADD CONSTRAINT "payment_settlements_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nostr_deliveries" ADD CONSTRAINT "nostr_deliveries_event_id_nostr_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."nostr_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_events" ADD CONSTRAINT "record_events_event_id_nostr_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."nostr_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_events" ADD CONSTRAINT "record_events_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_events" ADD CONSTRAINT "record_events_verdict_id_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extraction_decisions" ADD CONSTRAINT "extraction_decisions_extraction_id_extractions_id_fk" FOREIGN KEY ("extraction_id") REFERENCES "public"."extractions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extraction_decisions" ADD CONSTRAINT "extraction_decisions_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tweet_queue" ADD CONSTRAINT "tweet_queue_extraction_id_extractions_id_fk" FOREIGN KEY ("extraction_id") REFERENCES "public"."extractions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_verdict_id_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_asked_by_admins_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_created_by_admins_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_results" ADD CONSTRAINT "social_results_post_id_social_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."social_posts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_settings" ADD CONSTRAINT "social_settings_changed_by_admins_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_confirmations" ADD CONSTRAINT "contact_confirmations_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_existing_influencer_id_influencers_id_fk" FOREIGN KEY ("existing_influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bars" ADD CONSTRAINT "bars_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corporate_actions" ADD CONSTRAINT "corporate_actions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "influencer_names" ADD CONSTRAINT "influencer_names_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "influencers" ADD CONSTRAINT "influencers_merged_into_influencers_id_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_events" ADD CONSTRAINT "prediction_events_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_events" ADD CONSTRAINT "prediction_events_verdict_id_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_questions" ADD CONSTRAINT "price_questions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_sources" ADD CONSTRAINT "price_sources_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_sessions_of" ON "admin_sessions" USING btree ("admin_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_of" ON "audit_log" USING btree ("subject_kind","subject_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_by" ON "audit_log" USING btree ("username","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at" desc);--> statement-breakpoint
CREATE INDEX "passkeys_of" ON "passkeys" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "influencer_slugs_of" ON "influencer_slugs" USING btree ("influencer_id");--> statement-breakpoint
CREATE INDEX "nostr_deliveries_due" ON "nostr_deliveries" USING btree ("relay","next_try_at") WHERE "nostr_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "record_events_of" ON "record_events" USING btree ("prediction_id","id");--> statement-breakpoint
CREATE INDEX "record_events_in_force" ON "record_events" USING btree ("pubkey","kind","d","id");--> statement-breakpoint
CREATE UNIQUE INDEX "record_events_verdict" ON "record_events" USING btree ("pubkey","verdict_id");--> statement-breakpoint
CREATE INDEX "extraction_decisions_of" ON "extraction_decisions" USING btree ("extraction_id");--> statement-breakpoint
CREATE INDEX "extractions_of_post" ON "extractions" USING btree ("post_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tweet_queue_once" ON "tweet_queue" USING btree ("post_id") WHERE "tweet_queue"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tweet_queue_to_do" ON "tweet_queue" USING btree ("status") WHERE "tweet_queue"."deleted_at" is null and "tweet_queue"."status" in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX "social_posts_due" ON "social_posts" USING btree ("scheduled_at") WHERE "social_posts"."state" = 'scheduled';--> statement-breakpoint
CREATE INDEX "social_posts_newest" ON "social_posts" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "social_posts_of_verdict" ON "social_posts" USING btree ("verdict_id") WHERE "social_posts"."is_automatic";--> statement-breakpoint
CREATE INDEX "social_results_due" ON "social_results" USING btree ("next_try_at") WHERE "social_results"."next_try_at" is not null;--> statement-breakpoint
CREATE INDEX "contact_confirmations_of_submission" ON "contact_confirmations" USING btree ("submission_id","created_at");--> statement-breakpoint
CREATE INDEX "contact_confirmations_of_address" ON "contact_confirmations" USING btree ("address_hash","created_at");--> statement-breakpoint
CREATE INDEX "contact_confirmations_of_network" ON "contact_confirmations" USING btree ("network_hash","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notices_once" ON "notices" USING btree ("submission_id","event");--> statement-breakpoint
CREATE INDEX "notices_to_send" ON "notices" USING btree ("next_try_at") WHERE "notices"."status" in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "payments_of_submission" ON "payments" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "payments_created" ON "payments" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "payments_to_look_at" ON "payments" USING btree ("next_look_at") WHERE "payments"."next_look_at" is not null;--> statement-breakpoint
CREATE INDEX "submissions_in_review" ON "submissions" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "submissions_search" ON "submissions" USING gin ("search");--> statement-breakpoint
CREATE INDEX "submissions_decided" ON "submissions" USING btree ("decided_at") WHERE "submissions"."decided_at" is not null;--> statement-breakpoint
CREATE INDEX "submissions_status_by_submitted" ON "submissions" USING btree ("asset","status","created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_submitted" ON "submissions" USING btree ("asset","created_at","id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE INDEX "submissions_status_by_target" ON "submissions" USING btree ("asset","status","target_time","id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_target" ON "submissions" USING btree ("asset","target_time","id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE INDEX "submissions_status_by_expert" ON "submissions" USING btree ("asset","status",lower("expert_name"),"id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_expert" ON "submissions" USING btree ("asset",lower("expert_name"),"id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE INDEX "submissions_status_by_paid" ON "submissions" USING btree ("asset","status","paid_sats","id");--> statement-breakpoint
CREATE INDEX "submissions_all_by_paid" ON "submissions" USING btree ("asset","paid_sats","id") WHERE "submissions"."status" <> 'unpaid';--> statement-breakpoint
CREATE UNIQUE INDEX "submissions_of_prediction" ON "submissions" USING btree ("prediction_id");--> statement-breakpoint
CREATE INDEX "bars_unsettled" ON "bars" USING btree ("asset","day") WHERE "bars"."state" <> 'final';--> statement-breakpoint
CREATE UNIQUE INDEX "influencer_names_handle" ON "influencer_names" USING btree ("folded") WHERE "influencer_names"."kind" = 'handle';--> statement-breakpoint
CREATE INDEX "influencer_names_of" ON "influencer_names" USING btree ("influencer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "influencer_names_main" ON "influencer_names" USING btree ("influencer_id","kind") WHERE "influencer_names"."main";--> statement-breakpoint
CREATE INDEX "prediction_events_of" ON "prediction_events" USING btree ("prediction_id","id");--> statement-breakpoint
CREATE INDEX "predictions_of_asset" ON "predictions" USING btree ("asset","made");--> statement-breakpoint
CREATE INDEX "predictions_of_influencer" ON "predictions" USING btree ("influencer_id");--> statement-breakpoint
CREATE INDEX "verdicts_in_force" ON "verdicts" USING btree ("prediction_id","mode","id");