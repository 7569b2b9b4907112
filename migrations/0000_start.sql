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
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bars_asset_day_source_pk" PRIMARY KEY("asset","day","source"),
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
	CONSTRAINT "influencer_names_kind_folded_pk" PRIMARY KEY("kind","folded")
);
--> statement-breakpoint
CREATE TABLE "influencers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "influencers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"is_firm" boolean DEFAULT false NOT NULL,
	"score" double precision DEFAULT 0 NOT NULL,
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "predictions_dates" CHECK ("predictions"."target_date" > "predictions"."made")
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
ALTER TABLE "bars" ADD CONSTRAINT "bars_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corporate_actions" ADD CONSTRAINT "corporate_actions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "influencer_names" ADD CONSTRAINT "influencer_names_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_events" ADD CONSTRAINT "prediction_events_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_events" ADD CONSTRAINT "prediction_events_verdict_id_verdicts_id_fk" FOREIGN KEY ("verdict_id") REFERENCES "public"."verdicts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_asset_assets_key_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "influencer_names_of" ON "influencer_names" USING btree ("influencer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "influencer_names_main" ON "influencer_names" USING btree ("influencer_id","kind") WHERE "influencer_names"."main";--> statement-breakpoint
CREATE INDEX "prediction_events_of" ON "prediction_events" USING btree ("prediction_id","id");--> statement-breakpoint
CREATE INDEX "predictions_of_asset" ON "predictions" USING btree ("asset","made");--> statement-breakpoint
CREATE INDEX "predictions_of_influencer" ON "predictions" USING btree ("influencer_id");--> statement-breakpoint
CREATE INDEX "verdicts_in_force" ON "verdicts" USING btree ("prediction_id","mode","id");