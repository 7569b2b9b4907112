CREATE TABLE "deeper_bars" (
	"asset" text NOT NULL,
	"day" date NOT NULL,
	"source" text NOT NULL,
	"open" double precision,
	"high" double precision,
	"low" double precision,
	"close" double precision,
	"refused" text,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deeper_bars_asset_day_source_pk" PRIMARY KEY("asset","day","source")
);
--> statement-breakpoint
CREATE TABLE "deeper_rounds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deeper_rounds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"asset" text NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_by" text,
	"days" integer NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"changes" jsonb NOT NULL,
	"changed" integer NOT NULL,
	"completed" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deeper_sources" (
	"asset" text NOT NULL,
	"source" text NOT NULL,
	"asked_from" date,
	"asked_to" date,
	"reaches" date,
	"days_read" integer DEFAULT 0 NOT NULL,
	"days_refused" integer DEFAULT 0 NOT NULL,
	"done_at" timestamp with time zone,
	"note" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"failing_since" timestamp with time zone,
	"next_run_at" timestamp with time zone,
	CONSTRAINT "deeper_sources_asset_source_pk" PRIMARY KEY("asset","source")
);
--> statement-breakpoint
ALTER TABLE "deeper_bars" ADD CONSTRAINT "deeper_bars_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deeper_rounds" ADD CONSTRAINT "deeper_rounds_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deeper_sources" ADD CONSTRAINT "deeper_sources_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deeper_rounds_newest" ON "deeper_rounds" USING btree ("asset","id");