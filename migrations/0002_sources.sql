CREATE TABLE "source_checks" (
	"url" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"next_ask_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"dead_since" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"prediction_id" text,
	"submission_id" uuid,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"date" text,
	"archived_url" text,
	"quotation" text,
	"speaker" text,
	CONSTRAINT "sources_owner" CHECK (("sources"."prediction_id" is null) <> ("sources"."submission_id" is null)),
	CONSTRAINT "sources_kind" CHECK ("kind" in ('own', 'filing', 'interview', 'report', 'repost')),
	CONSTRAINT "sources_date" CHECK ("sources"."date" ~ '^\d{4}(-\d\d){0,2}$'),
	CONSTRAINT "sources_quotation" CHECK (("sources"."quotation" is null) = ("sources"."speaker" is null))
);
--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "source_checks_due" ON "source_checks" USING btree ("next_ask_at");
--> statement-breakpoint
CREATE INDEX "source_checks_asked" ON "source_checks" USING btree ("asked_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "sources_of_prediction" ON "sources" USING btree ("prediction_id","position");
--> statement-breakpoint
CREATE UNIQUE INDEX "sources_of_submission" ON "sources" USING btree ("submission_id","position");
--> statement-breakpoint
CREATE INDEX "sources_at" ON "sources" USING btree ("url");
--> statement-breakpoint
-- The one address of each prediction and submission becomes its source, of the kind that is certain by its address.
INSERT INTO "sources" ("prediction_id", "submission_id", "position", "kind", "url", "date")
WITH given AS (
	SELECT p.id AS prediction_id, NULL::uuid AS submission_id, p.source_url AS url,
		array(SELECT n.folded FROM influencer_names n WHERE n.influencer_id = p.influencer_id AND n.kind = 'handle') AS handles
	FROM predictions p WHERE p.source_url <> ''
	UNION ALL
	SELECT NULL, s.id, s.source_url, array[lower(ltrim(s.twitter_handle, '@'))]
	FROM submissions s WHERE s.source_url <> ''
), read AS (
	SELECT *, regexp_match(url, '^https?://(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com/(?:i/(?:web/)?|(\w{1,20})/)status(?:es)?/([1-9]\d{0,18})/?(?:[?#].*)?$', 'i') AS post
	FROM given
), dated AS (
	SELECT *, CASE WHEN post[2]::numeric BETWEEN 29700859247 AND 9223372036854775807
		THEN (to_timestamp((floor(post[2]::numeric / 4194304) + 1288834974657) / 1000) AT TIME ZONE 'UTC')::date END AS day
	FROM read
)
SELECT prediction_id, submission_id, 0,
	CASE WHEN lower(post[1]) = ANY (handles) THEN 'own'
		WHEN url ~* '^https?://([\w-]+\.)*sec\.gov(:\d+)?(/|$)' THEN 'filing' ELSE 'report' END,
	url, day::text
FROM dated;
--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "source_addresses" text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE "submissions" SET "source_addresses" = "source_url" WHERE "source_url" <> '';
--> statement-breakpoint
ALTER TABLE "submissions" DROP COLUMN "search";
--> statement-breakpoint
ALTER TABLE "submissions" DROP COLUMN "source_url";
--> statement-breakpoint
ALTER TABLE "predictions" DROP COLUMN "source_url";
--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(regexp_replace(normalize(lower(coalesce(expert_name, '') || ' ' || coalesce(twitter_handle, '') || ' ' || coalesce(nostr_npub, '') || ' ' || coalesce(price_prediction, '') || ' ' || coalesce(regexp_replace(price_prediction, '[^0-9-]', '', 'g'), '') || ' ' || coalesce(source_addresses, '') || ' ' || coalesce(notes, '') || ' ' || coalesce(submitter_email, '')), NFKD), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))) STORED;
--> statement-breakpoint
CREATE INDEX "submissions_search" ON "submissions" USING gin ("search");