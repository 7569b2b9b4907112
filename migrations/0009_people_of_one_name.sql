ALTER TABLE "influencer_names" DROP CONSTRAINT "influencer_names_kind_folded_pk";--> statement-breakpoint
ALTER TABLE "influencer_names" ADD CONSTRAINT "influencer_names_kind_folded_influencer_id_pk" PRIMARY KEY("kind","folded","influencer_id");--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "new_influencer" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "influencer_names_handle" ON "influencer_names" USING btree ("folded") WHERE "influencer_names"."kind" = 'handle';