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
ALTER TABLE "bars" ADD COLUMN "state" text DEFAULT 'final' NOT NULL;--> statement-breakpoint
ALTER TABLE "price_questions" ADD CONSTRAINT "price_questions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_sources" ADD CONSTRAINT "price_sources_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bars_unsettled" ON "bars" USING btree ("asset","day") WHERE "bars"."state" <> 'final';--> statement-breakpoint
ALTER TABLE "bars" ADD CONSTRAINT "bars_state" CHECK ("state" in ('moving', 'alone', 'waiting', 'final'));