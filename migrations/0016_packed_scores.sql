ALTER TABLE "scores" ALTER COLUMN "reply" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "scores" ADD COLUMN "gzip" "bytea";--> statement-breakpoint
ALTER TABLE "scores" ADD COLUMN "starts" integer[];--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_reply" CHECK (num_nonnulls("scores"."gzip", "scores"."reply") = 1 and num_nonnulls("scores"."gzip", "scores"."starts") <> 1);