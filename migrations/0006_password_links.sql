ALTER TABLE "admins" ADD COLUMN "link_hash" text;--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "link_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admins" ADD CONSTRAINT "admins_linkHash_unique" UNIQUE("link_hash");