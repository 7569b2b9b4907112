ALTER TABLE "payments" ADD COLUMN "watch_until" timestamp with time zone;--> statement-breakpoint
-- Invoices made until now are watched as long as new ones: see watchUntilMs.
UPDATE "payments" SET "watch_until" = greatest("expires_at", "wallet_expires_at", CASE WHEN "wallet" = 'address' THEN "created_at" + interval '120 hours' END) + interval '48 hours' WHERE "bolt11" IS NOT NULL;
