CREATE TABLE "follow_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "follow_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"follower_id" uuid NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "follow_messages_status" CHECK ("status" in ('waiting', 'sending', 'sent', 'failed', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "follow_news" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "follow_news_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"follower_id" uuid NOT NULL,
	"event" text NOT NULL,
	"prediction_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"message_id" bigint
);
--> statement-breakpoint
CREATE TABLE "follow_questions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"address" text,
	"address_hash" text NOT NULL,
	"network_hash" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"every" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"follower_id" uuid,
	CONSTRAINT "follow_questions_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "follow_questions_status" CHECK ("status" in ('waiting', 'sending', 'sent', 'failed', 'unknown')),
	CONSTRAINT "follow_questions_kind" CHECK ("kind" in ('person', 'asset', 'prediction')),
	CONSTRAINT "follow_questions_every" CHECK ("every" in ('now', 'day', 'week'))
);
--> statement-breakpoint
CREATE TABLE "followers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"address_hash" text NOT NULL,
	"token_hash" text NOT NULL,
	"every" text NOT NULL,
	"push_key" text,
	"push_auth" text,
	"network_hash" text,
	"next_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "followers_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "followers_channel" CHECK ("channel" in ('email', 'push')),
	CONSTRAINT "followers_every" CHECK ("every" in ('now', 'day', 'week')),
	CONSTRAINT "followers_push" CHECK (("followers"."channel" = 'push') = ("followers"."push_key" is not null and "followers"."push_auth" is not null))
);
--> statement-breakpoint
CREATE TABLE "follows" (
	"follower_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"since_event" bigint NOT NULL,
	"since_day" date NOT NULL,
	CONSTRAINT "follows_follower_id_kind_subject_pk" PRIMARY KEY("follower_id","kind","subject"),
	CONSTRAINT "follows_kind" CHECK ("kind" in ('person', 'asset', 'prediction'))
);
--> statement-breakpoint
ALTER TABLE "follow_messages" ADD CONSTRAINT "follow_messages_follower_id_followers_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."followers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_news" ADD CONSTRAINT "follow_news_follower_id_followers_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."followers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_news" ADD CONSTRAINT "follow_news_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_news" ADD CONSTRAINT "follow_news_message_id_follow_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."follow_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_questions" ADD CONSTRAINT "follow_questions_follower_id_followers_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."followers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_followers_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."followers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follow_messages_of" ON "follow_messages" USING btree ("follower_id");--> statement-breakpoint
CREATE INDEX "follow_messages_created" ON "follow_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "follow_messages_to_send" ON "follow_messages" USING btree ("next_try_at") WHERE "follow_messages"."status" in ('waiting', 'sending');--> statement-breakpoint
CREATE UNIQUE INDEX "follow_news_once" ON "follow_news" USING btree ("follower_id","prediction_id","event");--> statement-breakpoint
CREATE INDEX "follow_news_waiting" ON "follow_news" USING btree ("follower_id") WHERE "follow_news"."message_id" is null;--> statement-breakpoint
CREATE INDEX "follow_news_of_message" ON "follow_news" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "follow_news_of_prediction" ON "follow_news" USING btree ("prediction_id");--> statement-breakpoint
CREATE INDEX "follow_questions_of_address" ON "follow_questions" USING btree ("address_hash","created_at");--> statement-breakpoint
CREATE INDEX "follow_questions_of_network" ON "follow_questions" USING btree ("network_hash","created_at");--> statement-breakpoint
CREATE INDEX "follow_questions_of_follower" ON "follow_questions" USING btree ("follower_id");--> statement-breakpoint
CREATE INDEX "follow_questions_expire" ON "follow_questions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "follow_questions_to_send" ON "follow_questions" USING btree ("next_try_at") WHERE "follow_questions"."status" in ('waiting', 'sending');--> statement-breakpoint
CREATE UNIQUE INDEX "followers_once" ON "followers" USING btree ("channel","address_hash");--> statement-breakpoint
CREATE INDEX "followers_due" ON "followers" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "followers_of_network" ON "followers" USING btree ("network_hash","created_at");--> statement-breakpoint
CREATE INDEX "follows_of" ON "follows" USING btree ("kind","subject");