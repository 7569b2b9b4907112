ALTER TABLE "admin_tokens" ADD COLUMN "scopes" text[] NOT NULL DEFAULT '{read,review,publish,operate}';--> statement-breakpoint
ALTER TABLE "admin_tokens" ALTER COLUMN "scopes" DROP DEFAULT;--> statement-breakpoint
-- Tokens of old go on with all they could do; those without an end get one in 90 days, and none lasts longer than a year.
UPDATE "admin_tokens" SET "expires_at" = CASE WHEN "expires_at" IS NULL THEN now() + interval '90 days' ELSE least("expires_at", now() + interval '365 days') END;--> statement-breakpoint
ALTER TABLE "admin_tokens" ALTER COLUMN "expires_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "role" text NOT NULL DEFAULT 'administrator';--> statement-breakpoint
ALTER TABLE "admins" ALTER COLUMN "role" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "recovery_codes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "admins" ADD CONSTRAINT "admins_role" CHECK ("role" in ('administrator', 'reviewer'));
