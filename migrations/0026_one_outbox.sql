ALTER TABLE "follow_messages" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notices" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "follow_messages" CASCADE;--> statement-breakpoint
DROP TABLE "notices" CASCADE;--> statement-breakpoint
ALTER TABLE "follow_questions" DROP CONSTRAINT "follow_questions_status";--> statement-breakpoint
ALTER TABLE "follow_news" DROP CONSTRAINT IF EXISTS "follow_news_message_id_follow_messages_id_fk";
--> statement-breakpoint
DROP INDEX "follow_questions_to_send";--> statement-breakpoint
ALTER TABLE "follow_news" ADD CONSTRAINT "follow_news_message_id_outbox_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."outbox"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_questions" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "follow_questions" DROP COLUMN "attempts";--> statement-breakpoint
ALTER TABLE "follow_questions" DROP COLUMN "next_try_at";--> statement-breakpoint
ALTER TABLE "follow_questions" DROP COLUMN "last_error";