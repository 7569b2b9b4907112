ALTER TABLE "influencer_names" ADD COLUMN "confirmed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE "influencer_names" n SET "confirmed" = false WHERE n."kind" = 'handle' AND EXISTS (
	SELECT FROM "submissions" s WHERE s."prediction_id" IS NOT NULL
	AND lower(regexp_replace(regexp_replace(btrim(s."twitter_handle"), '^https?://((www|mobile)\.)?(x|twitter)\.com/', '', 'i'), '^@|[/?#].*$', '', 'g')) = n."folded"
);
