CREATE TABLE "replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"influencer_id" bigint NOT NULL,
	"prediction_id" text,
	"text" text NOT NULL,
	"link" text,
	"way" text NOT NULL,
	"evidence" jsonb,
	"proof" text,
	"token_hash" text NOT NULL,
	"network_hash" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"decided_by" text,
	"reason" text,
	"note" text,
	CONSTRAINT "replies_proof_unique" UNIQUE("proof"),
	CONSTRAINT "replies_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "replies_state" CHECK ("state" in ('waiting', 'published', 'declined', 'withdrawn')),
	CONSTRAINT "replies_way" CHECK ("way" in ('nostr', 'post', 'email')),
	CONSTRAINT "replies_published" CHECK ("state" <> 'published' or "published_at" is not null),
	CONSTRAINT "replies_ended" CHECK (("state" in ('declined', 'withdrawn')) = ("ended_at" is not null)),
	CONSTRAINT "replies_withdrawn" CHECK (("state" = 'withdrawn') = ("evidence" is null)),
	CONSTRAINT "replies_text" CHECK (char_length("text") <= 1000 and ("state" = 'withdrawn') = ("text" = ''))
);
--> statement-breakpoint
ALTER TABLE "replies" ADD CONSTRAINT "replies_influencer_id_influencers_id_fk" FOREIGN KEY ("influencer_id") REFERENCES "public"."influencers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replies" ADD CONSTRAINT "replies_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replies_of_prediction" ON "replies" USING btree ("prediction_id");--> statement-breakpoint
CREATE INDEX "replies_of_influencer" ON "replies" USING btree ("influencer_id");--> statement-breakpoint
CREATE INDEX "replies_in_state" ON "replies" USING btree ("state","received_at","id");--> statement-breakpoint
CREATE INDEX "replies_of_network" ON "replies" USING btree ("network_hash","received_at") WHERE "replies"."network_hash" is not null;